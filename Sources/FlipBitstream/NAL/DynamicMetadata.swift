/// What a packet says of how its frame is to be brought to a display: HDR10+ (SMPTE ST 2094-40) and Dolby Vision's RPU.
package struct DynamicMetadata: Sendable, Hashable {
    private let syntax: NALSyntax
    /// Units that precede the slices.
    private var messages: [[UInt8]] = []
    /// Units that follow the slices.
    private var reshapings: [[UInt8]] = []

    /// Returns nil if the packet is damaged.
    package init?(_ packet: UnsafeBufferPointer<UInt8>, _ framing: CodedHeader.Framing, _ syntax: NALSyntax) {
        self.syntax = syntax
        guard let ranges = NALUnit.ranges(packet, framing) else { return nil }
        for range in ranges {
            switch syntax.kind(packet[range]) {
            case .information:
                if let unit = SEI.filtered(packet[range], syntax, where: SEI.isHDR10Plus) { messages.append(unit) }
            case .reshaping: reshapings.append(Array(packet[range]))
            default: break
            }
        }
    }

    /// A packet of an encoder, which has none, with this; nil if the packet is damaged.
    package func added(to packet: UnsafeBufferPointer<UInt8>, _ framing: CodedHeader.Framing) -> [UInt8]? {
        guard let ranges = NALUnit.ranges(packet, framing) else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(packet.count + 1024)
        var waiting = messages[...]
        for range in ranges {
            if case .slice = syntax.kind(packet[range]) {
                for unit in waiting { NALUnit.append(unit, to: &result, framing) }
                waiting = []
            }
            NALUnit.append(packet[range], to: &result, framing)
        }
        for unit in reshapings { NALUnit.append(unit, to: &result, framing) }
        return result
    }
}
