import FlipBase

/// A transition as geometry.
///
/// Each style of the catalog has a file under `Styles/` and a property of `Styles`. Any other conforming type can be
/// used wherever a style can: it places flat pieces of the two pictures in space at each moment, and the library takes
/// care of perspective, orientation, direction, shading, antialiasing and pixel formats.
///
///     struct Shift: TransitionStyle {
///         let name = "shift"
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
///             set.sheets = [
///                 Sheet(.outgoing, cut: 0...length, position: moved),
///                 Sheet(.incoming, cut: 0...length, position: Line(constant: (1 - progress) * length, slope: 1)),
///             ]
///         }
///     }
public protocol TransitionStyle: Sendable {
    /// The name that users type.
    var name: String { get }
    /// What the transition shows, as one line of help.
    var summary: String { get }
    /// The work that the look comes from.
    var origin: String { get }
    /// The options that apply to this style; any other is rejected.
    var options: [LookOption] { get }
    /// The shadows that this style supports, the default first.
    var shadows: [Shadow] { get }
    /// The modes that this style has, the default first; none if it has no option `mode`.
    var modes: [Mode] { get }
    /// Whether `place` follows `look.pullBack` itself, as the card does; otherwise the finished scene is scaled by it
    /// if `options` has it (EFFECTS 9).
    var pullsBackItself: Bool { get }
    /// The least height of the camera, in page lengths, if it isn't 0 for none; at least 0.1.
    var leastPerspective: Double { get }
    /// The look before any option is given.
    var defaults: Look { get }
    /// The look before any option but `mode` is given, in that mode.
    func defaults(in mode: Mode) -> Look

    /// Adds to the empty `set` what is seen at `progress`, between 0 and 1 (at the ends the pictures themselves are
    /// shown). The motion runs forward along an axis of `length` luma pixels in a frame of `breadth` luma pixels
    /// across; orientation and direction are applied afterwards.
    ///
    /// This is called for every frame, from any thread. The same arguments must give the same set. Sheets must not
    /// intersect each other; cuts are limited to their picture, and sheets with numbers that are not finite are
    /// dropped.
    func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double)
}

extension TransitionStyle {
    /// No modes.
    public var modes: [Mode] { [] }
    /// The finished scene is scaled.
    public var pullsBackItself: Bool { false }

    /// Any height that `perspective` takes: 0.1 page lengths.
    public var leastPerspective: Double { StyledLook.leastHeight }

    /// The scales to which the camera may step back. From a style that steps back itself it may step farther.
    var pullBackRange: ClosedRange<Double> { pullsBackItself ? 0.05...1 : 0.5...1 }

    /// `defaults` with that mode.
    public func defaults(in mode: Mode) -> Look {
        var look = defaults
        look.mode = mode
        return look
    }
}

/// What a style shows in a frame: sheets over the background, or a fade.
public struct SceneSet: Sendable, Equatable {
    /// The sheets, in any order: their ranks and heights say which hides which. One of them may be bent; all others
    /// must then lie on the screen beneath it. Setting sheets ends a fade.
    public var sheets: [Sheet] = [] {
        didSet { if !sheets.isEmpty { fade = nil } }
    }
    /// The length of a page in luma pixels, by which `perspective` is multiplied; 0 for no perspective.
    public var pageLength = 0.0
    /// The maximum number of samples by which a sheet's texture may slide across the motion within a sample. Where it
    /// slides farther, the sample is cut into parts. Less costs more, where sheets are steep.
    package var maxSlide = SceneSet.defaultMaxSlide
    /// On a hard edge, samples that are cut at this limit differ by at most 3.3 % of its contrast from the exact ones.
    private static let defaultMaxSlide = 0.4
    /// For styles whose steep sheets come close to the camera: 2.4 % of an edge's contrast.
    package static let fineMaxSlide = 0.25
    /// The shadow that is painted over the background, behind every sheet.
    public var softShadow: SoftShadow?
    /// Two sources that are mixed in place; nil if there is none. Setting it removes all sheets and the shadow.
    public var fade: Fade? {
        didSet {
            if fade == nil { return }
            if !sheets.isEmpty { sheets.removeAll(keepingCapacity: true) }
            softShadow = nil
        }
    }

