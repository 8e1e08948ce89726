/// A transition as geometry: one conforming type a file under `Styles/`, one line in `Styles.all`.
package protocol TransitionStyle: Sendable {
    /// The name users type.
    var name: String { get }
    /// One line for help.
    var summary: String { get }
    /// Whose look it is.
    var origin: String { get }
    /// The options that mean something for this style; any other is refused.
    var options: [LookOption] { get }
    /// The shadows this style has, the default first.
    var shadows: [Shadow] { get }
    /// The look before any option is given.
    var defaults: Look { get }

    /// Puts on the empty `set` what is seen at `progress` (0...1), for motion along an axis of `length` pixels in a frame
    /// `breadth` pixels across, forward. `Scene` turns and mirrors it.
    func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double)
}

/// What a style puts on the stage.
package struct SceneSet: Sendable, Equatable {
    package var panels: [Panel] = []
    /// L of EFFECTS: the length that `perspective` multiplies, in luma pixels.
    package var pageLength = 0.0
    /// Painted over the background, behind every panel.
    package var softShadow: SoftShadow?
    /// Where the two pictures are mixed and nothing stands in space: the incoming one's part, 0...1.
    package var crossFade: Double?

    package init() {}

    /// Empties the set and keeps its storage.
    mutating func clear() {
        panels.removeAll(keepingCapacity: true)
        pageLength = 0
        softShadow = nil
        crossFade = nil
    }
}

/// The catalogue.
package enum Styles {
    package static let all: [any TransitionStyle] = [Flip(), Fold(), Unfold(), Card(), SpineFold(), Dissolve()]

    /// The style users call `name`.
    package static func named(_ name: String) throws(OptionError) -> any TransitionStyle {
        if let style = all.first(where: { $0.name == name }) { return style }
        throw OptionError("unknown style '\(name)' (expected \(all.map(\.name).joined(separator: ", ")))")
    }
}
