import FlipGeometry
import RealModule

/// The model that a style follows when it is turned by hand.
package enum GestureRule: String, Sendable, CaseIterable {
    /// A page turns about a spine: flip, also of a bound book, and curl as a book.
    case page
    /// A sheet's leading corner follows the pointer: curl.
    case peel
    /// It moves as the pointer does, and keeps its speed: card, and all styles that slide or fade.
    case card
    /// A swipe of fixed length: flip with the look vctransitions.
    case swipe
    /// Two fingers fold: fold, unfold and spine-fold.
    case pinch

    /// The rule of `look`.
    package init(_ look: StyledLook) {
        switch look.asked.style.name {
        case Styles.flip.name: self = look.named == "vctransitions" ? .swipe : .page
        case Styles.curl.name: self = look.look.mode == .book ? .page : .peel
        case Styles.fold.name, Styles.unfold.name, Styles.spineFold.name: self = .pinch
        default: self = .card
        }
    }
}

/// All that the model needs to know of a transition and of the frame in which it is turned.
package struct GestureSetting: Sendable {
    let rule: GestureRule
    /// The frame's size along and across the motion, in CSS pixels as it is shown.
    let extent: Double
    let breadth: Double
    let isVertical: Bool
    let isBackward: Bool
    /// The spine's place along the motion, in CSS pixels.
    let spine: Double
    /// Whether fingers that move apart complete the transition, as they do in unfold.
    let opens: Bool
    /// How far a tap moves the transition; nil if it doesn't.
    let tapStep: Double?
    let peel: PeelLine
    /// How far the page bends.
    let bend: Double
    /// How long a turn takes that nobody holds, in milliseconds.
    let duration: Double

    /// - Parameters:
    ///   - width: the width in CSS pixels at which the frame is shown; greater than 0.
    ///   - aspect: the frame's width divided by its height.
    ///   - duration: how long a turn takes that nobody holds, in milliseconds; greater than 0.
    package init(_ styled: StyledLook, width: Double, aspect: Double, duration: Double) {
        let look = styled.look
        rule = GestureRule(styled)
        isVertical = look.orientation == .vertical
        isBackward = look.direction == .backward
        let height = width / aspect
        extent = isVertical ? height : width
        breadth = isVertical ? width : height
        let book = styled.style as? BookTurn
        spine = (book?.spine ?? look.spine) * extent
        opens = styled.style.name == Styles.unfold.name
        // Two stages of 90 degrees each make up the whole.
        tapStep = styled.style.name == Styles.spineFold.name ? GestureConstants.tapDegrees / 180 : nil
        peel = PeelLine(extent: extent, breadth: breadth, radius: look.radius, degrees: look.angle)
        bend = book?.bend(look) ?? look.bend
        self.duration = duration
    }

    /// The progress of a page that was at `base` when it was grabbed, `reach` away from the spine, and has been moved by
    /// `way`. A rigid page turns evenly with the hand; of one that bends, the hand holds the free edge.
    func progress(from base: Double, way: Double, reach: Double) -> Double {
        if bend == 0 { return GestureModel.clamped(base + way / (2 * reach)) }
        let edge = Flip.edge(at: base, bend: bend) - way / reach
        return GestureSetting.progress(at: edge) { Flip.edge(at: $0, bend: bend) }
    }

    /// The progress at which `place`, which never rises, is `value`; 0 or 1 beyond its way.
    static func progress(at value: Double, of place: (_ progress: Double) -> Double) -> Double {
        if value >= place(0) { return 0 }
        if value <= place(1) { return 1 }
        var (low, high) = (0.0, 1.0)
        while true {
            let middle = (low + high) / 2
            if middle <= low || middle >= high { return middle }
            if place(middle) > value { low = middle } else { high = middle }
        }
    }

    /// The point of a sample along the motion, which runs toward lower values, and across it, in CSS pixels.
    func point(_ sample: GestureSample) -> GesturePoint {
        let along = (isVertical ? sample.y : sample.x) * extent
        let across = (isVertical ? sample.x : sample.y) * breadth
        return GesturePoint(along: isBackward ? extent - along : along, across: across)
    }
}

/// A place in CSS pixels, along the motion and across it.
struct GesturePoint: Sendable {
    var along: Double
    var across: Double

    func distance(to other: GesturePoint) -> Double { .hypot(along - other.along, across - other.across) }
}

/// The corner of a sheet that peels off, as EFFECTS 7 defines it, along the contact line's normal.
struct PeelLine: Sendable {
    private let normal: GesturePoint
    private let radius: Double
    private let highest: Double
    private let lowest: Double

    /// - Parameter radius: the radius of the bend, in page lengths.
    init(extent: Double, breadth: Double, radius: Double, degrees: Double) {
        let angle = degrees * .pi / 180
        normal = GesturePoint(along: .cos(angle), across: .sin(angle))
        self.radius = radius * extent
        highest = extent * normal.along + (degrees < 0 ? 0 : breadth * normal.across)
        lowest = (degrees < 0 ? breadth * normal.across : 0) - 2.2 * self.radius
    }

    /// Where the leading corner stands along the normal at `progress`.
    private func corner(_ progress: Double) -> Double {
        let bent = (highest - lowest) * progress
        if bent < .pi * radius { return highest + radius * .sin(bent / radius) - bent }
        return highest + .pi * radius - 2 * bent
    }

    /// The progress at which the leading corner is where `point` is along the normal; 0 or 1 beyond its way. The corner
    /// never goes back, so bisection finds it.
    func progress(at point: GesturePoint) -> Double {
        GestureSetting.progress(at: normal.along * point.along + normal.across * point.across, of: corner)
    }
}
