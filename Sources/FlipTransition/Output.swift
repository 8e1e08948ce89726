import FlipGeometry
import FlipMedia
import FlipRender

/// The file that is written. What is nil is left to the first clip, the container or the codec.
public struct Output: Sendable {
    /// Pixels, each 1...16384.
    public struct Size: Sendable, Hashable {
        /// Pixels across.
        public var width: Int
        /// Pixels down.
        public var height: Int

        /// A size of `width` x `height` pixels.
        public init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// Frames a second as an exact fraction, 0.01...1000: `FrameRate(30000, 1001)`, or just `25`.
    public struct FrameRate: Sendable, Hashable, ExpressibleByIntegerLiteral {
        /// Frames in `denominator` seconds.
        public var numerator: Int
        /// Seconds, greater than 0.
        public var denominator: Int

        /// `numerator` frames in `denominator` seconds.
        public init(_ numerator: Int, _ denominator: Int = 1) {
            self.numerator = numerator
            self.denominator = denominator
        }

        /// Whole frames a second.
        public init(integerLiteral value: Int) { self.init(value) }
    }

    /// What becomes of clips of another shape than the output's.
    public enum Fit: String, Sendable, Hashable, CaseIterable {
        /// The whole picture, with bars of the background beside it.
        case pad
        /// The picture fills the frame; what sticks out is cut off.
        case crop
        /// The picture is distorted to fill the frame.
        case stretch
    }

    /// What is encoded of the clips.
    public enum Rendering: String, Sendable, Hashable, CaseIterable {
        /// All of them.
        case full
        /// Only near the transitions, where clips and codec allow it; otherwise all.
        case auto
        /// Only near the transitions; where that can't be, it is an error.
        case smart
    }

    /// How sound changes over during a transition.
    public enum AudioCurve: String, Sendable, Hashable, CaseIterable {
        /// The sum of the two powers stays the same.
        case equalPower = "equal-power"
        /// The sum of the two amplitudes stays the same.
        case linear
        /// A hard cut in the middle.
        case none
    }

    /// Where the file goes, in a folder that is there. Its ending says which container it is, where `format` doesn't.
    public var path: String
    /// FFmpeg's name of a muxer, such as `mp4`, `matroska` or `nut`.
    public var format: String?
    /// Whether a file that is there already may be replaced. It stays untouched until the new one is complete.
    public var overwrites = false

    /// Nil is the first film's, as it is shown.
    public var size: Size?
    /// Nil is the first film's.
    public var frameRate: FrameRate?
    /// What becomes of clips of another shape.
    public var fit = Fit.pad
    /// Behind the pages and around clips; nil is black, or transparent where the output has alpha.
    public var background: Color?

    /// FFmpeg's name of an encoder, such as `libx264`.
    public var videoCodec: String?
    /// The encoder's constant quality, 0...255; for x264 0 (best)...51, 18 unless set.
    public var crf: Double?
    /// Bits a second, 1000...2 000 000 000.
    public var videoBitrate: Int?
    /// The encoder's speed preset, such as `medium`.
    public var preset: String?
    /// FFmpeg's name of a planar pixel format, such as `yuv420p10le`.
    public var pixelFormat: String?
    /// Options that the encoder takes as they are, by name.
    public var videoOptions: [String: String] = [:]

    /// Whether there is sound, where the clips have some.
    public var hasAudio = true
    /// FFmpeg's name of an encoder, such as `aac`.
    public var audioCodec: String?
    /// Bits a second, 1000...2 000 000 000.
    public var audioBitrate: Int?
    /// How sound changes over during a transition.
    public var audioCurve = AudioCurve.equalPower

    /// What is encoded, and what is taken over as it is.
    public var rendering = Rendering.full
    /// Whether each clip begins a chapter, beside its own.
    public var marksClips = false
    /// Threads to draw with and to ask of the codecs, 1...256; nil is one a processor.
    public var threads: Int?

    /// A file at `path` with everything as usual.
    public init(_ path: String) { self.path = path }
}

extension Output: ExpressibleByStringLiteral {
    /// An output at the path `value` with everything else as usual.
    public init(stringLiteral value: String) { self.init(value) }
}

extension Output {
    /// Throws `FlipError` where a value is outside its range.
    func settings(isStill: Bool = false) throws -> OutputSettings {
        var settings = OutputSettings(path: path)
        settings.format = format
        settings.isStill = isStill
        settings.size = try size.map { size in
            guard (1...16384).contains(size.width), (1...16384).contains(size.height) else {
                throw FlipError(.usage, "invalid size \(size.width)x\(size.height) (expected 1...16384 pixels a side)")
            }
            return (size.width, size.height)
        }
        settings.frameRate = try frameRate?.exact
        if let fit = VideoConform.Fit(rawValue: fit.rawValue) { settings.fit = fit }
        settings.background = background
        settings.videoCodec = videoCodec
        settings.crf = try crf.map { try OutputValue.number("crf", String($0), in: 0...255) }
        settings.videoBitrate = try videoBitrate.map { try OutputValue.bits("video bitrate", String($0)) }
        settings.preset = preset
        settings.pixelFormat = try pixelFormat.map(OutputValue.pixelFormat)
        settings.videoOptions = videoOptions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        settings.hasAudio = hasAudio
        settings.audioCodec = audioCodec
        settings.audioBitrate = try audioBitrate.map { try OutputValue.bits("audio bitrate", String($0)) }
        if let curve = FlipRender.AudioCurve(rawValue: audioCurve.rawValue) { settings.audioCurve = curve }
        if let mode = RenderMode(rawValue: rendering.rawValue) { settings.render = mode }
        settings.segments = .auto
        settings.marksClips = marksClips
        settings.threads = try threads.map { try OutputValue.threads(String($0)) } ?? OutputValue.usualThreads
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
