import FlipGeometry

/// What rests at both ends of the frame along the motion while it is exposed: a part of one of the pictures, flat on the
/// screen, of which at most the shade changes. It needs to be drawn only once, in its mean shade.
struct StillParts {
    /// The part of a picture at one end of the frame.
    struct Part {
        let picture: Picture
        /// Where the part ends, in luma pixels along the motion.
        var end: Double
        fileprivate var shades: ClosedRange<Double>
        fileprivate var sum: Double

        fileprivate init(_ picture: Picture, end: Double, shade: Double) {
            (self.picture, self.end, shades, sum) = (picture, end, shade...shade, shade)
        }

        /// The mean shade of `count` instants; exactly that of all of them if it doesn't change.
        fileprivate func shade(of count: Int) -> Double {
            shades.lowerBound == shades.upperBound ? shades.lowerBound : sum / Double(count)
        }
    }

    /// The part that begins at position 0; nil if there is none.
    private(set) var lower: Part?
    /// The part that reaches to the frame's far end.
    private(set) var upper: Part?
    private let length: Double
    /// The number of instants.
    private var count = 0

    init(length: Double) { self.length = length }

    /// Whether nothing rests.
    var isEmpty: Bool { lower == nil && upper == nil }

    /// What lies between the parts.
    var between: ClosedRange<Double> {
        let start = min(lower?.end ?? 0, length)
        return start...max(upper?.end ?? length, start)
    }

    /// Adds an instant that shows one picture alone.
    mutating func add(_ picture: Picture) {
        add(Part(picture, end: length, shade: 0), Part(picture, end: 0, shade: 0))
    }

    /// Adds an instant with this scene, whose spans are `spans` unless it is a fade.
    mutating func add(_ scene: Scene, _ spans: SpanPlan) {
        if let fade = scene.fade { return add(fade) }
        func part(_ span: SpanPlan.Span?, _ end: Double?) -> Part? {
            guard let layer = span?.layers.first, let end else { return nil }
            let projection = spans.projection(ofLayer: layer)
            guard projection.isFlat, let shade = projection.finish.uniformShade else { return nil }
            return Part(projection.picture, end: end, shade: shade)
        }
        let (first, last) = (spans.spans.first, spans.spans.last)
        add(part(first, first?.upper), part(last, last?.lower))
    }

    private mutating func add(_ fade: Fade) {
        guard let ramp = fade.ramp, fade.from == .outgoing, fade.to == .incoming else { return add(nil, nil) }
        let (before, after): (Picture, Picture) =
            ramp.isRising ? (.outgoing, .incoming) : (.incoming, .outgoing)
        add(
            Part(before, end: max(ramp.extent.lowerBound, 0), shade: 0),
            Part(after, end: min(ramp.extent.upperBound, length), shade: 0))
    }

    private mutating func add(_ lower: Part?, _ upper: Part?) {
        count += 1
        if count == 1 {
            (self.lower, self.upper) = (lower, upper)
            return
        }
        self.lower = StillParts.met(self.lower, lower, by: min)
        self.upper = StillParts.met(self.upper, upper, by: max)
    }

    /// The part that rests in two instants.
    private static func met(_ part: Part?, _ other: Part?, by limit: (Double, Double) -> Double) -> Part? {
        guard var met = part, let other, met.picture == other.picture else { return nil }
        met.end = limit(met.end, other.end)
        met.shades =
            min(met.shades.lowerBound, other.shades.lowerBound)...max(met.shades.upperBound, other.shades.upperBound)
        met.sum += other.sum
        return met
    }

    /// The parts as sheets. They don't overlap.
    func appendSheets(to set: inout SceneSet) {
        if let lower, lower.end > 0 {
            set.sheets.append(
                .flat(lower.picture, cut: 0...between.lowerBound, shade: .uniform(lower.shade(of: count))))
        }
        if let upper, between.upperBound < length {
            set.sheets.append(
                .flat(upper.picture, cut: between.upperBound...length, shade: .uniform(upper.shade(of: count))))
        }
    }
}
