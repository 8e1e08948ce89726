import FlipBase
import FlipMedia
import FlipFiles
import FlipGeometry
import FlipRender
import FlipSamples

/// The file to write. Properties that are nil are determined by the first clip, the container or the codec.
public struct Output: Sendable {
    /// A frame size in pixels, each dimension 1...16384.
    public struct Size: Sendable, Hashable {
        /// The width, in pixels.
        public var width: Int
        /// The height, in pixels.
        public var height: Int

        /// A size of `width` x `height` pixels.
        public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
    }

    /// A frame rate as an exact fraction, 0.01...1000 frames per second: `FrameRate(30000, 1001)`, or just `25`.
    public struct FrameRate: Sendable, Hashable, ExpressibleByIntegerLiteral {
        /// The number of frames in `denominator` seconds.
        public var numerator: Int
        /// The number of seconds, greater than 0.
        public var denominator: Int

        /// `numerator` frames in `denominator` seconds.
        public init(_ numerator: Int, _ denominator: Int = 1) {
            (self.numerator, self.denominator) = (numerator, denominator)
        }

        /// A whole number of frames per second.
        public init(integerLiteral value: Int) { self.init(value) }
    }

    /// How clips are fitted to the frame if their aspect ratio differs from the output's.
    public enum Fit: String, Sendable, Hashable, CaseIterable {
        /// The whole picture is shown, with bars in the background color.
        case pad
        /// The picture fills the frame; what sticks out is cut off.
        case crop
        /// The picture is distorted to fill the frame.
        case stretch
        /// The whole picture is shown, in front of a blurred copy of itself that fills the frame.
        case blur
    }

    /// Which frames are encoded; the others are copied.
    public enum Rendering: String, Sendable, Hashable, CaseIterable {
        /// All frames.
        case full
        /// Only those near the transitions if clips and codec allow it; otherwise all.
        case auto
        /// Only those near the transitions; if that is not possible, it is an error.
        case smart
    }

    /// Where clips' audio lies whose packets are copied.
    public enum AudioCopying: String, Sendable, Hashable, CaseIterable {
        /// Moved as a whole to the nearest packet boundary of the output, by at most half a packet: 11 ms at 48 kHz.
        case near
        /// In its place; what lies on other boundaries is encoded.
        case exact
    }

    /// How audio is cross-faded during a transition.
    public enum AudioCurve: String, Sendable, Hashable, CaseIterable {
        /// The sum of the two powers is constant.
        case equalPower = "equal-power"
        /// The sum of the two amplitudes is constant.
        case linear
        /// A hard cut in the middle of the transition.
        case none
    }

    /// The file's path, in an existing folder. Its extension determines the container if `format` is nil.
    public var path: String
    /// FFmpeg's name of the muxer, such as `mp4`, `matroska` or `nut`.
    public var format: String?
    /// Whether an existing file may be replaced. It stays untouched until the new one is complete.
    public var overwrites = false

    /// The frame size; nil means the first video's, as displayed.
    public var size: Size?
    /// The frame rate; nil means the first video's.
    public var frameRate: FrameRate?
    /// How clips of another aspect ratio are fitted to the frame.
    public var fit = Fit.pad
    /// The color behind the pages and around clips; nil means black, or transparent if the output has alpha.
    public var background: Color?

    /// The name of a preset, `web`, `archive`, `edit` or `youtube`, for what is nil here; nil means none.
    public var presetFor: String?
    /// FFmpeg's name of the video encoder, such as `libx264`.
    public var videoCodec: String?
    /// The encoder's constant quality, 0...255; for x264 0 (best)...51, by default 18.
    public var crf: Double?
    /// The video bit rate in bits per second, 1000...2 000 000 000.
    public var videoBitrate: Int?
    /// The encoder's speed preset, such as `medium`.
    public var preset: String?
    /// FFmpeg's name of the pixel format, which must be planar, such as `yuv420p10le`.
    public var pixelFormat: String?
    /// Options that are passed to the encoder unchanged, by name.
    public var videoOptions: [String: String] = [:]

