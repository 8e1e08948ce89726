import FlipBase
import FlipBitstream
import FlipMedia

/// Gives encoded frames the dynamic metadata of the clips' frames that they show.
struct MetadataCarrier {
    private let origin: SplicedTrack.Origin
    private let syntax: NALSyntax
    private let framing: CodedHeader.Framing
    /// What was read of the latest two clips, which may be those of a transition: the clip's path, and a run of its frames.
    private var windows: [(path: String, frames: Range<Int>, metadata: [Int: DynamicMetadata])] = []

    /// The number of frames that are read at once.
    private static let length = 64

    /// Returns nil if the track leaves such metadata out.
    init?(_ track: SplicedTrack) {
        guard let origin = track.origin, let codec = track.codec as? NALCodec else { return nil }
        (self.origin, syntax, framing) = (origin, codec.syntax, track.header.framing)
    }

    /// The packet of frame `number` of the output with what belongs to it.
    mutating func added(to packet: [UInt8], at number: Int) throws -> [UInt8] {
        guard let (clip, frame) = origin(number) else { return packet }
        if !windows.contains(where: { $0.path == clip.video.path && $0.frames.contains(frame) }) {
            // Encoders give frames in decoding order, which is a little ahead.
            let first = max(0, frame - 8)
            let frames = first..<min(first + Self.length, clip.video.frameCount)
            windows = windows.suffix(1) + [(clip.video.path, frames, try clip.dynamicMetadata(of: frames, syntax))]
        }
        let window = windows.last { $0.path == clip.video.path && $0.frames.contains(frame) }
        guard let metadata = window?.metadata[frame] else { return packet }
        guard let whole = packet.withUnsafeBufferPointer({ metadata.added(to: $0, framing) }) else {
            throw SpliceFailure("the encoder gave a packet of a kind that is not copied")
        }
        return whole
    }
}
