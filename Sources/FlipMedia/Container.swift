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
    package let holdsChapters: Bool
    /// For the muxer.
    let options: [(String, String)]

    /// For the muxer where it can't go back in what it wrote.
    var streamedOptions: [(String, String)] {
        priming == .editList ? [("movflags", "+frag_keyframe+delay_moov+default_base_moof")] : options
    }

    package var supportsAudio: Bool { defaultAudioCodec != nil }

    init(
        _ name: String, _ extensions: [String], video: String, audio: String? = nil, priming: Priming = .none,
        storesDecodingTimes: Bool = true, chapters: Bool = false,
        options: [(String, String)] = []
    ) {
        self.name = name
        self.extensions = extensions
        defaultVideoCodec = video
        defaultAudioCodec = audio
        self.priming = priming
        self.storesDecodingTimes = storesDecodingTimes
        holdsChapters = chapters
        self.options = options
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
        Container("nut", ["nut"], video: "libx264", audio: "flac", storesDecodingTimes: false, chapters: true),
        Container("avi", ["avi"], video: "mpeg4", audio: "pcm_s16le", storesDecodingTimes: false),
        Container("yuv4mpegpipe", ["y4m"], video: "wrapped_avframe", options: [("strict", "-1")]),
        Container("gif", ["gif"], video: "gif"),
        Container("apng", ["apng"], video: "apng"),
        // Pictures: what is written is one frame after another.
        Container("image2pipe", ["png"], video: "png"),
        Container("image2pipe", ["jpg", "jpeg"], video: "mjpeg"),
        Container("image2pipe", ["bmp"], video: "bmp"),
        Container("image2pipe", ["ppm"], video: "ppm"),
        Container("rawvideo", ["yuv", "raw"], video: "rawvideo"),
    ]

    /// The row for a path's extension, in any case.
    package static func forPath(_ path: String) -> Container? {
        let file = path.split(separator: "/").last ?? ""
        guard let dot = file.lastIndex(of: ".") else { return nil }
        return named(file[file.index(after: dot)...].lowercased(), byExtension: true)
    }

    /// The row for a muxer's name or an extension.
    package static func named(_ name: String) -> Container? {
        all.first { $0.name == name } ?? named(name, byExtension: true)
    }

    private static func named(_ name: String, byExtension: Bool) -> Container? {
        all.first { $0.extensions.contains(name) }
    }
}
