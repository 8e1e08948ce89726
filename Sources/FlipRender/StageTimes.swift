import FlipFiles

/// The clocks that the stages of a run are charged to. Clips of the same kind share their clocks.
struct StageClocks: Sendable {
    /// Processor time of the process before the run, that is of start-up and planning.
    let planningSeconds = StageClock.processSeconds
    let rendering = StageClock()
    let writing = WritingClocks()
    /// The clocks for each kind of clip (codec, size and pixel format), in the order of the inputs.
    let kinds: [(name: String, clocks: ReadingClocks)]
    private let kindOfClip: [Int]

    init(_ plan: RenderPlan) {
        var kinds: [(name: String, clocks: ReadingClocks)] = []
        var indices: [String: Int] = [:]
        kindOfClip = plan.clips.map { clip in
            let name = clip.video.map { "\($0.codec) \($0.width)x\($0.height) \($0.pixelFormat)" } ?? "gap"
            if let index = indices[name] { return index }
            indices[name] = kinds.count
            kinds.append((name, ReadingClocks()))
            return kinds.count - 1
        }
        self.kinds = kinds
    }

    /// The clocks for reading the frames of clip `index`.
    func reading(_ index: Int) -> ReadingClocks { kinds[kindOfClip[index]].clocks }
}

/// How long the stages of a run took. They run at the same time, so their wall-clock times add up to more than the
/// run's; waiting for a codec's internal threads counts toward its stage. Processor times add up to the process's.
package struct StageTimes: Encodable, Sendable {
    struct Stage: Encodable {
        var wallSeconds = 0.0
        var processorSeconds = 0.0
        /// The number of frames processed, or of packets for demuxing and muxing; nil if nothing is counted.
        var count: Int?

        init(_ clocks: [StageClock], isCounted: Bool = true) {
            for clock in clocks {
                wallSeconds += clock.wallSeconds
                processorSeconds += clock.processorSeconds
            }
            count = isCounted ? clocks.reduce(0) { $0 + $1.count } : nil
        }
    }

    /// The times for reading the clips of one codec, size and pixel format.
    struct Kind: Encodable {
        let kind: String
        let demuxing: Stage
        let decoding: Stage
        let conforming: Stage

        init(_ name: String, _ clocks: [ReadingClocks]) {
            kind = name
            demuxing = Stage(clocks.map(\.demuxing))
            decoding = Stage(clocks.map(\.decoding))
            conforming = Stage(clocks.map(\.conforming))
        }
    }

    let demuxing: Stage
    let decoding: Stage
    let conforming: Stage
    let rendering: Stage
    let encoding: Stage
    /// Reading, mixing and encoding audio.
    let audio: Stage
    let muxing: Stage
    /// Demuxing, decoding and conforming for each kind of clip.
    let kinds: [Kind]
    /// Processor time of start-up and planning.
    let planningProcessorSeconds: Double
    /// Processor time of the internal threads of codecs, scaler and rasterizer, and of all that belongs to no stage.
    let innerThreadsProcessorSeconds: Double

    /// - Parameter processorSeconds: the processor time of the whole process.
    init(_ clocks: StageClocks, processorSeconds: Double) {
        let all = Kind("all", clocks.kinds.map(\.clocks))
        (demuxing, decoding, conforming) = (all.demuxing, all.decoding, all.conforming)
        kinds = clocks.kinds.map { Kind($0.name, [$0.clocks]) }
        rendering = Stage([clocks.rendering])
        encoding = Stage([clocks.writing.encoding])
        audio = Stage([clocks.writing.audio], isCounted: false)
        muxing = Stage([clocks.writing.muxing])
        planningProcessorSeconds = clocks.planningSeconds
        let stages = [demuxing, decoding, conforming, rendering, encoding, audio, muxing]
        let own = stages.reduce(0) { $0 + $1.processorSeconds }
        innerThreadsProcessorSeconds = max(0, processorSeconds - planningProcessorSeconds - own)
    }
}
