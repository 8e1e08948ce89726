/// The codec configuration records of mp4 and Matroska: `avcC` (ISO/IEC 14496-15 5.3.3.1) and `hvcC` (8.3.3.1).
extension CodedHeader {
    /// Reads an `avcC`. Returns nil if it is damaged or something else.
    package init?(avcC bytes: [UInt8]) {
        guard bytes.count >= 7, bytes[0] == 1 else { return nil }
        var reader = RecordReader(bytes, from: 5)
        for mask: UInt8 in [31, 255] {
            guard let count = reader.byte() else { return nil }
            for _ in 0..<count & mask {
                guard let set = reader.unit().flatMap({ ParameterSet($0, .h264) }),
                    (set.kind == .sequence) == (mask == 31), sets.learn(set)
                else { return nil }
            }
        }
        self.bytes = bytes
        framing = .lengths(Int(bytes[4] & 3) + 1)
    }

    /// Reads an `hvcC`. Returns nil if it is damaged or something else.
    package init?(hvcC bytes: [UInt8]) {
        guard bytes.count >= 23, bytes[0] == 1 else { return nil }
        var reader = RecordReader(bytes, from: 22)
        for _ in 0..<(reader.byte() ?? 0) {
            guard reader.byte() != nil, let high = reader.byte(), let low = reader.byte() else { return nil }
            for _ in 0..<Int(high) << 8 | Int(low) {
                guard let unit = reader.unit() else { return nil }
                if let set = ParameterSet(unit, .hevc) {
                    if !sets.learn(set) { return nil }
                } else {
                    learn(information: unit, .hevc)
                }
            }
        }
        self.bytes = bytes
        framing = .lengths(Int(bytes[21] & 3) + 1)
    }

    /// Reads units that follow start codes, as transport streams and encoders have them.
    package init(afterStartCodes bytes: [UInt8], _ syntax: NALSyntax) {
        self.bytes = bytes
        framing = .startCodes
        bytes.withUnsafeBufferPointer { buffer in
            for range in NALUnit.ranges(afterStartCodes: buffer) {
                let unit = Array(buffer[range])
                if let set = ParameterSet(unit, syntax) {
                    // A second set with the same ID is ignored; packets that repeat it reveal the conflict.
                    _ = sets.learn(set)
                } else {
                    learn(information: unit, syntax)
                }
            }
        }
    }

    /// Keeps the messages of an SEI unit that describe the whole stream.
    private mutating func learn(information unit: [UInt8], _ syntax: NALSyntax) {
        guard unit.withUnsafeBufferPointer({ syntax.kind($0[...]) }) == .information,
            let kept = SEI.filtered(
                unit, syntax, where: { type, _ in SEI.describesStream(type) })
        else { return }
        information.append(kept)
    }

    /// The header as `avcC`, with unit lengths of four bytes; nil without a valid SPS. All sequences conform to its
    /// profile and level.
    package var avcC: [UInt8]? {
        let facts = sets.of(.sequence).compactMap { H264SPS($0) }
        guard let profile = facts.map(\.profile).max(), let level = facts.map(\.level).max(),
            let depth = facts.map(\.depth).max(), let chroma = facts.first?.chroma
        else { return nil }
        let (sequences, pictures) = (sets.of(.sequence), sets.of(.picture))
        let constraints = facts.reduce(255) { $0 & ($1.profile == profile ? $1.constraints : 0) }
        var bytes: [UInt8] = [1, UInt8(profile), UInt8(constraints), UInt8(level), 0xFF, 0xE0 | UInt8(sequences.count)]
        for set in sequences { bytes += Self.record(set.unit) }
        bytes.append(UInt8(pictures.count))
        for set in pictures { bytes += Self.record(set.unit) }
        // The chroma format, the bit depths of luma and chroma minus 8, no SPS extensions.
        if profile >= 100 { bytes += [0xFC | UInt8(chroma), 0xF8 | UInt8(depth - 8), 0xF8 | UInt8(depth - 8), 0] }
        return bytes
    }

    /// The header as `hvcC`, with unit lengths of four bytes; nil without a valid SPS. All sequences conform to its
    /// profile, tier and level.
    package var hvcC: [UInt8]? {
        let facts = sets.of(.sequence).compactMap { HEVCSPS($0) }
        guard let first = facts.first, let depth = facts.map(\.depth).max() else { return nil }
        var general = first.general
        for other in facts.dropFirst() {
            general[0] = max(general[0] & 0x20, other.general[0] & 0x20) | max(general[0] & 31, other.general[0] & 31)
            for index in 1..<11 { general[index] &= other.general[index] }
            general[11] = max(general[11], other.level)
        }
        let layers = facts.map(\.subLayers).max() ?? 1
        let isNested = facts.allSatisfy(\.isNested)
        // Spatial segmentation and parallelism unknown, the chroma format, bit depths minus 8, frame rate unknown, sub-layers, lengths of
        // four bytes.
        var bytes: [UInt8] = [1] + general + [0xF0, 0, 0xFC, 0xFC | UInt8(first.chroma)]
        bytes += [0xF8 | UInt8(depth - 8), 0xF8 | UInt8(depth - 8), 0, 0]
        bytes.append(UInt8(layers) << 3 | (isNested ? 4 : 0) | 3)
        let groups = ParameterSet.Kind.allCases.map { sets.of($0).map(\.unit) } + [information]
        let arrays = groups.filter { !$0.isEmpty }
        bytes.append(UInt8(arrays.count))
        for array in arrays {
            // The array is complete: packets have no units of its type, except for SEI (39).
            let type = array[0][0] >> 1 & 63
            bytes += [(type == 39 ? 0 : 0x80) | type, UInt8(array.count >> 8), UInt8(array.count & 255)]
            for unit in array { bytes += Self.record(unit) }
        }
        return bytes
    }

    /// The parameter sets, each behind a start code.
    package var annexB: [UInt8] {
        var bytes: [UInt8] = []
        for kind in ParameterSet.Kind.allCases {
            for set in sets.of(kind) { NALUnit.append(set.unit, to: &bytes, .startCodes) }
        }
        return bytes
    }

    /// A unit preceded by its length in two bytes.
    private static func record(_ unit: [UInt8]) -> [UInt8] {
        [UInt8(unit.count >> 8 & 255), UInt8(unit.count & 255)] + unit
    }
}

/// Reads units that follow lengths of two bytes, and the bytes between them. Its methods return nil at the end.
private struct RecordReader {
    private let bytes: [UInt8]
    private var position: Int

    init(_ bytes: [UInt8], from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func unit() -> [UInt8]? {
        guard let high = byte(), let low = byte() else { return nil }
        let length = Int(high) << 8 | Int(low)
        guard position + length <= bytes.count else { return nil }
        defer { position += length }
        return Array(bytes[position..<position + length])
    }
}
