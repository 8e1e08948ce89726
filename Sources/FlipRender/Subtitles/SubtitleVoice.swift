import FlipBase
import FlipBitstream
import FlipMedia

/// The subtitles that come from one file for one clip, or for the whole output, in order of time.
final class SubtitleVoice {
    /// One of the file's streams, and the output track that it goes to.
    private struct Source {
        let track: Int
        let placed: PlacedSubtitles
        let copies: Bool
        let codec: String
        var converter: SubtitleConverter?
        var pictures: PictureSubtitles?
        var hasEnded = false
        /// The time at which the packets so far end, in milliseconds.
        var end = 0
    }

    private let path: String
    private let jumps: ClockJumps?
    /// The part of the output in which they are shown, in milliseconds.
    let range: Range<Int>
    /// The streams by their indices in the file.
    private var sources: [Int: Source]
    private var reader: SubtitleReader?
    private var hasEnded = false
    /// Cues that were read and are not returned yet, in order of time.
    private var ahead: [Cue] = []
    /// The number of packets that could not be converted.
    private(set) var damaged = 0
    /// The number of packets whose text is not UTF-8.
    private(set) var foreign = 0

    /// The name of the file in messages.
    let name: String

    /// A sentence about the subtitles that were left out, and one about those with wrong letters.
    var warnings: [String] {
        var sentences: [String] = []
        if damaged > 0 {
            let count = damaged == 1 ? "1 damaged subtitle was" : "\(damaged) damaged subtitles were"
            sentences.append("\(name): \(count) left out")
        }
        if foreign > 0 {
            let count = foreign == 1 ? "the text of 1 subtitle is" : "the texts of \(foreign) subtitles are"
            sentences.append(
                "\(name): \(count) not UTF-8, so letters are wrong or missing (extract the subtitles, convert them with "
                    + "iconv, and give them with --captions)")
        }
        return sentences
    }

    /// - Parameter sources: the tracks' numbers and sources, at least one; all of the same file and span.
    init(_ sources: [(track: Int, of: SubtitleTrack, placed: PlacedSubtitles)]) {
        let first = sources[0].placed
        (path, jumps, range, name) = (first.path, first.jumps, first.range, first.name)
        self.sources = [:]
        for source in sources {
            let info = source.placed.info
            self.sources[info.streamIndex] = Source(
                track: source.track, placed: source.placed, copies: source.of.copies(source.placed),
                codec: source.of.codec, pictures: PictureSubtitles(info.codec))
        }
    }

    /// The next cue; nil after the last.
    func next() throws(MediaError) -> Cue? {
        while ahead.isEmpty, !hasEnded { try read() }
        return ahead.isEmpty ? nil : ahead.removeFirst()
    }

    private func read() throws(MediaError) {
        if reader == nil { reader = try SubtitleReader(path: path, streams: Set(sources.keys), jumps: jumps) }
        guard let packet = try reader?.next(), !sources.values.allSatisfy(\.hasEnded) else {
            hasEnded = true
            reader = nil
            for index in sources.keys.sorted() { try end(index) }
            return
        }
        guard let source = sources[packet.stream], !source.hasEnded else { return }
        let start = source.placed.milliseconds(packet.start)
        if start >= range.upperBound { return try end(packet.stream) }
        if source.pictures != nil {
            let pictures = try sources[packet.stream]?.pictures?.add(packet.packet, at: start, from: range.lowerBound)
            ahead += (pictures ?? []).map {
                Cue(track: source.track, range: max($0.start, range.lowerBound)..<range.upperBound, packet: $0.packet)
            }
            return
        }
        let isData = source.placed.info.isData
        let end =
            packet.duration.map { source.placed.milliseconds(packet.start + $0) }
            ?? (isData ? start + 1 : range.upperBound)
        var shown = max(start, range.lowerBound)..<max(min(end, range.upperBound), start, range.lowerBound)
        // Sensors may be read more than once in a millisecond.
        if isData, start >= range.lowerBound {
            shown = max(start, source.end)..<max(shown.upperBound, max(start, source.end) + 1)
        }
        guard !shown.isEmpty, let made = try made(packet) else { return }
        ahead.append(Cue(track: source.track, range: shown, packet: made))
        sources[packet.stream]?.end = shown.upperBound
    }

    /// Ends a stream: pictures that are still shown are removed from the screen.
    private func end(_ stream: Int) throws(MediaError) {
        guard let source = sources[stream], !source.hasEnded else { return }
        sources[stream]?.hasEnded = true
        if source.codec == GPMF.tag, source.placed.endsTrack {
            ahead.append(Cue(track: source.track, range: source.end..<source.end + 1, packet: try Packet(GPMF.empty)))
        }
        guard let last = try source.pictures?.clearing(from: range.lowerBound) else { return }
        for packet in last.shown { ahead.append(Cue(track: source.track, range: range, packet: packet)) }
        if let clear = last.clear {
            ahead.append(Cue(track: source.track, range: range.upperBound..<range.upperBound + 1, packet: clear))
        }
    }

    /// The packet in the track's format; nil if it shows nothing, or is damaged.
    private func made(_ packet: SubtitlePacket) throws(MediaError) -> Packet? {
        guard let source = sources[packet.stream] else { return nil }
        let isForeign = source.placed.info.isText && packet.foreignByte(source.placed.info.codec) != nil
        if isForeign { foreign += 1 }
        if source.codec == GPMF.tag { return try telemetry(packet, source.placed) }
        if source.copies {
            if source.codec == "mov_text", MovText.isEmpty(packet.packet) { return nil }
            return packet.packet
        }
        if source.converter == nil {
            sources[packet.stream]?.converter = try reader?.converter(of: packet.stream, to: source.codec)
        }
        do throws(MediaError) {
            return try sources[packet.stream]?.converter?.convert(packet.packet).map { bytes throws(MediaError) in
                try Packet(bytes)
            }
        } catch  where error.kind == .badInput {
            if !isForeign { damaged += 1 }
            return nil
        }
    }

    /// The packet with the samples of the part that is shown.
    private func telemetry(_ packet: SubtitlePacket, _ placed: PlacedSubtitles) throws(MediaError) -> Packet {
        let rest = (placed.pictureEnd ?? packet.start) - packet.start
        guard let stated = packet.duration, case let duration = min(stated, rest), duration > .zero else {
            return packet.packet
        }
        let start = (placed.origin - packet.start) / duration
        let part = start.doubleValue..<(start + placed.span.duration / duration).doubleValue
        return try GPMF.cut(Array(packet.packet.bytes), to: part).map { bytes throws(MediaError) in try Packet(bytes) }
            ?? packet.packet
    }
}
