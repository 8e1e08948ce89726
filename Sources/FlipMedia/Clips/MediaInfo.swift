import FlipBase

/// What a media file contains, as measured by reading it.
package struct MediaInfo: Sendable, Encodable {
    package var path: String
    /// libav's name of the container, such as "mov,mp4,m4a,3gp,3g2,mj2".
    package let format: String
    package let byteCount: Int
    package var video: VideoInfo?
    /// The audio tracks that are used, the main one first.
    package private(set) var audioTracks: [AudioInfo]
    /// The number of audio tracks in the file.
    package let audioTrackCount: Int
    /// Whether it is a picture that another program converts because libav can't read it.
    package var isConverted = false
    /// The subtitle streams.
    package var subtitles: [SubtitleInfo] = []
    /// The tracks of data that belong to the picture, such as the telemetry of a camera.
    package var dataTracks: [SubtitleInfo] = []
    /// The file's tags, such as "artist", that say something of the film.
    package var metadata: [String: String] = [:]
    /// The timecode of the video's first frame; nil if the file has none.
    package var timecode: Timecode?
    package let title: String?
    /// The chapters in order of time.
    package let chapters: [Chapter]
    /// The streams that are not used, each described as in "2 (subtitle, subrip)".
    package let ignoredStreams: [String]
    /// What is missing at the end of the file; nil if nothing is known to be.
    package var shortfall: Shortfall?
    /// Where the file's clock restarts; nil if it doesn't.
    package var jumps: ClockJumps?
    /// The packets of the video; nil unless they were asked for.
    package var packets: PacketIndex?
    /// What makes the file when it is first read; nil for a file that is there.
    package internal(set) var made: MadeMedia?

    private enum CodingKeys: CodingKey {
        case path, format, byteCount, audioTracks, audioTrackCount, subtitles, metadata, title, chapters, ignoredStreams
    }

    package init(
        path: String, format: String, byteCount: Int, video: VideoInfo?, audioTracks: [AudioInfo],
        audioTrackCount: Int, title: String?, chapters: [Chapter], ignoredStreams: [String]
    ) {
        (self.path, self.format, self.byteCount, self.video) = (path, format, byteCount, video)
        (self.audioTracks, self.audioTrackCount, self.title) = (audioTracks, audioTrackCount, title)
        (self.chapters, self.ignoredStreams) = (chapters, ignoredStreams)
    }
}

/// What is missing at the end of a file. Both values are nil if it breaks off in the middle of a packet.
package struct Shortfall: Sendable, Hashable {
    /// The duration in seconds that the file's header promises.
    package let promised: Rational?
    /// The duration in seconds that is there.
    package let found: Rational?

    /// The seconds by which a header may be wrong: some include the last frame's duration while others don't, and some
    /// state the longest stream of another file.
    package static let tolerance = Rational(1, 2)
}

extension MediaInfo {
    /// The main audio track: the only one in most files. Nil if there is none.
    package var audio: AudioInfo? { audioTracks.first }

    /// The same file with only audio track `index` of `audioTracks`.
    package func hearing(_ index: Int) -> MediaInfo {
        var copy = self
        copy.audioTracks = [audioTracks[index]]
        return copy
    }

    /// The file's name in messages.
    package var name: String { Self.name(of: path) }

    /// The name of a file in messages.
    package static func name(of path: String) -> String { path == "-" ? "standard input" : path }

