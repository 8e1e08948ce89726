/// NUT files: packets of numbers in septets, each with a start code, its length and a checksum (nut.txt of FFmpeg's
/// NUT).
enum NUT {
    private enum Kind: Int {
        case main = 0x4e4d_7a56_1f5f_04ad
        case stream = 0x4e53_1140_5bf2_f9db
        case syncpoint = 0x4e4b_e4ad_eeca_4569
        case index = 0x4e58_dd67_2f23_e64e
        case info = 0x4e49_ab68_b596_ba78
    }

    private struct Packet {
        let kind: Kind
        let start: Int
        /// Without the checksum, which follows.
        let content: Range<Int>
        var end: Int { content.upperBound + 4 }
    }

    /// The septets of a widened number: enough for 64 bits.
    private static let width = 10

    private static func packets(_ bytes: [UInt8]) -> [Packet] {
        var result: [Packet] = []
        var place = 0
        while place + 8 < bytes.count {
            guard bytes[place] == 0x4e, let kind = Kind(rawValue: bytes.number(at: place, width: 8)),
                let length = septets(bytes, place + 8)
            else {
                place += 1
                continue
            }
            let size = TimeField("", at: length.lowerBound, width: length.count, .septets).value(in: bytes)
            // Longer packets have a second checksum.
            guard (4...4096).contains(size), length.upperBound + Int(size) <= bytes.count else {
                place += 8
                continue
            }
            let packet = Packet(
                kind: kind, start: place, content: length.upperBound..<length.upperBound + Int(size) - 4)
            result.append(packet)
            place = packet.end
        }
        return result
    }

    /// The bytes of the number at `place`; nil if it doesn't end.
    private static func septets(_ bytes: [UInt8], _ place: Int) -> Range<Int>? {
        bytes[min(place, bytes.count)...].firstIndex { $0 < 0x80 }.map { place..<$0 + 1 }
    }

    /// The numbers that tell times, in file order.
    private static func numbers(_ bytes: [UInt8], _ packet: Packet) -> [(kind: String, range: Range<Int>)] {
        var place = packet.content.lowerBound
        var next: Range<Int>? {
            guard let range = septets(bytes, place), range.upperBound <= packet.content.upperBound else { return nil }
            place = range.upperBound
            return range
        }
        var result: [(kind: String, range: Range<Int>)] = []
        let take = { (kind: String?) in
            guard let range = next else { return }
            if let kind { result.append((kind, range)) }
        }
        switch packet.kind {
        case .main:
            // The version, the number of streams, the greatest distance and the number of time bases.
            for _ in 0..<3 { take(nil) }
            let count = next.map { TimeField("", at: $0.lowerBound, width: $0.count, .septets).value(in: bytes) } ?? 0
            for _ in 0..<min(count, 8) {
                take("time base numerator")
                take("time base denominator")
            }
        case .stream:
            // The stream's number and its class.
            for _ in 0..<2 { take(nil) }
            place += 1 + bytes.number(at: place, width: 1)
            for kind in [nil, "msb_pts_shift", "max_pts_distance"] { take(kind) }
        case .syncpoint: take("global_key_pts")
        case .index, .info: break
        }
        return result
    }

    /// The file with `width` bytes for each number that tells a time, without its index, whose positions would be
    /// wrong.
    static func widened(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var place = 0
        for packet in packets(bytes) {
            result += bytes[place..<packet.start]
            place = packet.end
            if packet.kind == .index { continue }
            var content: [UInt8] = []
            var done = packet.content.lowerBound
            for (_, range) in numbers(bytes, packet) {
                let missing = Swift.max(width - range.count, 0)
                content += bytes[done..<range.lowerBound] + [UInt8](repeating: 0x80, count: missing) + bytes[range]
                done = range.upperBound
            }
            content += bytes[done..<packet.content.upperBound]
            result += bytes[packet.start..<packet.start + 8] + number(content.count + 4) + content
            result += bytes[packet.content.upperBound..<packet.end]
        }
        return result + bytes[place...]
    }

    /// `value`, below 2^14, in two septets.
    private static func number(_ value: Int) -> [UInt8] { [UInt8(value >> 7) | 0x80, UInt8(value & 0x7f)] }

    static func fields(_ bytes: [UInt8]) -> (fields: [TimeField], checksums: [(range: Range<Int>, place: TimeField)]) {
        let packets = packets(bytes).filter { $0.kind != .index }
        let fields = packets.flatMap { packet in
            numbers(bytes, packet).map { TimeField($0.kind, at: $0.range.lowerBound, width: $0.range.count, .septets) }
        }
        let checksums = packets.map { packet in
            (packet.content, TimeField("checksum", at: packet.content.upperBound, width: 4))
        }
        return (fields, checksums)
    }
}
