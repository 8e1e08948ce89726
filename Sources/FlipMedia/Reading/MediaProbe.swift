import CLibav
import FlipBase
import FlipClip

/// Examines files by reading them: packets and decoded frames count for more than what headers claim.
package enum MediaProbe {
    /// Examines a file. All packets of its video are read, but decoded only up to the first frame that is shown.
    /// - Parameters:
    ///   - audioTrack: the number of the audio track, from 1; nil for the one that the file marks as the default, else
    ///     the first.
    ///   - parsesPackets: whether to find out which packets of the video can be copied.
    ///   - isCancelled: called before each packet; if it returns true, an error is thrown.
    /// - Throws: `missingInput` if there is no readable file, `badInput` if it is not media, its video can't be
    ///   decoded, or it has audio but not that track, `missingCodec` if this FFmpeg lacks the decoder, `io` if the disk
    ///   fails.
    package static func probe(
        path: String, audioTrack: Int? = nil, parsesPackets: Bool = false,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(MediaError) -> MediaInfo {
        let file = try InputFile(path: path)
        file.isCancelled = isCancelled
        let videoStream = file.videoStream
        let tracks = file.audioStreams
        let audioStream = try choose(audioTrack, of: tracks, path)
        var audio = audioStream.flatMap(describe(audio:))
        var jumps: ClockJumps?
        var packets: PacketIndex?
        let video = try videoStream.map { stream throws(MediaError) in
            let scan = try VideoScan(file: file, stream: stream, sound: audioStream, parses: parsesPackets)
            audio?.coded = scan.sound?.sound
            jumps = scan.jumps
            if parsesPackets { packets = scan.index }
            return try scan.video
        }
        var info = describe(file, path: path, video, audio)
        info.jumps = jumps
        info.packets = packets
        if video?.isStill == false { info.shortfall = file.shortfall }
        return info
    }

    /// Describes a clip that is still coming in and whose video is `video`.
    static func describe(_ live: LiveInput, _ video: VideoInfo, path: String) -> MediaInfo {
        let audio = live.audioIndex.flatMap { live.file.avStream($0) }.flatMap(describe(audio:))
        return describe(live.file, path: path, video, audio)
    }

    private static func describe(
        _ file: InputFile, path: String, _ video: VideoInfo?, _ audio: AudioInfo?
    ) -> MediaInfo {
        let used = [file.videoStream.map { Int($0.pointee.index) }, audio?.streamIndex]
        let ignored = file.streams.compactMap { $0 }
            .filter { !used.contains(Int($0.pointee.index)) && !InputFile.isChapterTrack($0) }
            .map(describe(ignored:))
        return MediaInfo(
            path: path, format: file.formatName, byteCount: file.byteCount, video: video, audio: audio,
            audioTrackCount: file.audioStreams.count, title: file.title,
            chapters: file.chapters(from: video?.start ?? .zero), ignoredStreams: ignored)
    }

    /// Reads all audio packets.
    /// - Returns: `info`, to which a file without video adds its clock jumps and shortfall, and the seconds from
    ///   `MediaInfo.audioOrigin` to the end of the audio; nil if there is no audio.
    package static func measuringAudio(
        of info: MediaInfo
    ) throws(MediaError) -> (info: MediaInfo, duration: Rational)? {
        guard let audio = info.audio else { return nil }
        let file = try InputFile(path: info.path)
        guard let stream = file.avStream(audio.streamIndex) else { return nil }
        let watched = info.jumps?.streams ?? [audio.streamIndex]
        if info.video == nil || info.jumps != nil { file.watchClock(of: watched, known: info.jumps) }
        file.readOnly(watched + [audio.streamIndex])
        let timeBase = Rational(stream.pointee.time_base)
        let packet = try Packet()
        var end = info.audioOrigin
        while case .packet = try file.read(into: packet, stream: audio.streamIndex) {
            // A packet without a time stamp follows the previous one.
            let start = packet.presentationTime.map { timeBase.scaled(count: $0) } ?? end
            end = max(end, start + timeBase.scaled(count: packet.duration ?? 0))
        }
        let duration = end - info.audioOrigin
        guard duration <= InputLimits.duration else {
            throw InputLimits.tooLong("stream \(audio.streamIndex) (\(audio.codec)) of '\(info.name)'", duration)
        }
        var measured = info
        if info.video == nil {
            measured.jumps = file.watch?.jumps(leading: audio.streamIndex)
            measured.shortfall = file.shortfall
        }
        return (measured, duration)
    }

    /// Audio track `number`, counted from 1; without a number the default track, else the first. Nil if there are none.
    static func choose(
        _ number: Int?, of tracks: [UnsafeMutablePointer<AVStream>], _ path: String
    ) throws(MediaError) -> UnsafeMutablePointer<AVStream>? {
        guard let number, !tracks.isEmpty else {
            return tracks.first { $0.pointee.disposition & AV_DISPOSITION_DEFAULT != 0 } ?? tracks.first
        }
        guard tracks.indices.contains(number - 1) else {
            throw MediaError(
                .badInput, "'\(path)' has no audio track \(number) (it has \(tracks.count); give a lower --audio-track)"
            )
        }
        return tracks[number - 1]
    }

    private static func describe(audio stream: UnsafeMutablePointer<AVStream>) -> AudioInfo? {
        let parameters = stream.pointee.codecpar.pointee
        guard parameters.sample_rate > 0, parameters.ch_layout.nb_channels > 0 else { return nil }
        let start = stream.pointee.start_time
        return AudioInfo(
            streamIndex: Int(stream.pointee.index), codec: codecName(parameters),
            sampleRate: Int(parameters.sample_rate),
            channels: Int(parameters.ch_layout.nb_channels), layout: ChannelLayout.name(of: parameters.ch_layout),
            start: start == flip_nopts ? nil : Rational(stream.pointee.time_base).scaled(count: Int(start)))
    }

    private static func describe(ignored stream: UnsafeMutablePointer<AVStream>) -> String {
        let parameters = stream.pointee.codecpar.pointee
        let type = av_get_media_type_string(parameters.codec_type).map { String(cString: $0) } ?? "unknown"
        let kind = InputFile.isCoverArt(stream) ? "cover art" : type
        return "\(stream.pointee.index) (\(kind), \(codecName(parameters)))"
    }

    static func codecName(_ parameters: AVCodecParameters) -> String {
        String(cString: avcodec_get_name(parameters.codec_id))
    }
}

/// The names of libav's channel layouts.
enum ChannelLayout {
    /// The layout's name, such as "stereo" or "5.1". If only the number of channels is known, it is the name of their
    /// default layout, or else the number, as in "3 channels".
    static func name(of layout: AVChannelLayout) -> String {
        var layout = layout
        if layout.order == AV_CHANNEL_ORDER_UNSPEC {
            var standard = AVChannelLayout()
            av_channel_layout_default(&standard, layout.nb_channels)
            layout = standard
        }
        var buffer = [CChar](repeating: 0, count: 128)
        av_channel_layout_describe(&layout, &buffer, buffer.count)
        return String(buffer: buffer)
    }

    /// The layout called `name`; nil if there is none.
    static func named(_ name: String) -> AVChannelLayout? {
        var layout = AVChannelLayout()
        return av_channel_layout_from_string(&layout, name) >= 0 && layout.nb_channels > 0 ? layout : nil
    }
}
