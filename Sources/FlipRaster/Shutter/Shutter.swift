import FlipGeometry

/// What a renderer keeps from frame to frame to draw those that are exposed for some time (EFFECTS 3): it shows the mean of
/// evenly spaced instants.
final class Shutter {
    /// The frame in which instants are drawn.
    let frame: OwnPicture
    let sums: SampleSums
    private let stage: Stage
    /// The progress of each instant of the current exposure.
    private(set) var instants: [Double] = []
    private var scene = Scene()
    private var next = Scene()
    private var spans = SpanPlan()

    /// The parts of an exposure in which motion is measured. Within each, it is about uniform.
    private static let measuredParts = 8

    /// The distance in luma pixels by which nothing may move from one instant to the next, as far as `SampleSums.most`
    /// instants suffice for that.
    private static let step = 2.0

    init(_ layout: PixelLayout, width: Int, height: Int, stage: Stage) {
        frame = OwnPicture(layout, width: width, height: height)
        sums = SampleSums(frame)
        self.stage = stage
    }

    /// Chooses the instants of the exposure during `times`.
    ///
    /// - Parameter progress: the progress, 0...1, at a time.
    func expose(_ look: StyledLook, during times: ClosedRange<Double>, progress: (Double) -> Double) {
        func moment(_ part: Double) -> Double {
            min(max(progress(times.lowerBound + part * (times.upperBound - times.lowerBound)), 0), 1)
        }
        let count = count(look, moment)
        instants.removeAll(keepingCapacity: true)
        for index in 0..<count { instants.append(moment((Double(index) + 0.5) / Double(count))) }
    }

    /// The number of instants that an exposure takes.
    ///
    /// - Parameter moment: the progress at a part, 0...1, of it.
    private func count(_ look: StyledLook, _ moment: (Double) -> Double) -> Int {
        var farthest = 0.0
        let parts = Shutter.measuredParts
        var before = moment(0)
        scene.show(look.style, look: look.look, stage: stage, progress: before)
        for part in 1...parts {
            let progress = moment(Double(part) / Double(parts))
            if progress == before { continue }
            next.show(look.style, look: look.look, stage: stage, progress: progress)
            farthest = max(farthest, SceneMotion.distance(scene, next))
            swap(&scene, &next)
            before = progress
        }
        let wanted = (farthest * Double(parts) / Shutter.step).rounded(.up)
        return wanted < Double(SampleSums.most) ? max(Int(wanted), 1) : SampleSums.most
    }

    /// What rests during the exposure.
    func still(_ look: StyledLook) -> StillParts {
        let isHorizontal = look.look.orientation == .horizontal
        var still = StillParts(length: isHorizontal ? stage.width : stage.height)
        for progress in instants {
            if progress <= 0 || progress >= 1 {
                still.add(progress <= 0 ? .outgoing : .incoming)
            } else {
                scene.show(look.style, look: look.look, stage: stage, progress: progress)
                if scene.fade == nil, scene.bentSheet == nil || scene.bendsStraight { spans.plan(scene) }
                still.add(scene, spans)
            }
            if still.isEmpty { break }
        }
        return still
    }
}
