import CLibav
import FlipBase
import FlipClip

/// A packet of a subtitle stream.
package struct SubtitlePacket {
    package let stream: Int
    /// The stream time at which it is shown, in seconds.
    package let start: Rational
    /// How many seconds it is shown; nil if that isn't known, as for pictures that stay until the next packet.
    package let duration: Rational?
    package let packet: Packet
}

/// Reads the packets of subtitle streams of a file, in file order.
package final class SubtitleReader {
    private let file: InputFile
    private let streams: Set<Int>
    private let jumps: ClockJumps?
    private let packet: Packet

    /// - Parameters:
    ///   - streams: the indices of the streams.
    ///   - jumps: the jumps of the file's clock; nil if there are none.
    package init(path: String, streams: Set<Int>, jumps: ClockJumps?) throws(MediaError) {
        var file = try InputFile(path: path, opening: .headersOnly)
        // The headers of some containers don't list all streams; only packets show them.
        if !file.keepsPackets { file = try InputFile(path: path) }
        file.readOnly(streams + (jumps?.streams ?? []))
        if let jumps { file.watchClock(of: jumps.streams, known: jumps) }
        self.file = file
        self.streams = streams
        self.jumps = jumps
        packet = try Packet()
    }

    /// The next packet with a time; nil after the last, and where the file is cut off.
    package func next() throws(MediaError) -> SubtitlePacket? {
        while case .packet = try file.read(into: packet, streams: streams) {
            guard let time = packet.presentationTime ?? packet.decodingTime,
                let stream = file.stream(packet.streamIndex)
            else { continue }
            var start = stream.timeBase.scaled(count: time)
            if let jumps, !jumps.streams.contains(stream.index) { start = start + jumps.offsets[file.epoch] }
            let duration = packet.duration.map { stream.timeBase.scaled(count: $0) }
            return SubtitlePacket(stream: stream.index, start: start, duration: duration, packet: try packet.moved())
        }
        return nil
    }

    /// Makes a converter of the packets of `stream` into text of the format `codec`.
    package func converter(of stream: Int, to codec: String) throws(MediaError) -> SubtitleConverter {
        guard let stream = file.avStream(stream) else {
            throw MediaError(
                .badInput, "'\(file.path)' no longer has stream \(stream); it was changed while it was read")
        }
        return try SubtitleConverter(stream, to: codec)
    }
}

extension InputFile {
    /// All subtitle streams of known formats.
    var subtitles: [SubtitleInfo] {
        streams.compactMap { $0 }.compactMap { stream in
            let parameters = stream.pointee.codecpar.pointee
            guard parameters.codec_type == AVMEDIA_TYPE_SUBTITLE,
                let descriptor = avcodec_descriptor_get(parameters.codec_id)
            else { return nil }
            return SubtitleInfo(
                streamIndex: Int(stream.pointee.index), codec: MediaProbe.codecName(parameters),
                isText: descriptor.pointee.props & AV_CODEC_PROP_TEXT_SUB != 0, tags: TrackTags(of: stream),
                header: parameters.header)
        }
    }
}

extension MediaProbe {
    /// The subtitles of a file that is used only for these. Throws `badInput` if it has none.
    package static func subtitles(path: String) throws(MediaError) -> SubtitleInfo {
        guard let first = try InputFile(path: path).subtitles.first(where: \.isText) else {
            throw MediaError(
                .badInput, "'\(MediaInfo.name(of: path))' has no subtitles in text (give SRT, WebVTT or ASS)")
        }
        return first
    }
}
