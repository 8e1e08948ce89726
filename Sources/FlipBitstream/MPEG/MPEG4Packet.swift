/// What a packet of MPEG-4 video holds, which has to be one coded frame (ISO/IEC 14496-2 6.2).
package struct MPEG4Packet: Sendable {
    /// vop_coding_type
    enum Picture: Int { case intra, predicted, bidirectional, sprite }

    /// What all packets of a track have in common, or decoders begin anew and may lose a frame.
    package struct Layer: Sendable, Hashable {
        /// Whether no frame is shown later than it is decoded.
        package let hasNoDelay: Bool
        /// The ticks of a second in which frames state their times.
        let resolution: Int
    }

    /// The start codes before a frame's data.
    fileprivate enum Code {
        static let layers: ClosedRange<UInt8> = 0x20...0x2F
        static let frame: UInt8 = 0xB6

        /// A reader of what follows a start code. No header is longer than this that is read here.
        static func reader(_ bytes: UnsafeBufferPointer<UInt8>, after start: Int) -> BitReader {
            BitReader(Array(bytes[start + 4..<min(start + 40, bytes.count)]))
        }
    }

    let picture: Picture
    /// The header of the video object layer that the packet begins with; nil if it has none.
    let layer: Layer?
    /// Where the frame, or what belongs to it alone, begins.
    let start: Int

    /// Returns nil if the packet is damaged, or doesn't hold exactly one coded frame.
    /// - Parameter known: the layer of the packets before.
    init?(_ packet: UnsafeBufferPointer<UInt8>, _ known: Layer?) {
        var layer: Layer?
        var frame: (picture: Picture, start: Int)?
        for start in StartCode.all(in: packet) where start + 3 < packet.count {
            let code = packet[start + 3]
            if Code.layers.contains(code) {
                guard let own = Layer(packet, at: start), frame == nil else { return nil }
                layer = own
            } else if code == Code.frame {
                var reader = Code.reader(packet, after: start)
                guard frame == nil, let own = layer ?? known, let type = reader.bits(2),
                    let picture = Picture(rawValue: type),
                    Self.isCoded(&reader, own)
                else { return nil }
                frame = (picture, start)
            }
        }
        guard let frame else { return nil }
        (picture, start, self.layer) = (frame.picture, frame.start, layer)
    }

    /// Reads on in the header of a frame: whether it has any data, or only repeats the one before.
    private static func isCoded(_ reader: inout BitReader, _ layer: Layer) -> Bool {
        // modulo_time_base, a marker, vop_time_increment, a marker, vop_coded
        while let bit = reader.bit(), bit == 1 {}
        reader.skip(1 + max(1, Int.bitWidth - (layer.resolution - 1).leadingZeroBitCount) + 1)
        return reader.bit() == 1
    }
}

extension MPEG4Packet.Layer {
    /// Reads the video object layer (6.2.3) whose start code is at `start`. Returns nil if there is none, it is damaged, has a
    /// shape, or doesn't say whether frames are delayed.
    fileprivate init?(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        guard start + 3 < bytes.count, MPEG4Packet.Code.layers.contains(bytes[start + 3]) else { return nil }
        var reader = MPEG4Packet.Code.reader(bytes, after: start)
        reader.skip(9)
        guard let isNumbered = reader.bit() else { return nil }
        let version = isNumbered == 1 ? reader.bits(4) : 1
        if isNumbered == 1 { reader.skip(3) }
        guard version != nil, let aspect = reader.bits(4) else { return nil }
        // extended_PAR
        if aspect == 15 { reader.skip(16) }
        // vol_control_parameters: chroma_format, low_delay, vbv_parameters
        guard reader.bit() == 1, reader.bits(2) != nil, let hasNoDelay = reader.bit(), let isBuffered = reader.bit()
        else {
            return nil
        }
        if isBuffered == 1 { reader.skip(79) }
        // video_object_layer_shape, which is rectangular, and a marker
        guard reader.bits(2) == 0, reader.bit() != nil, let resolution = reader.bits(16), resolution > 0 else {
            return nil
        }
        (self.hasNoDelay, self.resolution) = (hasNoDelay == 1, resolution)
    }
}

/// What the packets of a stream of MPEG-4 video have said so far.
package struct MPEG4Stream: Sendable {
    /// Nil until the first header of a layer.
    package private(set) var layer: MPEG4Packet.Layer?
    /// The headers that stand before the first frame, or in the container's header.
    package private(set) var bytes: [UInt8]
    /// Whether frames are shown before the latest intra frame that a stretch can begin with.
    private var isLeading = false

    /// - Parameter header: the extradata; empty if there is none.
    package init(header: [UInt8]) {
        bytes = header
        layer = header.withUnsafeBufferPointer { header in
            StartCode.all(in: header).lazy.compactMap { MPEG4Packet.Layer(header, at: $0) }.first { _ in true }
        }
    }

    /// The role of the next packet. A stretch can begin with an intra frame, without those that are shown before it.
    mutating func role(of packet: UnsafeBufferPointer<UInt8>) -> Result<PacketRole, CopyRefusal> {
        guard let facts = MPEG4Packet(packet, layer) else {
            return .failure(CopyRefusal("has packets that don't hold exactly one coded frame each"))
        }
        if let own = facts.layer {
            if layer == nil { (layer, bytes) = (own, Array(packet[..<facts.start])) }
            guard own == layer else { return .failure(CopyRefusal("changes its header within the stream")) }
        }
        guard layer != nil else { return .failure(CopyRefusal("has no header of MPEG-4 video")) }
        if facts.picture == .bidirectional { return .success(isLeading ? .dependentLeading : .other) }
        isLeading = facts.picture == .intra
        return .success(isLeading ? .openStart : .other)
    }
}

/// Copies packets of MPEG-4 video, with the stream's headers before every intra frame.
package struct MPEG4Rewriter: PacketRewriter {
    private let stream: MPEG4Stream

    package init(_ stream: MPEG4Stream) { self.stream = stream }

    package func rewritten(_ packet: UnsafeBufferPointer<UInt8>, isStart: Bool) -> (bytes: [UInt8], isKey: Bool)? {
        guard let facts = MPEG4Packet(packet, stream.layer), facts.layer == nil || facts.layer == stream.layer else {
            return nil
        }
        let isKey = facts.picture == .intra
        return ((isKey && facts.layer == nil ? stream.bytes : []) + packet, isKey)
    }
}
