/// What a file holds, as measured by reading it.
package struct MediaInfo: Sendable, Encodable {
    package internal(set) var path: String
    /// libav's name of the container, such as "mov,mp4,m4a,3gp,3g2,mj2".
    package let format: String
    package let byteCount: Int
    package internal(set) var video: VideoInfo?
    package let audio: AudioInfo?
    /// Audio tracks, cover art not being one.
    package let audioTrackCount: Int
    package let title: String?
    /// In order of time.
    package let chapters: [Chapter]
    /// Streams that are not used, each as "2 (subtitle, subrip)".
    package let ignoredStreams: [String]
    /// What is missing at its end; nil where nothing is known to be.
    package internal(set) var shortfall: Shortfall?
    /// Where the file's clock begins anew; nil where it doesn't.
    package internal(set) var jumps: ClockJumps?
    /// Where there is no file yet: the page that its picture is drawn from.
    package internal(set) var page: DocumentPage?
    /// Where it is still coming in: nobody can open it again.
    var live: LiveInput?

    private enum CodingKeys: CodingKey {
        case path, format, byteCount, video, audio, audioTrackCount, title, chapters, ignoredStreams, page
    }
}

/// What a file lacks at its end.
package struct Shortfall: Sendable, Hashable {
    /// Seconds that the file's header promises and that are there; nil where it breaks off in the middle of a packet.
    package let promised: Rational?
    package let found: Rational?

    /// Seconds by which a header may be wrong: some count the last frame, and some the longest stream of another file.
    static let tolerance = Rational(1, 2)
}

extension MediaInfo {
    /// As it is called in messages.
    package var name: String { path == "-" ? "standard input" : path }

    /// Whether it is used as a film that ends before the file does.
    private var skipsEnd: Bool {
        guard let video, !video.isStill else { return false }
        return video.timing == nil && video.used.end < video.duration
    }

    /// What of the file can't be used, a sentence each.
    package var complaints: [String] {
        var sentences: [String] = []
        if let shortfall, !skipsEnd {
            let known = [shortfall.promised, shortfall.found].compactMap { $0?.decimalText }
            sentences.append(
                known.count == 2
                    ? "\(name) is cut off: of the \(known[0]) s that its header promises, \(known[1]) s are there"
                    : "\(name) is cut off: it ends in the middle of a frame or packet")
        }
        if let video, video.hiddenFrames > 0 {
            let all = video.frameCount + video.hiddenFrames
            sentences.append(
                "\(name): \(video.hiddenFrames) of its \(all) frames \(video.hiddenFrames == 1 ? "is" : "are") left out, since "
                    + "others have the same times")
        }
        return sentences
    }

    /// Seconds of stream time from which times in the file are counted when it is used for its audio: the first frame's, or
    /// else the first sample's.
    package var audioOrigin: Rational { video?.start ?? audio?.start ?? .zero }
}

/// A video stream: sizes, formats and times as decoded, not as the container claims.
package struct VideoInfo: Sendable, Encodable {
    package internal(set) var streamIndex: Int
    package let codec: String
    package let profile: String?
    /// Pixels of the first decoded frame.
    package let width: Int
    package let height: Int
    /// Width of a pixel over its height; 1 when the file does not say.
    package let sampleAspectRatio: Rational
    package let transform: DisplayTransform
    /// Square pixels as shown, after the aspect ratio (which scales the width) and then the rotation.
    package let displayWidth: Int
    package let displayHeight: Int
    package let pixelFormat: PixelFormat
    package let colour: ColorDescription
    /// The name of an ICC profile, in quotation marks, that `colour` can't express.
    package internal(set) var unknownProfile: String?
    /// What frames are told beside their samples that no output has.
    package internal(set) var lostMetadata: Set<FrameMetadata> = []
    package let hdr: HDRMetadata?
    /// Frames a second: exact at a constant rate, else the standard rate nearest to the usual step, 1...120.
    package let frameRate: Rational
    package let isVariableFrameRate: Bool
    package let isInterlaced: Bool
    /// Frames that are shown, at least 1.
    package internal(set) var frameCount: Int
    /// Frames that are not shown because others have the same times.
    package internal(set) var hiddenFrames = 0
    /// Where the frame rate is variable, when each frame is shown: ticks after the first.
    var unevenTimes: [Int]?
    /// Seconds of such a tick.
    var timeBase = Rational(1)
    /// Seconds of stream time at which the first frame is shown.
    package internal(set) var start: Rational
    /// Seconds from the first frame's time to the end of the last frame; above 0.
    package internal(set) var duration: Rational
    /// Whether it is a picture rather than a film of one frame: it may be shown for any time.
    package let isStill: Bool
    /// What of it is used; a still's may be longer than its `duration`.
    package internal(set) var used: TimeSpan
    /// Where a timeline says exactly what is shown when.
    package internal(set) var timing: ClipTiming?
    /// Where decoding can begin, in order of time; none where the file can only be read from its start.
    var seekPoints: [SeekPoint]
    /// Whether frames are whole from each of them on.
    var hasCleanSeekPoints = false

    private enum CodingKeys: CodingKey {
        case streamIndex, codec, profile, width, height, sampleAspectRatio, transform, displayWidth, displayHeight
        case pixelFormat, colour, hdr, frameRate, isVariableFrameRate, isInterlaced, frameCount, start, duration,
            isStill
        case used
    }

    init(
        streamIndex: Int, codec: String, profile: String?, width: Int, height: Int, sampleAspectRatio: Rational,
        transform: DisplayTransform, displayWidth: Int, displayHeight: Int, pixelFormat: PixelFormat,
        colour: ColorDescription, hdr: HDRMetadata?, frameRate: Rational, isVariableFrameRate: Bool, isInterlaced: Bool,
        frameCount: Int,
        start: Rational, duration: Rational, isStill: Bool, seekPoints: [SeekPoint]
    ) {
        self.streamIndex = streamIndex
        self.codec = codec
        self.profile = profile
        self.width = width
        self.height = height
        self.sampleAspectRatio = sampleAspectRatio
        self.transform = transform
        self.displayWidth = displayWidth
        self.displayHeight = displayHeight
        self.pixelFormat = pixelFormat
        self.colour = colour
        self.hdr = hdr
        self.frameRate = frameRate
        self.isVariableFrameRate = isVariableFrameRate
        self.isInterlaced = isInterlaced
        self.frameCount = frameCount
        self.start = start
        self.duration = duration
        self.isStill = isStill
        self.seekPoints = seekPoints
        used = TimeSpan(duration: duration)
    }
}

/// An audio stream.
package struct AudioInfo: Sendable, Encodable {
    package let streamIndex: Int
    package let codec: String
    /// Samples a second, above 0.
    package let sampleRate: Int
    package let channels: Int
    /// libav's name, such as "stereo", "5.1".
    package let layout: String
    /// Seconds of stream time of the first sample, when the file says.
    package let start: Rational?
    /// Its packets, where they can be taken over.
    package internal(set) var coded: CodedSound?

    private enum CodingKeys: CodingKey { case streamIndex, codec, sampleRate, channels, layout, start }

    package init(
        streamIndex: Int, codec: String, sampleRate: Int, channels: Int, layout: String, start: Rational?
    ) {
        self.streamIndex = streamIndex
        self.codec = codec
        self.sampleRate = sampleRate
        self.channels = channels
        self.layout = layout
        self.start = start
    }
}
