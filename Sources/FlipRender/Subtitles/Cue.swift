import FlipBase
import FlipMedia

/// A subtitle packet of the output.
struct Cue: @unchecked Sendable {
    /// The number of the subtitle track, from 0.
    let track: Int
    /// The times in the output between which it is shown, in milliseconds.
    var range: Range<Int>
    /// The packet, in which only the times are missing.
    let packet: Packet

    /// Cuts cues that overlap into cues that don't, for formats that show only one at a time: where several are shown
    /// at once, one cue has their texts on lines of their own.
    struct Separator {
        /// The cues that may go on after the latest start, which were cut at it.
        private var open: [Cue] = []

        /// Takes the next cue, which starts no sooner than the one before. Returns the cues that end by its start.
        mutating func add(_ cue: Cue) throws(MediaError) -> [Cue] {
            let done = try cut(before: cue.range.lowerBound)
            open.append(cue)
            return done
        }

        /// The cues that are left after the last one.
        mutating func finish() throws(MediaError) -> [Cue] { try cut(before: .max) }

        private mutating func cut(before end: Int) throws(MediaError) -> [Cue] {
            var done: [Cue] = []
            while let start = open.first?.range.lowerBound, start < end {
                let next = min(open.map(\.range.upperBound).min() ?? end, end)
                let range = start..<next
                if let only = open.first, open.count == 1 {
                    done.append(Cue(track: only.track, range: range, packet: try Packet(Array(only.packet.bytes))))
                } else {
                    done.append(Cue(track: open[0].track, range: range, packet: try MovText.joined(open.map(\.packet))))
                }
                open = open.filter { $0.range.upperBound > next }
                for index in open.indices { open[index].range = next..<open[index].range.upperBound }
            }
            return done
        }
    }
}

/// The packets of QuickTime and MP4 subtitles (3GPP TS 26.245 5.17): the text's length in two bytes, the text, and boxes
/// with styles.
enum MovText {
    /// A packet with the texts of all `packets` on lines of their own, and the first one's styles.
    static func joined(_ packets: [Packet]) throws(MediaError) -> Packet {
        let parts = packets.map { split($0.bytes) }
        let text = Array(parts.map(\.text).filter { !$0.isEmpty }.joined(separator: [0x0A]).prefix(0xFFFF))
        return try Packet([UInt8(text.count >> 8), UInt8(text.count & 0xFF)] + text + (parts.first?.boxes ?? []))
    }

    /// Whether the packet shows nothing, as between two subtitles.
    static func isEmpty(_ packet: Packet) -> Bool { split(packet.bytes).text.isEmpty }

    private static func split(_ bytes: UnsafeBufferPointer<UInt8>) -> (text: [UInt8], boxes: [UInt8]) {
        guard bytes.count >= 2 else { return ([], []) }
        let count = min(Int(bytes[0]) << 8 | Int(bytes[1]), bytes.count - 2)
        return (Array(bytes[2..<2 + count]), Array(bytes[(2 + count)...]))
    }
}
