import FlipBase

/// A named bundle of output settings for a purpose. docs/OUTPUT.md has the reasons for each value.
package struct OutputPreset: Sendable {
    /// What a preset needs to know of an output.
    package struct Subject: Sendable {
        package var frameRate: Rational
        /// The width in pixels at which it would be shown without the preset.
        package var width: Int
        /// Whether the clip that the output follows is HDR.
        package var isHDR: Bool
        /// Whether the output is to keep transparency.
        package var hasAlpha: Bool
        /// libav's name of the video encoder that the user asked for; nil if none.
        package var videoCodec: String?
        /// The pixel format that the user asked for; nil if none.
        package var pixelFormat: PixelFormat?

        package init(
            frameRate: Rational, width: Int, isHDR: Bool, hasAlpha: Bool, videoCodec: String?, pixelFormat: PixelFormat?
        ) {
            (self.frameRate, self.width, self.isHDR, self.hasAlpha) = (frameRate, width, isHDR, hasAlpha)
            (self.videoCodec, self.pixelFormat) = (videoCodec, pixelFormat)
        }
    }

    /// The settings, as the options of the same names take them; nil leaves a setting as it is without the preset.
    package struct Settings: Sendable {
        package var videoCodec: String
        /// In pixels; the height follows from the aspect ratio.
        package var width: Int?
        package var frameRate: Rational?
        package var crf: Double?
        /// libav's name.
        package var pixelFormat: String?
        /// A list as `--video-options` takes it.
        package var videoOptions: String?
        /// Nil for a container without audio.
        package var audioCodec: String?
        /// In bits per second.
        package var audioBitrate: Int?
        /// In samples per second.
        package var audioRate: Int?
        package var audioLayout: String?
    }

    package let name: String
    /// What it is for and what it makes, without a period.
    package let summary: String
    /// libav's names of the muxers whose files the preset is for.
    package let containers: [String]
    /// Whether nothing that an input has is to be reduced, whichever input comes first.
    package var keepsBest = false
    /// Whether pictures are made smaller and fewer on purpose, and share one palette.
    package var isSmall = false
    /// The number of bytes that the file must not exceed, for which the quality is lowered if it has to be.
    package var sizeLimit: Int?
    /// The settings for an output. Throws `usage` if the preset can't suit it.
    package let settings: @Sendable (Subject) throws(MediaError) -> Settings

    package static let all = [web, archive, edit, youtube, gif, discord, whatsapp, email]

    /// The names as values of an option.
    package static var names: String { all.map(\.name).joined(separator: "|") }
    /// The names in a sentence.
    package static var list: String {
        all.dropLast().map(\.name).joined(separator: ", ") + " or " + (all.last?.name ?? "")
    }

    /// Throws `usage` if files of `container` are not what the preset is for.
    /// - Parameter path: the output's path, for the message.
    package func check(_ container: Container, path: String) throws(MediaError) {
        if containers.contains(container.name) { return }
        let endings = containers.compactMap(Container.named).flatMap(\.extensions).map { "." + $0 }
        throw MediaError(
            .usage,
            "\(path == "-" ? "standard output" : path): --preset-for \(name) is not for \(container.name) files "
                + "(name the output \(endings.joined(separator: " or ")), or give --format \(containers[0]))")
    }
}

extension OutputPreset {
    // The quality lies between x264's default, 23, and what is hard to tell from the source, about 18. 8 bits of 4:2:0
    // and two channels of AAC are what every browser and phone plays. 160 kbit/s is 80 for each channel.
    private static let web = OutputPreset(
        name: "web", summary: "plays in every browser and on every phone: H.264 and AAC in mp4", containers: ["mp4"],
        settings: forPlayers("web"))

