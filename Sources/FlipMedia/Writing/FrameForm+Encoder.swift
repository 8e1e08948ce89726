import CLibav
import FlipBase
import FlipBitstream

extension FrameForm {
    /// The form of the encoder's packets, found by encoding a frame; nil if its packet doesn't show it.
    package static func made(by encoding: VideoEncoding, in container: Container) throws(MediaError) -> FrameForm? {
        let track = try VideoEncoder(encoding, in: container, hasGlobalHeader: true)
        // `prepared` converts the planar frame if the encoder takes only packed formats.
        let wanted = encoding.pixelFormat
        let planar = (wanted.hasAlpha ? wanted.withAlpha : nil) ?? wanted.nearestPlanar
        let pool = try FramePool(
            width: encoding.width, height: encoding.height, pixelFormat: planar, color: encoding.color)
        let frame = try pool.make()
        for index in 0..<frame.planeCount {
            let (base, stride) = frame.plane(index)
            base.initializeMemory(as: UInt8.self, repeating: 0, count: stride * frame.planeSize(index).height)
        }
        try track.encoder.send(try track.prepared(frame, index: 0))
        try track.encoder.send(nil)
        guard let packet = try track.encoder.receive() else { return nil }
        let context = track.encoder.context.pointee
        var form = FrameForm(
            String(cString: avcodec_get_name(context.codec_id)),
            profile: avcodec_profile_name(context.codec_id, profile(context)).map { String(cString: $0) },
            header: track.encoder.header, width: encoding.width, height: encoding.height,
            rawBytes: encoding.pixelFormat.byteCount(width: encoding.width, height: encoding.height))
        return form.isStart(packet.bytes) == true ? form : nil
    }

    /// The profile by libav's number. Some ProRes encoders state it only by their QuickTime codec tag.
    private static func profile(_ context: AVCodecContext) -> Int32 {
        let names = ["apco", "apcs", "apcn", "apch", "ap4h", "ap4x"].map { name in
            name.utf8.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        return names.firstIndex(of: context.codec_tag).map { Int32($0) } ?? context.profile
    }
}
