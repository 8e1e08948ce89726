/// The numbers that a track's parameter sets get in another track, and what that changes in its packets.
package struct Renumbering: Sendable, Hashable {
    /// New numbers by old ones.
    var sequences: [Int: Int] = [:]
    var pictures: [Int: Int] = [:]

    private var changesSequences: Bool { sequences.contains { $0.key != $0.value } }
    private var changesPictures: Bool { pictures.contains { $0.key != $0.value } }

    /// Whether slices that name `old` can name `new`: what follows the number has to stay where it is in its byte, since
    /// entropy coded data is aligned to bytes.
    static func fits(_ old: Int, _ new: Int) -> Bool {
        (BitWriter.length(ofUnsigned: new) - BitWriter.length(ofUnsigned: old)) & 7 == 0
    }

    /// A packet whose units stand behind lengths of `lengthSize` bytes, with the new numbers, lengths of four bytes and
    /// without parameter sets; nil where it is damaged.
    func rewritten(_ packet: UnsafeBufferPointer<UInt8>, lengthSize: Int) -> [UInt8]? {
        guard let ranges = NALUnit.ranges(packet, lengthSize: lengthSize) else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(packet.count + 64)
        for range in ranges {
            let unit = packet[range]
            guard let header = unit.first, let kind = NALUnit.kind(header) else { return nil }
            switch kind {
            case .sequenceSet, .pictureSet:
                continue
            case .slice, .keySlice:
                if !changesPictures { NALUnit.append(unit, to: &result) }
                if changesPictures {
                    guard let changed = slice(unit) else { return nil }
                    NALUnit.append(changed, to: &result)
                }
            case .information:
                if !changesSequences { NALUnit.append(unit, to: &result) }
                if changesSequences {
                    guard let kept = Self.withoutBufferingPeriods(unit) else { return nil }
                    if kept.count > 1 { NALUnit.append(kept, to: &result) }
                }
            case .delimiter, .filler:
                NALUnit.append(unit, to: &result)
            }
        }
        return result
    }

    /// The number stands behind the first macroblock's and the slice's type (7.3.3).
    private func slice(_ unit: some Collection<UInt8>) -> [UInt8]? {
        let payload = NALUnit.payload(of: unit)
        var reader = BitReader(payload)
        guard let header = unit.first, let macroblock = reader.unsigned(), let type = reader.unsigned(),
            let old = reader.unsigned(), let new = pictures[old]
        else { return nil }
        var writer = BitWriter()
        writer.append(unsigned: macroblock)
        writer.append(unsigned: type)
        writer.append(unsigned: new)
        writer.append(restOf: payload, from: reader.position)
        return NALUnit.unit(header, writer.bytes)
    }

    /// Supplemental information without the messages that name a sequence (D.1.2); they are for buffers that a stream put
    /// together anew does not have.
    private static func withoutBufferingPeriods(_ unit: some Collection<UInt8>) -> [UInt8]? {
        guard let header = unit.first else { return nil }
        let payload = NALUnit.payload(of: unit)
        var kept: [UInt8] = []
        var place = 0
        // The last byte only ends the unit.
        let end = (payload.lastIndex { $0 != 0 }) ?? 0
        while place < end {
            let start = place
            var numbers = [0, 0]
            for index in numbers.indices {
                while place < end, payload[place] == 255 {
                    numbers[index] += 255
                    place += 1
                }
                guard place < end else { return nil }
                numbers[index] += Int(payload[place])
                place += 1
            }
            place += numbers[1]
            guard place <= end else { return nil }
            if numbers[0] != 0 { kept += payload[start..<place] }
        }
        return kept.isEmpty ? [header] : NALUnit.unit(header, kept + [0x80])
    }
}
