import CLibav

/// A kind of output file: one row of a table.
package struct Container: Sendable {
    /// How it says that the first samples of an audio encoder are not to be heard.
    enum Priming {
        /// In an edit list (ISO/IEC 14496-12 8.6.6).
        case editList
        /// In Matroska's CodecDelay; the end is trimmed by DiscardPadding.
        case codecDelay
        /// It cannot say so.
        case none
    }

    /// libav's muxer.
    package let name: String
    /// Without the dot; the first is the usual one.
    package let extensions: [String]
    /// libav's encoder.
    package let defaultVideoCodec: String
    /// Nil when the container takes no sound.
    package let defaultAudioCodec: String?
    let priming: Priming
    /// Whether it stores when packets are decoded; without, B-frames would come back with other times.
    let storesDecodingTimes: Bool
    /// Whether a file of it is one picture, so that a film is a sequence of files.
    package let isPicture: Bool
    /// Whether nothing in the file says what is in it, so that it is always the same codec.
    let holdsOneCodec: Bool
    /// Whether it can be written from front to end, as to standard output.
    package let isStreamable: Bool
    package let holdsChapters: Bool
    /// libav's names of the codecs that its readers know; nil where the muxer says it.
    let knownCodecs: [String]?
    /// Whether a frame may last for any time.
    package var storesLongFrames: Bool { priming != .none }
    /// For the muxer.
    let options: [(String, String)]

    /// For the muxer where it can't go back in what it wrote.
    var streamedOptions: [(String, String)] {
        priming == .editList ? [("movflags", "+frag_keyframe+delay_moov+default_base_moof")] : options
    }

    /// Whether the encoder's priming is written before the picture begins: decoders need it for the first samples, and the clock
    /// begins early enough.
    var keepsPriming: Bool { name == "mpegts" }

    /// Whether sound may begin anywhere before the output does, so that the output begins within a packet.
    package var saysWhereSoundBegins: Bool { priming == .editList }

    package var supportsAudio: Bool { defaultAudioCodec != nil }

    init(
        _ name: String, _ extensions: [String], video: String, audio: String? = nil, priming: Priming = .none,
        storesDecodingTimes: Bool = true, isPicture: Bool = false, holdsOneCodec: Bool = false,
        isStreamable: Bool = true, chapters: Bool = false, knownCodecs: [String]? = nil,
        options: [(String, String)] = []
    ) {
        self.name = name
        self.extensions = extensions
        defaultVideoCodec = video
        defaultAudioCodec = audio
        self.priming = priming
        self.storesDecodingTimes = storesDecodingTimes
        self.isPicture = isPicture
        self.holdsOneCodec = holdsOneCodec || isPicture
        self.isStreamable = isStreamable
        holdsChapters = chapters
        self.knownCodecs = knownCodecs
        self.options = options
    }

    /// One picture a file, or one after another in a stream.
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
        // Clocks begin early enough for whatever is decoded before it is shown.
        Container(
            "mpegts", ["ts"], video: "libx264", audio: "aac",
            knownCodecs: [
                "mpeg1video", "mpeg2video", "mpeg4", "h264", "hevc", "mp2", "mp3", "aac", "ac3", "eac3", "opus",
            ],
            options: [("max_delay", "700000")]),
        Container("nut", ["nut"], video: "libx264", audio: "flac", storesDecodingTimes: false, chapters: true),
        Container("avi", ["avi"], video: "mpeg4", audio: "pcm_s16le", storesDecodingTimes: false),
        Container("yuv4mpegpipe", ["y4m"], video: "wrapped_avframe", options: [("strict", "-1")]),
        // Animations are repeated for ever.
        Container("gif", ["gif"], video: "gif", holdsOneCodec: true),
        Container("webp", ["webp"], video: "libwebp_anim", holdsOneCodec: true, options: [("loop", "0")]),
        // The number of frames comes first in APNG.
        Container(
            "apng", ["apng"], video: "apng", holdsOneCodec: true, isStreamable: false, options: [("plays", "0")]),
        picture(["png"], "png"),
        picture(["jpg", "jpeg"], "mjpeg"),
        picture(["tiff", "tif"], "tiff"),
        picture(["bmp"], "bmp"),
        picture(["ppm"], "ppm"),
        picture(["dpx"], "dpx"),
        picture(["webp"], "libwebp"),
        Container("rawvideo", ["yuv", "raw"], video: "rawvideo", holdsOneCodec: true),
        // A hash of each frame's samples and of each block of sound, to compare runs by.
        Container("framemd5", ["framemd5"], video: "rawvideo", audio: "pcm_s16le"),
    ]

    /// The row for a path's extension, in any case; for the names of a sequence, one of pictures.
    package static func forPath(_ path: String) -> Container? {
        let file = path.split(separator: "/").last ?? ""
        guard let dot = file.lastIndex(of: ".") else { return nil }
        let ending = file[file.index(after: dot)...].lowercased()
        let rows = all.filter { $0.extensions.contains(ending) }
        return (FrameNames(path) == nil ? nil : rows.first(where: \.isPicture)) ?? rows.first
    }

    /// The row for a muxer's name or an extension.
    package static func named(_ name: String) -> Container? {
        all.first { $0.name == name } ?? all.first { $0.extensions.contains(name) }
    }
}