    /// Whether the output has audio, if the clips have any.
    public var hasAudio = true
    /// FFmpeg's name of the audio encoder, such as `aac`.
    public var audioCodec: String?
    /// The audio bit rate in bits per second, 1000...2 000 000 000.
    public var audioBitrate: Int?
    /// The audio's samples per second, 8000...192 000; nil means the first clip's.
    public var audioRate: Int?
    /// FFmpeg's name of the channel layout, `mono`, `stereo`, `5.1` or `7.1`; nil means the first clip's.
    public var audioLayout: String?
    /// How audio is cross-faded during a transition.
    public var audioCurve = AudioCurve.equalPower
    /// The integrated loudness in LUFS, -70 ... -5, to which the audio is brought (EBU R 128), with a true peak of at most
    /// -1 dBTP; nil to leave it as it is.
    public var loudness: Double?
    /// The integrated loudness in LUFS, -70 ... -5, to which the audio of each clip is brought before it is mixed; nil leaves it
    /// as it is. The true peak of the mix is at most -1 dBTP then.
    public var clipLoudness: Double?

    /// Which frames are encoded, and which are copied.
    public var rendering = Rendering.full
    /// Where clips' audio lies whose packets are copied; without effect if `rendering` is `full`.
    public var audioCopying = AudioCopying.near
    /// Whether each clip begins a chapter, in addition to the clips' own chapters.
    public var marksClips = false
    /// How long picture and sound fade in at the beginning; nil for not at all.
    public var fadeIn: Transition.Length?
    /// How long picture and sound fade out at the end; nil for not at all.
    public var fadeOut: Transition.Length?
    /// The color from which and to which they fade.
    public var fadeColor = Color.black
    /// The number of threads for drawing, which is also requested of the codecs, 1...256; nil means one per processor.
    public var threads: Int?

    /// An output at `path` with default values for everything else.
    public init(_ path: String) { self.path = path }
}

extension Output: ExpressibleByStringLiteral {
    /// An output at the path `value` with default values for everything else.
    public init(stringLiteral value: String) { self.init(value) }
}

extension Output {
    /// The output as the renderer takes it. Throws if a value is outside its range.
    func settings(isStill: Bool = false) throws -> OutputSettings {
        var settings = OutputSettings(path: path)
        settings.format = format
        settings.isStill = isStill
        settings.size = try size.map { size in
            try Limits.check(width: size.width, height: size.height)
            return (size.width, size.height)
        }
        settings.frameRate = try frameRate?.exact
        if let fit = VideoConform.Fit(rawValue: fit.rawValue) { settings.fit = fit }
        settings.background = background
        settings.presetFor = try presetFor.map(OutputValue.preset)
        settings.videoCodec = videoCodec
        settings.crf = try crf.map { try OutputValue.number("crf", String($0), in: 0...255) }
        settings.videoBitrate = try videoBitrate.map { try OutputValue.bits("video bitrate", String($0)) }
        settings.preset = preset
        settings.pixelFormat = try pixelFormat.map(OutputValue.pixelFormat)
        settings.videoOptions = videoOptions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        settings.hasAudio = hasAudio
        settings.audioCodec = audioCodec
        settings.audioBitrate = try audioBitrate.map { try OutputValue.bits("audio bitrate", String($0)) }
        settings.audioRate = try audioRate.map { try OutputValue.sampleRate(String($0)) }
        settings.audioLayout = try audioLayout.map(OutputValue.layout)
        if let curve = FlipSamples.AudioCurve(rawValue: audioCurve.rawValue) { settings.audioCurve = curve }
        settings.loudness = try loudness.map { try OutputValue.loudness(String($0)) }
        settings.clipLoudness = try clipLoudness.map { try OutputValue.loudness(String($0), of: "clip-loudness") }
        if let mode = RenderMode(rawValue: rendering.rawValue) { settings.render = mode }
        if let mode = AudioCopy(rawValue: audioCopying.rawValue) { settings.audioCopy = mode }
        settings.segments = .auto
        settings.marksClips = marksClips
        settings.fadeIn = try fadeIn.map { try TransitionDuration($0) }
        settings.fadeOut = try fadeOut.map { try TransitionDuration($0) }
        settings.fadeColor = fadeColor
        settings.threads = try threads.map { try OutputValue.threads(String($0)) } ?? OutputValue.defaultThreads
        settings.overwrites = overwrites
        return settings
    }
}

extension Output.FrameRate {
    fileprivate var exact: Rational {
        get throws {
            let rate = Rational(numerator, denominator)
            guard denominator > 0, rate >= Rational(1, 100), rate <= Rational(1000) else {
                throw FlipError(.usage, "invalid frame rate \(numerator)/\(denominator) (expected 0.01...1000)")
            }
            return rate
        }
    }
}
