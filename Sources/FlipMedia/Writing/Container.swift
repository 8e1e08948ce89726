import CLibav
import FlipBase
import FlipFiles

/// A kind of output file: a muxer with its file name extensions and defaults.
package struct Container: Sendable {
    /// How the container states the priming: the encoder's first samples of audio, which must not be heard.
    package enum Priming {
        /// In an edit list (ISO/IEC 14496-12 8.6.6).
        case editList
        /// In Matroska's CodecDelay; the end is trimmed by DiscardPadding.
        case codecDelay
        /// The container can't state it.
        case none
    }

    /// libav's name of the muxer.
    package let name: String
    /// The file name extensions without the dot; the first is the default.
    package let extensions: [String]
    /// libav's name of the default video encoder.
    package let defaultVideoCodec: String
    /// libav's name of the default audio encoder; nil when the container holds no audio.
    package let defaultAudioCodec: String?
    package let priming: Priming
    /// Whether the container stores DTS. Without them, B-frames would come back with other times.
    package let storesDecodingTimes: Bool
    /// Whether a file holds only one picture, so that a video is a sequence of files.
    package let isPicture: Bool
    /// Whether nothing in the file names its codec, so that it is always the default one.
    package let holdsOneCodec: Bool
    /// Whether a file can be written from front to back without seeking, as to standard output.
    package let isStreamable: Bool
    package let holdsChapters: Bool
    /// libav's names of the codecs that demuxers recognize in the container; nil where the muxer refuses all others.
    package let knownCodecs: [String]?
    /// Whether a frame can be stored with any duration.
    package var storesLongFrames: Bool { priming != .none }
    /// Whether a file states the PTS of every frame, and can be read from any keyframe on.
    package var storesPresentationTimes: Bool { priming != .none || name == "mpegts" }
    /// The muxer's options.
    package let options: [(String, String)]

    /// The muxer's options where it can't seek in the output.
    package var streamedOptions: [(String, String)] {
        priming == .editList ? [("movflags", "+frag_keyframe+delay_moov+default_base_moof")] : options
    }

    /// Whether the file states when each packet of audio is heard.
    package var timesAudio: Bool { priming != .none || isProgram }

    /// Whether packets of audio that begin before the output does are written: those with the encoder's priming, which
    /// decoders need for the first samples. Older Matroska muxers state the priming of Opus only, and the clock of
    /// MPEG-2 systems begins early enough for it.
    package func storesPriming(of codec: String) -> Bool {
        switch priming {
        case .editList: true
        case .codecDelay: codec == "opus" || flip_matroska_applies_codec_delay() != 0
        case .none: isProgram
        }
    }

    /// Whether it is a stream of MPEG-2 systems (ISO/IEC 13818-1).
    private var isProgram: Bool { name == "mpegts" || name == "vob" }

    /// Whether it states how pictures are mirrored and turned.
    package var statesTurns: Bool { priming == .editList || name == "matroska" && flip_matroska_writes_turns() != 0 }

    /// Whether libav's muxer writes what makes players take the video for Dolby Vision.
    package var statesDolbyVision: Bool { ["mp4", "matroska"].contains(name) }

    /// Whether libav's muxer writes how pictures surround the viewer.
    package var statesProjections: Bool { ["mp4", "matroska", "webm"].contains(name) }

    /// Whether it states the shape of pixels, apart from what the packets state.
    package var statesAspect: Bool { !isProgram }

    /// Whether the audio may begin any time before the output does, so that the output begins within an audio packet.
    package var allowsEarlyAudio: Bool { priming == .editList }

    package var supportsAudio: Bool { defaultAudioCodec != nil }

    init(
        _ name: String, _ extensions: [String], video: String, audio: String? = nil, priming: Priming = .none,
        storesDecodingTimes: Bool = true, isPicture: Bool = false, holdsOneCodec: Bool = false,
        isStreamable: Bool = true, chapters: Bool = false, knownCodecs: [String]? = nil,
        options: [(String, String)] = []
    ) {
        (self.name, self.extensions) = (name, extensions)
        defaultVideoCodec = video
        defaultAudioCodec = audio
        (self.priming, self.storesDecodingTimes, self.isPicture) = (priming, storesDecodingTimes, isPicture)
        self.holdsOneCodec = holdsOneCodec || isPicture
        self.isStreamable = isStreamable
        holdsChapters = chapters
        (self.knownCodecs, self.options) = (knownCodecs, options)
    }

    /// A container of one picture per file, or of pictures one after another in a stream.
    private static func picture(_ extensions: [String], _ codec: String) -> Container {
        Container("image2pipe", extensions, video: codec, isPicture: true)
    }

    package static let all: [Container] = [
        Container(
            "mp4", ["mp4", "m4v"], video: "libx264", audio: "aac", priming: .editList, chapters: true,
            options: [("movflags", "+faststart")]),
        Container(
            "mov", ["mov", "qt"], video: "libx264", audio: "aac", priming: .editList, chapters: true,
            options: [("movflags", "+faststart")]),
        Container("matroska", ["mkv"], video: "libx264", audio: "libopus", priming: .codecDelay, chapters: true),
        Container("webm", ["webm"], video: "libvpx-vp9", audio: "libopus", priming: .codecDelay, chapters: true),
        // With max_delay, in microseconds, the clock begins early enough for what is decoded before it is shown.
        Container(
            "mpegts", ["ts"], video: "libx264", audio: "aac",
            knownCodecs: [
                "mpeg1video", "mpeg2video", "mpeg4", "h264", "hevc", "mp2", "mp3", "aac", "ac3", "eac3", "opus",
            ],
            options: [("max_delay", "700000")]),
        // Transport packets with time stamps, as camcorders and Blu-ray Discs have them.
        Container(
            "mpegts", ["m2ts", "mts"], video: "libx264", audio: "ac3",
            knownCodecs: ["mpeg2video", "h264", "hevc", "mp2", "aac", "ac3", "eac3"],
            options: [("max_delay", "700000"), ("mpegts_m2ts_mode", "1")]),
        Container(
            "vob", ["mpg", "mpeg", "vob"], video: "mpeg2video", audio: "mp2",
            knownCodecs: ["mpeg1video", "mpeg2video", "mp2", "ac3"], options: [("max_delay", "700000")]),
        Container("nut", ["nut"], video: "libx264", audio: "flac", storesDecodingTimes: false, chapters: true),
        Container("avi", ["avi"], video: "mpeg4", audio: "pcm_s16le", storesDecodingTimes: false),
        Container("yuv4mpegpipe", ["y4m"], video: "wrapped_avframe", options: [("strict", "-1")]),
        // Animations loop forever.
        Container("gif", ["gif"], video: "gif", holdsOneCodec: true),
        Container("webp", ["webp"], video: "libwebp_anim", holdsOneCodec: true, options: [("loop", "0")]),
        // An APNG file begins with the number of its frames.
        Container("apng", ["apng"], video: "apng", holdsOneCodec: true, isStreamable: false, options: [("plays", "0")]),
        picture(["png"], "png"),
        picture(["jpg", "jpeg"], "mjpeg"),
        picture(["tiff", "tif"], "tiff"),
        picture(["bmp"], "bmp"),
        picture(["ppm"], "ppm"),
        picture(["dpx"], "dpx"),
        picture(["webp"], "libwebp"),
        Container("rawvideo", ["yuv", "raw"], video: "rawvideo", holdsOneCodec: true),
        // A hash of each frame and of each block of audio, to compare runs by.
        Container("framemd5", ["framemd5"], video: "rawvideo", audio: "pcm_s16le"),
    ]

    /// The container for a path's extension, in upper or lower case; one of pictures where the path names a sequence of
    /// files. Nil where there is none.
    package static func forPath(_ path: String) -> Container? {
        let file = path.split(separator: "/").last ?? ""
        guard let dot = file.lastIndex(of: ".") else { return nil }
        let ending = file[file.index(after: dot)...].lowercased()
        let rows = all.filter { $0.extensions.contains(ending) }
        return (FrameNames(path) == nil ? nil : rows.first(where: \.isPicture)) ?? rows.first
    }

    /// The container for a muxer's name or an extension; nil where there is none.
    package static func named(_ name: String) -> Container? {
        all.first { $0.name == name } ?? all.first { $0.extensions.contains(name) }
    }
}

extension Container {
    /// Whether the container stores extradata apart from the packets.
    package var wantsGlobalHeaders: Bool {
        get throws(MediaError) { try Encoders.muxer(of: self).pointee.flags & AVFMT_GLOBALHEADER != 0 }
    }

    /// Whether the muxer takes the codec that libav calls `codec`, and demuxers recognize it in the file.
    package func takes(codec: String) -> Bool {
        guard let id = avcodec_descriptor_get_by_name(codec)?.pointee.id, let muxer = av_guess_format(name, nil, nil)
        else { return false }
        // The muxer of mov knows tags for these, and refuses them when it begins the file (FFmpeg 5.1 to 9.0).
        if name == "mov", ["vp8", "vp9", "av1"].contains(codec) { return false }
        // avformat_query_codec gives 0 for "no", and a negative number where the muxer does not know.
        return avformat_query_codec(muxer, id, Int32(FF_COMPLIANCE_NORMAL)) != 0
            && knownCodecs?.contains(codec) ?? true
    }
}
