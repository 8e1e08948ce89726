/// Tells packets apart by what stays the same when they are copied into another file, one after another in decoding order.
///
/// Of H.264 and HEVC only slices count: start codes, lengths, parameter sets, delimiters and messages depend on the container.
/// Copies may also have other numbers in the headers of slices, so there is a second hash of the coded pictures alone.
package struct PacketContent: Sendable {
    /// Hashes that mean something in this process only.
    package struct Digest: Sendable, Hashable {
        /// Of what the packet holds of the picture, with its headers.
        package let whole: Int
        /// Of the coded picture without what copies may change.
        package let coded: Int
        /// Whether the packet holds only the second field of the frame before.
        package let isSecondField: Bool

        package init(whole: Int, coded: Int, isSecondField: Bool = false) {
            (self.whole, self.coded, self.isSecondField) = (whole, coded, isSecondField)
        }

        /// Of a frame whose fields are in packets of their own, of which `other` is the second.
        package func followed(by other: Digest) -> Digest {
            Digest(
                whole: Self.joined(whole, other.whole), coded: Self.joined(coded, other.coded), isSecondField: false)
        }

        fileprivate static func joined(_ first: Int, _ second: Int) -> Int { first &* 0x1E37_79B9_7F4A_7C15 &+ second }
    }

    private enum Codec {
        case units(NALSyntax), mpeg2, av1, other
    }

    private let codec: Codec
    private var parser: PacketParser?
    private var contexts: [Int: H264Slice.Context] = [:]
    private var setCount = 0

    /// - Parameters:
    ///   - codec: libav's name of the codec.
    ///   - extradata: the stream's header; empty if the file has none.
    package init(codec: String, extradata: [UInt8]) {
        switch codec {
        case "h264", "hevc":
            let syntax: NALSyntax = codec == "h264" ? .h264 : .hevc
            self.codec = .units(syntax)
            parser = CodedHeader(extradata: extradata, syntax).map { PacketParser($0, syntax) }
        case "mpeg1video", "mpeg2video": self.codec = .mpeg2
        case "av1": self.codec = .av1
        default: self.codec = .other
        }
    }

    package mutating func digest(of packet: UnsafeBufferPointer<UInt8>) -> Digest {
        switch codec {
        case .units(let syntax): return digest(of: packet, syntax) ?? Self.plain(packet[...])
        case .mpeg2: return Self.plain(Self.pictures(of: packet))
        case .av1:
            // Containers drop temporal delimiters (AV1 5.9.2).
            return Self.plain(packet.count > 2 && packet[0] == 0x12 && packet[1] == 0 ? packet[2...] : packet[...])
        case .other: return Self.plain(packet[...])
        }
    }

    private static func plain(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Digest {
        let hash = hash(bytes)
        return Digest(whole: hash, coded: hash, isSecondField: false)
    }

    /// A hash of bytes that means something in this process only.
    package static func hash(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes.base)[bytes.indices]))
        return hasher.finalize()
    }

    /// An MPEG-2 packet from its first slice on, without an end of sequence.
    private static func pictures(of packet: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
        var bytes = packet[...]
        let isSlice = { (place: Int) in place + 3 < packet.count && 0x01...0xAF ~= packet[place + 3] }
        if let first = StartCode.all(in: packet).first(where: isSlice) { bytes = bytes[first...] }
        while bytes.last == 0 { bytes.removeLast() }
        return bytes.count > 4 && bytes.suffix(4).elementsEqual([0, 0, 1, 0xB7]) ? bytes.dropLast(4) : bytes
    }

    private mutating func digest(of packet: UnsafeBufferPointer<UInt8>, _ syntax: NALSyntax) -> Digest? {
        guard var parser else { return nil }
        self.parser = nil
        let role = parser.role(of: packet)
        let framing = parser.header.framing
        if syntax == .h264, parser.header.sets.all.count != setCount {
            (contexts, setCount) = (parser.header.sets.sliceContexts, parser.header.sets.all.count)
        }
        self.parser = parser
        guard let units = NALUnit.ranges(packet, framing) else { return nil }
        var (whole, coded, count) = (0, 0, 0)
        for range in units {
            let unit = packet[range]
            guard case .slice(let kind) = syntax.kind(unit) else { continue }
            count += 1
            let own = Self.hash(unit)
            whole = Digest.joined(whole, own)
            coded = Digest.joined(coded, SliceContent(unit, syntax, kind, contexts)?.hash ?? own)
        }
        guard count > 0 else { return nil }
        let isSecondField = if case .success(let role) = role { role.isSecondField } else { false }
        return Digest(whole: whole, coded: coded, isSecondField: isSecondField)
    }
}

