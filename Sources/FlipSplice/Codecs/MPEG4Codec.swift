import FlipBase
import FlipBitstream
import FlipMedia

/// MPEG-4 video (part 2), as DivX, Xvid and old cameras write it. Intra frames get the headers of their stream.
struct MPEG4Codec: CopyCodec {
    let name = "mpeg4"
    let title = "MPEG-4"
    let encoder = "mpeg4"
    let pixelFormats = ["yuv420p"]
    let containers = ["mp4", "mov", "matroska"]

    func refusal(_ header: CodedHeader, of video: VideoInfo) -> CopyRefusal? {
        header.mpeg4?.layer == nil ? CopyRefusal("has no header that says how MPEG-4 video is delayed") : nil
    }

    func add(_ header: CodedHeader, to output: inout CodedHeader) -> (any PacketRewriter)? {
        guard let own = header.mpeg4, let layer = own.layer,
            output.mpeg4.map({ $0.layer?.hasNoDelay == layer.hasNoDelay }) ?? true
        else { return nil }
        if output.mpeg4 == nil { (output.mpeg4, output.bytes) = (own, own.bytes) }
        return MPEG4Rewriter(own)
    }

    func encoderHeader(_ bytes: [UInt8]) -> CodedHeader? {
        var header = CodedHeader(bytes: bytes)
        header.mpeg4 = MPEG4Stream(header: bytes)
        return header
    }

    func encoderOptions(beside track: SplicedTrack, for encoding: VideoEncoding) -> [(String, String)] {
        let isDelayed = track.header.mpeg4?.layer?.hasNoDelay == false
        return [
            ("flags", "+cgop"), ("g", "\(track.longestGroup)"), ("bf", isDelayed ? "2" : "0"),
            ("sc_threshold", "1000000000"),
        ]
    }
}
