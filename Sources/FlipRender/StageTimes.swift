import FlipMedia

/// What the stages of a run are charged to. Clips of one kind share their clocks.
struct StageClocks: Sendable {
    /// Processor time of the process before the run: start-up and planning.
    let planningSeconds = StageClock.processSeconds
    let rendering = StageClock()
    let writing = WritingClocks()
    /// By kind of clip, in the order of the inputs.
    let kinds: [(name: String, clocks: ReadingClocks)]
    private let kindOfClip: [Int]

    init(_ plan: RenderPlan) {
        var kinds: [(name: String, clocks: ReadingClocks)] = []
        var places: [String: Int] = [:]
        kindOfClip = plan.clips.map { clip in
            let video = clip.video
            let name = "\(video.codec) \(video.width)x\(video.height) \(video.pixelFormat)"
            if let place = places[name] { return place }
            places[name] = kinds.count
            kinds.append((name, ReadingClocks()))
            return kinds.count - 1
        }
        self.kinds = kinds
    }

    /// For the frames of clip `index`.
    func reading(_ index: Int) -> ReadingClocks { kinds[kindOfClip[index]].clocks }
}

/// What the stages of a run took. They run at the same time, so their wall seconds add up to more than the run's, and
/// waiting for a codec's inner threads is part of its stage's. Processor seconds add up to the process's.
package struct StageTimes: Encodable, Sendable {
    struct Stage: Encodable {
        var wallSeconds = 0.0
        var processorSeconds = 0.0
        /// Frames that went through; packets of demuxing and muxing; nil where nothing is counted.
        var count: Int?

        init(_ clocks: [StageClock], isCounted: Bool = true) {
            for clock in clocks {
                wallSeconds += clock.wallSeconds
                processorSeconds += clock.processorSeconds
            }
            count = isCounted ? clocks.reduce(0) { $0 + $1.count } : nil
        }
    }

    /// Reading the clips of one codec, size and format.
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
    /// Reading, mixing and encoding sound.
    let audio: Stage
    let muxing: Stage
    /// The first three by kind of clip.
    let kinds: [Kind]
    /// Start-up and planning.
    let planningProcessorSeconds: Double
    /// The inner threads of codecs, scaler and rasterizer, and all that belongs to no stage.
    let innerThreadsProcessorSeconds: Double

    /// - Parameter processorSeconds: of the whole process.
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
