/// A parameter set of H.264 or HEVC, which pictures refer to by its ID.
package struct ParameterSet: Sendable, Hashable {
    /// VPS, SPS and PPS. Each set refers to one of the preceding kind, if the codec has it.
    package enum Kind: Int, Sendable, CaseIterable {
        /// HEVC only.
        case video
        case sequence
        case picture
    }

    package let syntax: NALSyntax
    package let kind: Kind
    /// The whole NAL unit, including its header.
    package let unit: [UInt8]
    /// The set's ID, less than `ParameterSet.numbers`.
    package let id: Int
    /// The ID of the set that this one refers to; nil if the kind refers to none.
    package let parentID: Int?

    /// A field, or a run of fields, at the beginning of a set.
    private enum Field {
        case id(Code)
        case parent(Code)
        /// This many bits that hold no ID.
        case other(Int)
    }

    /// How an ID is coded.
    private enum Code {
        case fixed(bits: Int)
        /// ue(v)
        case exponential
    }

    /// The number of IDs that sets of a kind can have.
    package static func numbers(_ kind: Kind, _ syntax: NALSyntax) -> Int {
        switch (syntax, kind) {
        case (.h264, .video): 0
        case (.h264, .sequence): 32
        case (.h264, .picture): 256
        case (.hevc, .video), (.hevc, .sequence): 16
        case (.hevc, .picture): 64
        }
    }

    /// Returns nil if the unit is not a parameter set, or is damaged.
    package init?(_ bytes: [UInt8], _ syntax: NALSyntax) {
        // A unit doesn't end with 0 (H.264 7.4.1, H.265 7.4.2), but ffmpeg puts some there when it makes mp4 files of streams.
        let unit = Array(bytes.prefix(1 + (bytes.lastIndex { $0 != 0 } ?? -1)))
        // `avcC` and `hvcC` store a unit's length in two bytes.
        guard unit.count < 1 << 16, case .set(let kind)? = unit.withUnsafeBufferPointer({ syntax.kind($0[...]) })
        else { return nil }
        let payload = NALUnit.payload(of: unit, syntax.headerSize)
        var reader = BitReader(payload)
        var id: Int?
        var parent: Int?
        for field in Self.fields(kind, syntax, payload) {
            switch field {
            case .id(let code): id = Self.read(code, &reader)
            case .parent(let code): parent = Self.read(code, &reader)
            case .other(let count): reader.skip(count)
            }
        }
        let above = Kind(rawValue: kind.rawValue - 1).map { Self.numbers($0, syntax) } ?? 0
        guard let id, id < Self.numbers(kind, syntax), parent.map({ $0 < above }) ?? (above == 0) else { return nil }
        self.syntax = syntax
        self.kind = kind
        self.unit = unit
        self.id = id
        parentID = parent
    }

    /// The fields up to the last ID (H.264 7.3.2; H.265 7.3.2 and 7.3.3).
    private static func fields(_ kind: Kind, _ syntax: NALSyntax, _ payload: [UInt8]) -> [Field] {
        switch (syntax, kind) {
        case (.h264, .sequence): [.other(24), .id(.exponential)]
        case (_, .picture): [.id(.exponential), .parent(.exponential)]
        case (_, .video): [.id(.fixed(bits: 4))]
        case (.hevc, .sequence):
            [.parent(.fixed(bits: 4)), .other(4 + HEVCSPS.profileBits(payload)), .id(.exponential)]
        }
    }

    private static func read(_ code: Code, _ reader: inout BitReader) -> Int? {
        switch code {
        case .fixed(let bits): reader.bits(bits)
        case .exponential: reader.unsigned()
        }
    }

    private static func write(_ value: Int, _ code: Code, _ writer: inout BitWriter) {
        switch code {
        case .fixed(let bits): writer.append(value, bits: bits)
        case .exponential: writer.append(unsigned: value)
        }
    }

    /// The same set with other IDs; nil if that is not possible.
    package func renumbered(id: Int, parentID: Int?) -> ParameterSet? {
        if id == self.id, parentID == self.parentID { return self }
        let payload = NALUnit.payload(of: unit, syntax.headerSize)
        var reader = BitReader(payload)
        var writer = BitWriter()
        for field in Self.fields(kind, syntax, payload) {
            switch field {
            case .id(let code):
                _ = Self.read(code, &reader)
                Self.write(id, code, &writer)
            case .parent(let code):
                _ = Self.read(code, &reader)
                guard let parentID else { return nil }
                Self.write(parentID, code, &writer)
            case .other(let count):
                writer.append(reader.position..<reader.position + count, of: payload)
                reader.skip(count)
            }
        }
        guard let end = BitReader.end(of: payload), reader.position <= end else { return nil }
        writer.append(reader.position..<end, of: payload)
        return ParameterSet(NALUnit.unit(unit.prefix(syntax.headerSize), writer.bytes), syntax)
    }

    /// The same SPS of H.264 with gaps_in_frame_num_value_allowed_flag set: reference pictures may be missing, which nothing
    /// needs. Nil for other sets.
    package var allowingGaps: ParameterSet? {
        guard let place = H264SPS(self)?.gapsFlag else { return nil }
        var payload = NALUnit.payload(of: unit, syntax.headerSize)
        payload[place >> 3] |= 0x80 >> UInt8(place & 7)
        return ParameterSet(NALUnit.unit(unit.prefix(syntax.headerSize), payload), syntax)
    }
}
