/// The role of a packet for cutting a stream.
package enum PacketRole: UInt8, Sendable {
    /// Decoding can begin here, and no later packet is shown before it.
    case start
    /// Decoding can begin here; leading pictures may follow, which are shown before it and decode.
    case startWithLeading
    /// Decoding can begin here, except that leading pictures may refer to earlier packets (open GOP).
    case openStart
    /// A leading picture: it follows a start, is shown before it, and decodes whenever the start does.
    case leading
    /// A leading picture that decodes only if the packets before its open start are there, too.
    case dependentLeading
    case other
    /// No frame of its own, but the second field of the frame whose first field is the packet before.
    case secondField
    /// The same with a PPS of its own, which libavcodec overlooks if both fields are in one packet.
    case otherSecondField

    /// Whether decoding can begin here.
    package var isKey: Bool {
        switch self {
        case .start, .startWithLeading, .openStart: true
        case .leading, .dependentLeading, .other, .secondField, .otherSecondField: false
        }
    }

    /// Whether the packet has no frame of its own.
    package var isSecondField: Bool { self == .secondField || self == .otherSecondField }
}
