import FlipGeometry
import FlipMedia

/// What was asked: clips one after another, how each is joined to the next, and the output. A value; nothing has been
/// opened yet.
package struct Composition: Sendable {
    /// The clips, one or more.
    package var inputs: [ClipSpec]
    package var reading: InputSettings
    /// The first serves the first join, and so on; the last serves all further joins. Not empty.
    package var transitions: [TransitionSpec]
    /// Audio besides that of the clips.
    package var sounds: [SoundSpec] = []
    package var output: OutputSettings
    /// Files besides clips and sounds that the output must not replace, such as the one that this was read from.
    package var sources: [String] = []
    /// What of the files that describe it is left out or done differently, a sentence each. They become warnings of the plan.
    package var notes: [String] = []
    /// Whether what would be a warning is an error.
    package var isStrict = false

    package init(
        inputs: [ClipSpec], reading: InputSettings = InputSettings(), transitions: [TransitionSpec],
        output: OutputSettings
    ) {
        self.inputs = inputs
        self.reading = reading
        self.transitions = transitions
        self.output = output
    }

    /// All that it reads, by path.
    package var files: [String] { inputs.filter { !$0.isBlank }.map(\.path) + sounds.map(\.path) + sources }

    /// What was asked of the join after clip `index`.
    func transition(afterClip index: Int) -> TransitionSpec { transitions[min(index, transitions.count - 1)] }
}

/// How inputs are read.
package struct InputSettings: Sendable {
    /// Of stills that don't say themselves.
    package var stillDuration = TransitionDuration.seconds(Rational(3))
    /// Counted from 1; nil is each clip's default track.
    package var audioTrack: Int?
    package var deinterlaces = true
    /// Whether a first clip that comes through a pipe is passed on as it comes, where that can be.
    package var passesOn = false

    package init() {}
}

/// What was asked of the output; nil is left to the first clip, the container or the codec.
package struct OutputSettings: Sendable {
    package var path: String
    /// Muxer name; nil goes by the path's extension.
    package var format: String?
    /// Whether one frame is all that is written.
    package var isStill = false
    package var size: (width: Int, height: Int)?
    /// Where there is no size: the width of frames in the first clip's shape, 2...16384 pixels.
    package var width: Int?
    package var frameRate: Rational?
    package var fit = VideoConform.Fit.pad
    /// Behind the pages, and around clips of another shape.
    /// Nil is black, or transparent where the output has alpha.
    package var background: Color?
    package var videoCodec: String?
    package var crf: Double?
    /// Bits a second.
    package var videoBitrate: Int?
    package var preset: String?
    package var pixelFormat: PixelFormat?
    /// Passed to the encoder as they are.
    package var videoOptions: [(key: String, value: String)] = []
    package var audioCodec: String?
    /// Bits a second.
    package var audioBitrate: Int?
    package var hasAudio = true
    package var audioCurve = AudioCurve.equalPower
    package var render = RenderMode.full
    package var segments = SegmentChoice.off
    package var holds = HoldTiming.cfr
    /// Whether each clip begins a chapter.
    package var marksClips = false
    /// Threads to render with and to ask of the codecs.
    package var threads = 1
    /// Whether an existing output may be replaced.
    package var overwrites = false

    package init(path: String) { self.path = path }
}

/// How a picture that stays for many frames is written.
package enum HoldTiming: String, Sendable, CaseIterable, Codable {
    /// As that many frames: a constant frame rate.
    case cfr
    /// As one frame that lasts as long, where one can go to.
    case vfr
}