/// A slice without the parts of its header that differ between copies.
private struct SliceContent {
    let hash: Int

    /// Returns nil if the header can't be parsed.
    init?(
        _ unit: Slice<UnsafeBufferPointer<UInt8>>, _ syntax: NALSyntax, _ kind: PacketRole,
        _ contexts: [Int: H264Slice.Context]
    ) {
        let payload = NALUnit.payload(of: unit.prefix(Self.maxHeader), syntax.headerSize)
        var reader = BitReader(payload)
        var hasher = Hasher()
        switch syntax {
        case .hevc:
            guard let isFirst = reader.bit() else { return nil }
            // no_output_of_prior_pics_flag
            if kind.isKey { reader.skip(1) }
            guard reader.unsigned() != nil else { return nil }
            hasher.combine(isFirst)
        case .h264:
            guard let slice = H264Slice(payload, isIDR: kind == .start, contexts),
                Self.skipHeader(slice, unit[unit.startIndex], &reader, &hasher)
            else { return nil }
        }
        guard reader.position < 8 * (payload.count - 8) else {
            // The slice is hardly longer than its header.
            guard unit.count < Self.maxHeader else { return nil }
            while reader.position < 8 * payload.count, let bit = reader.bit() { hasher.combine(bit) }
            hash = hasher.finalize()
            return
        }
        if reader.position & 7 != 0 { hasher.combine(reader.bits(8 - reader.position & 7)) }
        let start = Self.place(of: reader.position / 8, in: unit, syntax.headerSize)
        let rest = unit[start...]
        hasher.combine(
            bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(rest.base)[rest.indices]))
        hash = hasher.finalize()
    }

    /// The bytes in which a slice's header is looked for.
    private static let maxHeader = 256

    /// Goes to the coded macroblocks. Takes note of the fields that copies keep.
    private static func skipHeader(
        _ slice: H264Slice, _ header: UInt8, _ reader: inout BitReader, _ hasher: inout Hasher
    ) -> Bool {
        guard let picture = slice.context.picture else { return false }
        reader.skip(slice.end)
        if slice.order != nil, picture.ordersBottomFields, slice.isBottom == nil { _ = reader.signed() }
        if slice.order == nil, slice.context.sequence.pictureOrderCount == .cycle { return false }
        if picture.mayRepeat, reader.unsigned() != 0 { return false }
        if !slice.isIntra, !MovedSlice.skipReferences(&reader, slice, picture) { return false }
        if header & 31 == 5 {
            reader.skip(2)
        } else if header & 0x60 != 0, MovedSlice.marking(&reader) == nil {
            return false
        }
        hasher.combine(slice.macroblock)
        hasher.combine(slice.type % 5)
        hasher.combine(slice.isBottom)
        if picture.usesCABAC, !slice.isIntra { hasher.combine(reader.unsigned()) }
        hasher.combine(reader.signed())
        if picture.controlsDeblocking, let mode = reader.unsigned() {
            hasher.combine(mode)
            if mode != 1 {
                hasher.combine(reader.signed())
                hasher.combine(reader.signed())
            }
        }
        // cabac_alignment_one_bit
        if picture.usesCABAC, reader.position & 7 != 0 { reader.skip(8 - reader.position & 7) }
        return true
    }

    /// The index in the unit of a byte of its payload.
    private static func place(of byte: Int, in unit: Slice<UnsafeBufferPointer<UInt8>>, _ headerSize: Int) -> Int {
        var (place, count, zeros) = (unit.startIndex + headerSize, 0, 0)
        while place < unit.endIndex {
            if zeros >= 2, unit[place] == 3 {
                zeros = 0
            } else {
                if count == byte { return place }
                count += 1
                zeros = unit[place] == 0 ? zeros + 1 : 0
            }
            place += 1
        }
        return place
    }
}