    /// What plays everywhere.
    private static func forPlayers(_ name: String) -> @Sendable (Subject) throws(MediaError) -> Settings {
        { subject throws(MediaError) in
            if subject.isHDR, subject.videoCodec ?? "libx264" == "libx264", subject.pixelFormat?.depth ?? 8 == 8 {
                throw MediaError(
                    .usage,
                    "the clip that decides is HDR, which needs 10 bits, and --preset-for \(name) has 8 (add --video-codec libx265, or "
                        + "give --preset-for youtube)")
            }
            return Settings(
                videoCodec: "libx264", crf: 21, pixelFormat: "yuv420p", audioCodec: "aac",
                audioBitrate: 160_000, audioLayout: "stereo")
        }
    }

    private static func limited(_ name: String, _ use: String, to sizeLimit: Int) -> OutputPreset {
        OutputPreset(
            name: name, summary: "\(use): as web, in at most \(sizeLimit / 1_000_000) MB", containers: ["mp4"],
            sizeLimit: sizeLimit, settings: forPlayers(name))
    }

    // What accounts without a subscription may send (support.discord.com, "File Attachments FAQ"); WhatsApp's limit for media in
    // a chat (faq.whatsapp.com); and what becomes 25 MB, the limit of most mail servers, in base64 with line breaks.
    private static let discord = limited("discord", "for Discord", to: 10_000_000)
    private static let whatsapp = limited("whatsapp", "for WhatsApp", to: 16_000_000)
    private static let email = limited("email", "for mail", to: 18_000_000)

    // One palette for all frames keeps what doesn't move the same from frame to frame, so that it takes no bytes.
    private static let gif = OutputPreset(
        name: "gif", summary: "for chats and issues: one palette, 480 pixels wide, 12 to 15 frames per second",
        containers: ["gif"], isSmall: true
    ) { subject in
        let part = Int((subject.frameRate.doubleValue / 15).rounded(.up))
        return Settings(
            videoCodec: "gif", width: subject.width > 480 ? 480 : nil,
            frameRate: part > 1 ? subject.frameRate / Rational(part) : nil)
    }

    // RFC 9043 and the practice of archives: version 3 with a CRC in each slice, so that damage is found and stays in its
    // slice, and no frame that depends on another.
    private static let archive = OutputPreset(
        name: "archive", summary: "keeps every bit: FFV1 and FLAC in mkv", containers: ["matroska"], keepsBest: true
    ) { _ in
        Settings(videoCodec: "ffv1", videoOptions: "level=3:slicecrc=1:g=1", audioCodec: "flac")
    }

    private static let edit = OutputPreset(
        name: "edit", summary: "for video editors: ProRes 422 HQ, or 4444 with transparency, and PCM in mov",
        containers: ["mov"]
    ) { subject in
        let isFull = subject.pixelFormat.map { $0.chromaStepX == 1 } ?? subject.hasAlpha
        return Settings(
            videoCodec: "prores_ks", pixelFormat: subject.hasAlpha ? "yuva444p10le" : "yuv422p10le",
            videoOptions: isFull ? "profile=4444" : "profile=hq", audioCodec: "pcm_s24le")
    }

    // YouTube's recommended upload encoding settings (support.google.com/youtube/answer/1722171): no bit rate limit,
    // High profile, CABAC, two B-frames, closed GOPs of half the frame rate, 4:2:0; AAC-LC, stereo, 48 kHz, 384 kbit/s.
    // HDR needs 10 bits (answer/7126552), which x265 makes together with HDR metadata.
    private static let youtube = OutputPreset(
        name: "youtube", summary: "for uploads to YouTube, as it recommends: H.264 (HEVC for HDR) and AAC in mp4",
        containers: ["mp4"]
    ) { subject in
        let group = "g=\(max(1, (subject.frameRate / Rational(2)).rounded())):bf=2"
        return Settings(
            videoCodec: subject.isHDR ? "libx265" : "libx264", crf: 18,
            pixelFormat: subject.isHDR ? "yuv420p10le" : "yuv420p",
            videoOptions: group + (subject.isHDR ? ":x265-params=open-gop=0" : ":coder=cabac"),
            audioCodec: "aac", audioBitrate: 384_000, audioRate: 48_000, audioLayout: "stereo")
    }
}
