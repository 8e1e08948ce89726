import CLibav
import FlipBase
import FlipBitstream

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
        file.readOnly(Array(streams), jumps: jumps)
        (self.file, self.streams, self.jumps) = (file, streams, jumps)
        packet = try Packet()
    }

    /// The next packet with a time; nil after the last, and where the file is cut off.
    package func next() throws(MediaError) -> SubtitlePacket? {
        while case .packet = try file.read(into: packet, streams: streams) {
            guard let time = packet.presentationTime ?? packet.decodingTime,
                let stream = file.stream(packet.streamIndex)
            else { continue }
            var start = stream.timeBase.scaled(count: time)
            if let jumps, !jumps.streams.contains(stream.index) { start = start + jumps.offset(of: file.epoch) }
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
    /// The subtitles of a file that is used only for these, and the times in seconds at which they appear.
    ///
    /// The times are empty if the file has video or audio as well, since all of it would have to be read.
    ///
    /// - Throws: `badInput` if it has no subtitles in text, or if their text is not UTF-8.
    package static func captions(path: String) throws(MediaError) -> (info: SubtitleInfo, starts: [Rational]) {
        let file = try InputFile(path: path)
        guard let first = file.subtitles.first(where: \.isText) else {
            throw MediaError(
                .badInput, "'\(MediaInfo.name(of: path))' has no subtitles in text (give SRT, WebVTT or ASS)")
        }
        let hasOthers = file.streams.compactMap { $0 }.contains {
            $0.pointee.codecpar.pointee.codec_type != AVMEDIA_TYPE_SUBTITLE
        }
        return (first, hasOthers ? [] : try starts(of: first, path))
    }

    /// The times at which the subtitles of a file without video and audio appear, in seconds.
    private static func starts(of info: SubtitleInfo, _ path: String) throws(MediaError) -> [Rational] {
        let reader = try SubtitleReader(path: path, streams: [info.streamIndex], jumps: nil)
        if let byte = info.header.firstForeignByte { throw notUTF8(path, "its header", byte) }
        var starts: [Rational] = []
        while let packet = try reader.next() {
            starts.append(packet.start)
            guard starts.count <= InputLimits.packets else {
                throw MediaError(.badInput, "'\(MediaInfo.name(of: path))' has too many subtitles")
            }
            if let byte = packet.foreignByte(info.codec) { throw notUTF8(path, "subtitle \(starts.count)", byte) }
        }
        return starts
    }

    private static func notUTF8(_ path: String, _ place: String, _ byte: UInt8) -> MediaError {
        let hex = String(byte, radix: 16, uppercase: true)
        return MediaError(
            .badInput,
            "'\(MediaInfo.name(of: path))' is not UTF-8 text: \(place) has the byte 0x\(hex), as Windows-1252 and other "
                + "8-bit encodings do (convert the file, for example with iconv -f WINDOWS-1252 -t UTF-8)")
    }
}

extension SubtitlePacket {
    /// The first byte of the text that is not UTF-8; nil if all of it is. `codec` is libav's name of the format.
    package func foreignByte(_ codec: String) -> UInt8? {
        var text = packet.bytes[...]
        if codec == "mov_text" {
            // The text's length in two bytes, the text, which may be UTF-16 with a byte order mark, and boxes.
            guard text.count > 4, case let first = text.dropFirst(2).prefix(2), Set(first) != [0xFE, 0xFF] else {
                return nil
            }
            text = text.dropFirst(2).prefix(Int(text[0]) << 8 | Int(text[1]))
        }
        return text.firstForeignByte
    }
}

extension Collection where Element == UInt8 {
    /// The first byte at which this is not UTF-8; nil if all of it is.
    fileprivate var firstForeignByte: UInt8? {
        if String(validating: self, as: UTF8.self) != nil { return nil }
        var decoder = UTF8()
        var consumed = 0
        var bytes = makeIterator()
        while true {
            switch decoder.decode(&bytes) {
            case .scalarValue(let scalar): consumed += UTF8.width(scalar)
            case .emptyInput, .error: return dropFirst(consumed).first
            }
        }
    }
}
