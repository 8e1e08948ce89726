import FlipGeometry

/// What a renderer keeps from frame to frame to draw those that are exposed for some time (EFFECTS 2.1): it shows the mean of
/// evenly spaced instants. What rests at the frame's ends is drawn once, and what moves little is drawn at fewer instants.
final class Shutter {
    /// A part of the frame, all of which is drawn at the same instants.
    struct Band {
        /// The part along the motion, in luma pixels; nil for the whole frame.
        let interval: ClosedRange<Double>?
        /// The number of instants.
        fileprivate(set) var count = 1
    }

    /// The frame in which instants are drawn.
    let frame: OwnPicture
    let sums: SampleSums
    /// What moves during the current exposure.
    private(set) var bands: [Band] = []
    /// What rests meanwhile.
    private(set) var still: StillParts
    private let stage: Stage
    private var scene = Scene()
    private var next = Scene()
    private var spans = SpanPlan()

    /// The parts of an exposure in which motion is measured. Within each, it is about uniform.
    private static let measuredParts = 8

    /// The number of instants for a motion by `distance` luma pixels: from one to the next, nothing moves by more than two,
    /// as far as `SampleSums.most` instants suffice for that. An edge is then a flight of stairs, of which few and high ones
    /// are seen rather than many and low ones; so less motion has closer instants.
    private static func instants(_ distance: Double) -> Int {
        let wanted = max(distance / 2, min(distance, 32), min(8 * distance, 8)).rounded(.up)
        return wanted < Double(SampleSums.most) ? max(Int(wanted), 1) : SampleSums.most
    }

    /// The limit to how far a texture may slide within a slice, in samples. Most moments are
    /// of steep sheets, and with 0.28 the columns of those are drawn fastest: with more, neighboring slices are too far apart to
    /// be filtered together. Rows are filtered in another way.
    static func slide(_ orientation: Orientation) -> Double { orientation == .horizontal ? 0.28 : .infinity }

    /// The greatest number of bands, and the least width of one in luma pixels: narrower ones take more time to plan than
    /// they save.
    private static let mostBands = 8
    private static let leastWidth = 24.0

    init(_ layout: PixelLayout, width: Int, height: Int, stage: Stage) {
        frame = OwnPicture(layout, width: width, height: height)
        sums = SampleSums(frame)
        still = StillParts(length: 0)
        self.stage = stage
    }

    /// The progress in the middle of part `index` of `count` equal parts of an exposure.
    static func instant(_ index: Int, of count: Int, _ moment: (Double) -> Double) -> Double {
        moment((Double(index) + 0.5) / Double(count))
    }

    /// Finds what moves and what rests during an exposure.
    ///
    /// - Parameters:
    ///   - inParts: whether the frame may be drawn in parts.
    ///   - moment: the progress, 0...1, at a part, 0...1, of the exposure.
    func expose(_ look: StyledLook, inParts: Bool, _ moment: (Double) -> Double) {
        let length = look.look.orientation == .horizontal ? stage.width : stage.height
        still = StillParts(length: length)
        bands.removeAll(keepingCapacity: true)
        bands.append(Band(interval: nil))
        count(look, moment, length)
        let most = bands[0].count
        if most == 1 || !inParts { return }
        let isFlat = findStill(look, moment, most)
        if !isFlat { return }
        let between = still.between
        let width = between.upperBound - between.lowerBound
        let parts = min(max(Int(width / Shutter.leastWidth), 1), Shutter.mostBands)
        bands.removeAll(keepingCapacity: true)
        for part in 0..<parts {
            let start = between.lowerBound + width * Double(part) / Double(parts)
            let end = part + 1 == parts ? between.upperBound : start + width / Double(parts)
            bands.append(Band(interval: start...max(end, start)))
        }
        count(look, moment, length)
        join()
    }

    /// Finds how many instants each band needs.
    private func count(_ look: StyledLook, _ moment: (Double) -> Double, _ length: Double) {
        let parts = Shutter.measuredParts
        var before = moment(0)
        scene.show(look.style, look: look.look, stage: stage, progress: before)
        for part in 1...parts {
            let progress = moment(Double(part) / Double(parts))
            if progress == before { continue }
            next.show(look.style, look: look.look, stage: stage, progress: progress)
            let reach = SceneMotion.distance(scene, next, in: 0...length)
            for index in bands.indices {
                var distance = reach
                if let interval = bands[index].interval, bands.count > 1 {
                    // What is beside a band at both ends may be in it meanwhile.
                    let seen = (interval.lowerBound - reach)...(interval.upperBound + reach)
                    distance = SceneMotion.distance(scene, next, in: seen)
                }
                bands[index].count = max(bands[index].count, Shutter.instants(distance * Double(parts)))
            }
            swap(&scene, &next)
            before = progress
        }
    }

    /// Joins neighboring bands that need about as many instants.
    private func join() {
        var last = 0
        for index in bands.indices.dropFirst() {
            let (band, before) = (bands[index], bands[last])
            if let start = before.interval?.lowerBound, let end = band.interval?.upperBound,
                abs(band.count - before.count) * 10 <= max(band.count, before.count)
            {
                bands[last] = Band(interval: start...end, count: max(band.count, before.count))
            } else {
                last += 1
                bands[last] = band
            }
        }
        bands.removeSubrange((last + 1)...)
    }

    /// Finds what rests during `count` instants. Returns whether frames can be drawn in parts along the motion.
    private func findStill(_ look: StyledLook, _ moment: (Double) -> Double, _ count: Int) -> Bool {
        for index in 0..<count {
            let progress = Shutter.instant(index, of: count, moment)
            if progress <= 0 || progress >= 1 {
                still.add(progress <= 0 ? .outgoing : .incoming)
                continue
            }
            scene.show(look.style, look: look.look, stage: stage, progress: progress)
            if let fade = scene.fade {
                if fade.ramp == nil { return findNothingStill() }
            } else if scene.bentSheet != nil && !scene.bendsStraight {
                return findNothingStill()
            } else {
                spans.plan(scene)
            }
            still.add(scene, spans)
        }
        return true
    }

    private func findNothingStill() -> Bool {
        still = StillParts(length: 0)
        return false
    }
}
