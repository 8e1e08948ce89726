/// Rewrites a stream's packets when they are copied.
package protocol PacketRewriter: Sendable {
    /// The packet that follows those rewritten so far, as it is written to the output, and whether decoding can begin with it; nil if it is damaged.
    /// - Parameter isStart: whether the packet begins a copied stretch, so that those before it in its stream are not
    ///   in the output.
    mutating func rewritten(_ packet: UnsafeBufferPointer<UInt8>, isStart: Bool) -> (bytes: [UInt8], isKey: Bool)?
}
