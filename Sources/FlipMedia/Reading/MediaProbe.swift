import CLibav
import FlipBase

/// Examines files by reading them: packets and decoded frames count for more than what headers claim.
package enum MediaProbe {
    /// Examines a file. All packets of its video are read, but decoded only up to the first frame that is shown.
    /// - Parameters:
    ///   - audioTracks: which audio tracks are used. Of all, the one that the file marks as the default comes first.
    ///   - parsesPackets: whether to find out which packets of the video can be copied.
    ///   - isHasty: whether packets between both ends may be left unread where the container's index tells enough.
    ///   - isCancelled: called before each packet; if it returns true, an error is thrown.
    /// - Throws: `missingInput` if there is no readable file, `badInput` if it is not media, its video can't be
    ///   decoded, or it has audio but not that track, `missingCodec` if this FFmpeg lacks the decoder, `io` if the disk
    ///   fails.
    package static func probe(
        path: String, audioTracks: TrackChoice = .all, parsesPackets: Bool = false, isHasty: Bool = false,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(MediaError) -> MediaInfo {
        let file = try InputFile(path: path)
        file.isCancelled = isCancelled
        if let found = try examine(
            file, path, audioTracks, parses: parsesPackets, measures: false, skips: isHasty)
        {
            return found.info
        }
        return try probe(path: path, audioTracks: audioTracks, parsesPackets: parsesPackets, isCancelled: isCancelled)
    }

    /// Examines a file that is used for its audio. All packets of its video and of the audio are read.
    /// - Parameter isCancelled: called before each packet; if it returns true, an error is thrown.
    /// - Returns: the file, and the seconds from `MediaInfo.audioOrigin` to the end of the audio; nil if there is no
    ///   audio.
    /// - Throws: what `probe` throws, and `badInput` if the audio is longer than the limit.
    package static func probeAudio(
        path: String, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(MediaError) -> (info: MediaInfo, duration: Rational)? {
        let file = try InputFile(path: path)
        file.isCancelled = isCancelled
        guard case (var info, var length)? = try examine(file, path, .all, parses: false, measures: true)
        else {
            return nil
        }
        guard let audio = info.audio else { return nil }
        if info.video == nil {
            file.watchClock(of: [audio.streamIndex])
            length = try measure(audio, of: file, watching: [])
            info.jumps = file.watch?.jumps(leading: audio.streamIndex)
            info.shortfall = file.shortfall
        } else if length == nil {
            // The clock jumps: what that means for the times is known only now.
            let file = try InputFile(path: path)
            file.isCancelled = isCancelled
            if let jumps = info.jumps { file.watchClock(of: jumps.streams, known: jumps) }
            length = try measure(audio, of: file, watching: info.jumps?.streams ?? [])
        }
        let duration = length?.seconds(from: info.audioOrigin) ?? .zero
        guard duration <= InputLimits.duration else {
            throw InputLimits.tooLong("stream \(audio.streamIndex) (\(audio.codec)) of '\(info.name)'", duration)
        }
        return (info, duration)
    }

    /// Reads the packets of the video, if there is one.
    /// - Parameter measures: whether to measure the main audio track beside it, too.
    /// - Returns: also how far that audio reaches; nil where it wasn't measured, or in vain because the clock jumps. Nil
    ///   altogether if packets were skipped that have to be read.
    private static func examine(
        _ file: InputFile, _ path: String, _ choice: TrackChoice, parses: Bool, measures: Bool, skips: Bool = false
    ) throws(MediaError) -> (info: MediaInfo, length: AudioLength?)? {
        let streams = try choose(choice, of: file.audioStreams, path)
        var audio = streams.compactMap(describe(audio:))
        guard let videoStream = file.videoStream else { return (describe(file, path: path, nil, audio, choice), nil) }
        let scan = try VideoScan(
            file: file, stream: videoStream, sounds: streams, parses: parses, measuresSound: measures, skips: skips)
        if scan.hasGuessedWrong { return nil }
        // Where the clock jumps, the packets' times aren't those at which they are heard.
        if scan.jumps == nil {
            for index in audio.indices { audio[index].coded = scan.sounds[audio[index].streamIndex]?.sound }
        }
        let video = try scan.video
        var info = describe(file, path: path, video, audio, choice)
        info.jumps = scan.jumps
        if parses { info.packets = scan.index }
        if video.isStill {
            info.metadata.merge(scan.pictureTags) { own, _ in own }
        } else {
            info.shortfall = file.shortfall
        }
        return (info, scan.soundLength)
    }

    /// Reads all packets of `audio`.
    /// - Parameter watched: the streams that are read beside it because their clock is watched.
    private static func measure(
        _ audio: AudioInfo, of file: InputFile, watching watched: [Int]
    ) throws(MediaError) -> AudioLength? {
        guard let stream = file.avStream(audio.streamIndex) else { return nil }
        file.readOnly(watched + [audio.streamIndex])
        var length = AudioLength(timeBase: Rational(stream.pointee.time_base))
        let packet = try Packet()
        while case .packet = try file.read(into: packet, stream: audio.streamIndex) {
            length.add(packet.presentationTime, duration: packet.duration)
        }
        return length
    }

    /// Describes a clip that is still coming in and whose video is `video`.
    static func describe(_ live: LiveInput, _ video: VideoInfo, path: String) -> MediaInfo {
        let audio = live.audioIndex.flatMap { live.file.avStream($0) }.flatMap(describe(audio:))
        return describe(live.file, path: path, video, audio.map { [$0] } ?? [])
    }

    /// - Parameter choice: which audio tracks were asked for; the others are not left out, but not wanted.
    private static func describe(
        _ file: InputFile, path: String, _ video: VideoInfo?, _ audio: [AudioInfo], _ choice: TrackChoice = .all
    ) -> MediaInfo {
        let (subtitles, dataTracks) = (file.subtitles, file.dataTracks)
        let used =
            (audio.map(\.streamIndex) + (subtitles + dataTracks).map(\.streamIndex))
            + (file.videoStream.map { [Int($0.pointee.index)] } ?? [])
        let ignored = file.streams.compactMap { $0 }
            .filter { !used.contains(Int($0.pointee.index)) && !InputFile.isChapterTrack($0) && !$0.isTimecode }
            .filter { choice == .all || $0.pointee.codecpar.pointee.codec_type != AVMEDIA_TYPE_AUDIO }
            .map(\.leftOut)
        var info = MediaInfo(
            path: path, format: file.formatName, byteCount: file.byteCount, video: video, audioTracks: audio,
            audioTrackCount: file.audioStreams.count, title: file.title,
            chapters: file.chapters(from: video?.start ?? .zero, to: video?.duration ?? .zero), ignoredStreams: ignored)
        (info.subtitles, info.dataTracks) = (subtitles, dataTracks)
        info.isConverted = file.isConverted
        info.metadata = FileTags.kept(file.tags)
        info.timecode = video.flatMap { file.timecode(rate: $0.frameRate) }
        return info
    }

    /// The audio tracks that `choice` names, in order. Of all, the default track comes first, so that it is the main one.
    /// Throws `badInput` if there are audio tracks, but none of those that were asked for.
    static func choose(
        _ choice: TrackChoice, of tracks: [UnsafeMutablePointer<AVStream>], _ path: String
    ) throws(MediaError) -> [UnsafeMutablePointer<AVStream>] {
        if case .numbers(let numbers) = choice, let least = numbers.min(), !tracks.isEmpty, least > tracks.count {
            throw MediaError(
                .badInput, "'\(path)' has no audio track \(least) (it has \(tracks.count); give a lower number)")
        }
        let chosen = choice.indices(of: tracks.count)
        let main = tracks.firstIndex { $0.pointee.disposition & AV_DISPOSITION_DEFAULT != 0 } ?? 0
        guard choice == .all, main > 0 else { return chosen.map { tracks[$0] } }
        return ([main] + chosen.filter { $0 != main }).map { tracks[$0] }
    }

    private static func describe(audio stream: UnsafeMutablePointer<AVStream>) -> AudioInfo? {
        let parameters = stream.pointee.codecpar.pointee
        guard parameters.sample_rate > 0, parameters.ch_layout.nb_channels > 0 else { return nil }
        let start = stream.pointee.start_time
        var info = AudioInfo(
            streamIndex: Int(stream.pointee.index), codec: codecName(parameters),
            sampleRate: Int(parameters.sample_rate),
            channels: Int(parameters.ch_layout.nb_channels), layout: ChannelLayout.name(of: parameters.ch_layout),
            start: start == flip_nopts ? nil : Rational(stream.pointee.time_base).scaled(count: Int(start)),
            tags: TrackTags(of: stream))
        info.bitRate = parameters.bit_rate > 0 ? Int(parameters.bit_rate) : nil
        let codec = avcodec_descriptor_get(parameters.codec_id)
        info.isDeep =
            (codec?.pointee.props ?? 0) & AV_CODEC_PROP_LOSSLESS != 0
            && max(parameters.bits_per_raw_sample, parameters.bits_per_coded_sample) > 16
        return info
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

    /// The name of the layout that has the channels of the one called `name` in libav's order, which encoders and filters
    /// need. It is `name` itself if they are in that order already, or if not each of them has a place of its own. Since
    /// FFmpeg 7, the layouts of MOV files may be in another order.
    static func ordered(_ name: String) -> String {
        guard let layout = named(name), layout.order == AV_CHANNEL_ORDER_CUSTOM else { return name }
        var mask: UInt64 = 0
        // A channel without a place is shifted out. Like one that is there twice, it leaves the mask with fewer channels.
        for channel in channels(of: layout) { mask |= 1 << UInt64(bitPattern: Int64(channel.rawValue)) }
        var standard = AVChannelLayout()
        guard av_channel_layout_from_mask(&standard, mask) >= 0, standard.nb_channels == layout.nb_channels else {
            return name
        }
        return self.name(of: standard)
    }

    /// The filter that puts the channels of the layout called `name` in libav's order; nil if `ordered` doesn't change it.
    static func reordering(_ name: String) -> String? {
        let ordered = ordered(name)
        guard ordered != name, let layout = named(ordered) else { return nil }
        let names = channels(of: layout).map { channel in
            var buffer = [CChar](repeating: 0, count: 16)
            av_channel_name(&buffer, buffer.count, channel)
            return String(buffer: buffer)
        }
        return "channelmap=\(names.joined(separator: "|")):\(ordered)"
    }

    private static func channels(of layout: AVChannelLayout) -> [AVChannel] {
        var layout = layout
        return (0..<UInt32(layout.nb_channels)).map { av_channel_layout_channel_from_index(&layout, $0) }
    }

    /// The layout called `name`; nil if there is none.
    static func named(_ name: String) -> AVChannelLayout? {
        var layout = AVChannelLayout()
        return av_channel_layout_from_string(&layout, name) >= 0 && layout.nb_channels > 0 ? layout : nil
    }
}