    /// An empty set.
    public init() {}

    /// The incoming picture's weight, 0...1, if the two pictures are cross-faded in place: a `fade` between them that is
    /// the same everywhere.
    public var crossFade: Double? {
        get { fade?.from == .outgoing && fade?.to == .incoming && fade?.ramp == nil ? fade?.part : nil }
        set { fade = newValue.map { Fade(from: .outgoing, to: .incoming, part: $0) } }
    }

    /// Empties the set and keeps its storage.
    mutating func clear() {
        sheets.removeAll(keepingCapacity: true)
        pageLength = 0
        maxSlide = SceneSet.defaultMaxSlide
        softShadow = nil
        fade = nil
    }
}

/// The catalog of built-in styles.
public enum Styles {
    /// Every style.
    public static let all: [any TransitionStyle] = [
        flip, fold, unfold, card, spineFold, curl, cube, box, swing, doors, blinds, push, slide, wipe, dissolve, dip,
    ]

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
    /// A sheet of paper bends and rolls off, or a book's page turns.
    public static let curl: any TransitionStyle = Curl()
    /// The pictures are two sides of a cube that turns.
    public static let cube: any TransitionStyle = Cube()
    /// The pictures are two walls of a room that turns around the viewer.
    public static let box: any TransitionStyle = Box()
    /// The picture opens like a door.
    public static let swing: any TransitionStyle = Swing()
    /// The picture's halves open like doors.
    public static let doors: any TransitionStyle = Doors()
    /// Slats turn over one after the other.
    public static let blinds: any TransitionStyle = Blinds()
    /// The next picture pushes this one out.
    public static let push: any TransitionStyle = Push()
    /// One picture moves over the other, which lies still.
    public static let slide: any TransitionStyle = Slide()
    /// An edge moves across the frame, and uncovers the next picture.
    public static let wipe: any TransitionStyle = Wipe()
    /// One picture fades into the other.
    public static let dissolve: any TransitionStyle = Dissolve()
    /// One picture fades to a color, the other one from it.
    public static let dip: any TransitionStyle = Dip()

    /// The style among `styles` that is called `name`. Throws an error that lists their names if there is none.
    public static func named(
        _ name: String, in styles: [any TransitionStyle] = all
    ) throws(OptionError) -> any TransitionStyle {
        if let style = styles.first(where: { $0.name == name }) { return style }
        let names = styles.map(\.name)
        let isCut = ["none", "no", "off", "cut", "hard-cut", "hardcut"].contains(name.lowercased())
        let hint =
            isCut ? ", did you mean the transition 'cut'?" : Suggestion.question(for: name, among: names)
        throw OptionError("unknown style '\(name)'\(hint) (expected \(names.joined(separator: ", ")))")
    }
}

/// A style as users name it: by its own name, or by the name that another program has for it.
package struct StyleChoice: Sendable {
    package let style: any TransitionStyle
    /// The options that the other program's transition stands for; empty for a style's own name.
    package let options: [(option: LookOption, value: String)]
    /// The name that was typed, if it is not the style's own.
    package let otherName: String?

    /// Throws an error that lists the names of `styles` if none of them is meant by `name`.
    package init(_ name: String, in styles: [any TransitionStyle] = Styles.all) throws(OptionError) {
        if !styles.contains(where: { $0.name == name }), let row = TransitionNames.familiar(name),
            let (style, options) = row.look(), let own = styles.first(where: { $0.name == style.name })
        {
            (self.style, self.options, otherName) = (own, options, name)
        } else {
            (style, options, otherName) = (try Styles.named(name, in: styles), [], nil)
        }
    }
}
