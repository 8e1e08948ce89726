import FlipBase
import FlipBitstream
import FlipMedia

/// MPEG-1 or MPEG-2 video, whose sequence headers stay in the packets.
struct MPEG2Codec: CopyCodec {
    let name: String
    let title: String
    let pixelFormats: [String]
    let containers = ["mp4", "mov", "matroska", "mpegts", "vob"]

    static let mpeg1 = MPEG2Codec(name: "mpeg1video", title: "MPEG-1", pixelFormats: ["yuv420p"])
    static let mpeg2 = MPEG2Codec(name: "mpeg2video", title: "MPEG-2", pixelFormats: ["yuv420p", "yuv422p"])

    var encoder: String { name }

    func refusal(_ header: CodedHeader, of video: VideoInfo) -> CopyRefusal? {
        header.mpeg2?.sequence == nil ? CopyRefusal("has no sequence headers of \(title)") : nil
    }

    /// A track has one kind of sequence; the encoder gets options that make it so.
    func add(_ header: CodedHeader, to output: inout CodedHeader) -> (any PacketRewriter)? {
        guard let own = header.mpeg2?.sequence ?? output.mpeg2?.sequence,
            output.mpeg2?.sequence.map({ $0 == own }) ?? true
        else { return nil }
        if output.mpeg2 == nil { (output.mpeg2, output.bytes) = (header.mpeg2, header.mpeg2?.bytes ?? []) }
        return MPEG2Rewriter(own)
    }

    /// What the encoder's packets say is known with the first of them, which the rewriter checks.
    func encoderHeader(_ bytes: [UInt8]) -> CodedHeader? { CodedHeader(bytes: bytes) }

    func encoderOptions(beside track: SplicedTrack, for encoding: VideoEncoding) -> [(String, String)] {
        guard let stream = track.header.mpeg2, let sequence = stream.sequence else { return [] }
        // The flag for interlaced blocks also makes the sequence one that may be interlaced.
        let flags = "+cgop" + (sequence.isProgressive ? "" : "+ildct") + (sequence.hasNoDelay ? "+low_delay" : "")
        return [
            ("flags", flags), ("g", "\(track.longestGroup)"), ("bf", track.reorderDepth == 0 ? "0" : "2"),
            // The encoder closes groups only if it doesn't look for changes of the scene.
            ("sc_threshold", "1000000000"),
        ] + (stream.isMPEG1 ? [] : [("dc", "\(stream.extraBits)")])
    }
}
