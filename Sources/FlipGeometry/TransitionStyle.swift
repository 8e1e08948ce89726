/// A transition as geometry.
///
/// Those of the catalogue have a file each under `Styles/`, and a name in `Styles`. Any other type that conforms can be used
/// wherever a style can: it says where flat pieces of the two pictures stand at each moment, and perspective, orientation,
/// direction, shading, antialiasing and pixel formats are done for it.
///
///     struct Slide: TransitionStyle {
///         let name = "slide"
///         let summary = "the next picture pushes this one out"
///         let origin = "slide projectors"
///         let options: [LookOption] = [.direction, .orientation, .easing]
///         let shadows: [Shadow] = [.none]
///         var defaults: Look {
///             var look = Look()
///             look.shadow = .none
///             return look
///         }
///
///         func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
///             let moved = Line(constant: -progress * length, slope: 1)
///             set.panels = [
///                 Panel(.outgoing, cut: 0...length, position: moved),
///                 Panel(.incoming, cut: 0...length, position: Line(constant: (1 - progress) * length, slope: 1)),
///             ]
///         }
///     }
public protocol TransitionStyle: Sendable {
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

    /// Puts on the empty `set` what is seen at `progress` (between 0 and 1: the ends are the pictures themselves), for motion along
    /// an axis of `length` luma pixels in a frame `breadth` pixels across, forward: it is turned and mirrored afterwards.
    ///
    /// Called for every frame, from any thread. The same arguments have to give the same set. Panels must not pass through each
    /// other; those that reach out of their picture are cut, and those with numbers that are not finite are left out.
    func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double)
}

/// What a style puts on the stage. Whatever no panel covers shows the background.
public struct SceneSet: Sendable, Equatable {
    /// In any order: their ranks and heights say which hides which.
    public var panels: [Panel] = []
    /// The length that `perspective` multiplies, in luma pixels, greater than 0: that of a page. 0 is no perspective.
    public var pageLength = 0.0
    /// Painted over the background, behind every panel.
    public var softShadow: SoftShadow?
    /// Where the two pictures are mixed as they lie: the incoming one's part, 0...1. Panels and shadows are not shown then.
    public var crossFade: Double?

    /// An empty stage.
    public init() {}

    /// Empties the set and keeps its storage.
    mutating func clear() {
        panels.removeAll(keepingCapacity: true)
        pageLength = 0
        softShadow = nil
        crossFade = nil
    }
}

/// The catalogue: the styles that everything knows by name.
public enum Styles {
    /// Every style.
    public static let all: [any TransitionStyle] = [flip, fold, unfold, card, spineFold, dissolve]

    /// A page turns over about a spine.
    public static let flip: any TransitionStyle = Flip()
    /// The picture folds away while the next slides in from both ends.
    public static let fold: any TransitionStyle = Fold()
    /// The next picture unfolds while this one slides out to both ends.
    public static let unfold: any TransitionStyle = Unfold()
    /// The frame is a card that turns over.
    public static let card: any TransitionStyle = Card()
    /// A book closes and opens.
    public static let spineFold: any TransitionStyle = SpineFold()
    /// One picture fades into the other.
    public static let dissolve: any TransitionStyle = Dissolve()

    /// The style among `styles` that users call `name`. Throws the sentence that lists them where there is none.
    public static func named(
        _ name: String, in styles: [any TransitionStyle] = all
    ) throws(OptionError) -> any TransitionStyle {
        if let style = styles.first(where: { $0.name == name }) { return style }
        throw OptionError("unknown style '\(name)' (expected \(styles.map(\.name).joined(separator: ", ")))")
    }
}