    /// One sentence for each thing in the file that can't be used.
    /// - Parameter skipsEnd: whether the end of the video isn't used anyway.
    package func complaints(skipsEnd: Bool = false) -> [String] {
        var sentences: [String] = []
        if let shortfall, !skipsEnd {
            let known = [shortfall.promised, shortfall.found].compactMap { $0?.decimalText }
            sentences.append(
                known.count == 2
                    ? "\(name) is cut off: its header promises \(known[0]) s, but it contains only \(known[1]) s"
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

    /// The stream time in seconds from which times are counted if the file is used for its audio: that of the first
    /// frame, else of the first sample.
    package var audioOrigin: Rational { video?.start ?? audio?.start ?? .zero }
}

/// A video stream: sizes, formats and times as decoded, not as the container claims.
package struct VideoInfo: Sendable, Encodable {
    package var streamIndex: Int
    package let codec: String
    package let profile: String?
    /// The width of the first decoded frame in pixels.
    package let width: Int
    /// The height of the first decoded frame in pixels.
    package let height: Int
    /// The width of a pixel over its height (SAR); 1 if the file doesn't say.
    package let sampleAspectRatio: Rational
    package let transform: DisplayTransform
    /// The nine numbers of the display matrix that `transform` was read from; nil if it comes from elsewhere.
    package var displayMatrix: [Int32]?
    /// Whether the packets state `sampleAspectRatio` themselves, and not only the container.
    package var codecStatesAspect = true
    /// The width as shown, in square pixels: the aspect ratio scales the coded width, then the frame is rotated.
    package let displayWidth: Int
    /// The height as shown, in square pixels.
    package let displayHeight: Int
    package let pixelFormat: PixelFormat
    package let color: ColorDescription
    /// The name, as shown to users, of a color profile that `color` can't express; nil if there is none.
    package var unknownProfile: String?
    /// The name of a color profile from which pictures are converted to sRGB when they are read; nil if there is none.
    package var changedProfile: String?
    /// What the container says of pictures that surround the viewer or hold a view for each eye; nil if it says nothing.
    package var projection: Projection?
    /// What the container says of Dolby Vision; nil if it says nothing.
    package var dolbyVision: DolbyVision?
    /// The kinds of dynamic metadata that the first frame has.
    package var dynamicMetadata: Set<FrameMetadata> = []
    package let hdr: HDRMetadata?
    /// Frames per second: exact if the rate is constant, else the rate that suits the frame times best, 1...120.
    package let frameRate: Rational
    package let isVariableFrameRate: Bool
    package let isInterlaced: Bool
    /// The order of the fields if the first frame is flagged as interlaced; nil otherwise.
    package var fieldOrder: FieldOrder?
    /// libav's number for the order in which the file says that fields are coded and shown; 0 if it doesn't say.
    package var statedFields: UInt32 = 0
    /// The number of frames that are shown, at least 1.
    package var frameCount: Int
    /// The number of frames that are not shown because others have the same times.
    package var hiddenFrames = 0
    /// The times at which frames are shown, in ticks after the first; nil at a constant frame rate and for live clips.
    package var unevenTimes: [Int]?
    /// The stream's time base: the seconds of a tick.
    package var timeBase = Rational(1)
    /// The stream time in seconds at which the first frame is shown.
    package var start: Rational
    /// Seconds from the first frame's time to the end of the last frame; above 0.
    package var duration: Rational
    /// Whether it is a picture, which may be shown for any time, rather than a video of one frame.
    package let isStill: Bool
    /// The keyframes at which decoding can begin, in order of time; empty if the file can only be read from its start.
    package var seekPoints: [SeekPoint]
    /// Whether frames decode completely right from each seek point; otherwise its first ones may be incomplete.
    package var hasCleanSeekPoints = false

    private enum CodingKeys: CodingKey {
        case streamIndex, codec, profile, width, height, sampleAspectRatio, transform, displayWidth, displayHeight
        case pixelFormat, hdr, frameRate, isVariableFrameRate, isInterlaced, frameCount, start, duration, isStill, color
    }

    package init(
        streamIndex: Int, codec: String, profile: String?, width: Int, height: Int, sampleAspectRatio: Rational,
        transform: DisplayTransform, displayWidth: Int, displayHeight: Int, pixelFormat: PixelFormat,
        color: ColorDescription, hdr: HDRMetadata?, frameRate: Rational, isVariableFrameRate: Bool, isInterlaced: Bool,
        frameCount: Int, start: Rational, duration: Rational, isStill: Bool, seekPoints: [SeekPoint]
    ) {
        (self.streamIndex, self.codec, self.profile, self.width) = (streamIndex, codec, profile, width)
        (self.height, self.sampleAspectRatio, self.transform) = (height, sampleAspectRatio, transform)
        (self.displayWidth, self.displayHeight, self.pixelFormat) = (displayWidth, displayHeight, pixelFormat)
        (self.color, self.hdr, self.frameRate, self.isVariableFrameRate) = (color, hdr, frameRate, isVariableFrameRate)
        (self.isInterlaced, self.frameCount, self.start, self.duration) = (isInterlaced, frameCount, start, duration)
        (self.isStill, self.seekPoints) = (isStill, seekPoints)
    }
}

/// An audio stream.
package struct AudioInfo: Sendable, Encodable {
    package let streamIndex: Int
    package let codec: String
    /// Samples per second, above 0.
    package let sampleRate: Int
    package let channels: Int
    /// libav's name of the channel layout, such as "stereo" or "5.1".
    package let layout: String
    /// Whether samples are stored losslessly with more than 16 bits.
    package var isDeep = false
    /// The bits per second that the packets or the container state; nil if neither does.
    package var bitRate: Int?
    /// The stream time of the first sample in seconds; nil if the file doesn't say.
    package let start: Rational?
    /// The audio's packets, if they can be copied; nil otherwise.
    package var coded: CodedAudio?
    package let tags: TrackTags

    private enum CodingKeys: CodingKey { case streamIndex, codec, sampleRate, channels, layout, start, tags }

    package init(
        streamIndex: Int, codec: String, sampleRate: Int, channels: Int, layout: String, start: Rational?,
        tags: TrackTags = TrackTags()
    ) {
        (self.streamIndex, self.codec, self.sampleRate, self.channels) = (streamIndex, codec, sampleRate, channels)
        (self.layout, self.start, self.tags) = (layout, start, tags)
    }
}
