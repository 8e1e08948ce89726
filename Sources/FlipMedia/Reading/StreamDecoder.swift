import CLibav
import FlipBase

/// Decodes the packets of one stream. Owns the AVCodecContext.
final class StreamDecoder: @unchecked Sendable {
    let context: UnsafeMutablePointer<AVCodecContext>
    /// The number of damaged packets and frames so far.
    private(set) var errorCount = 0

    /// - Parameter threads: the number of decoder threads; with 1, the decoder doesn't read ahead.
    init(stream: UnsafeMutablePointer<AVStream>, path: String, threads: Int) throws(MediaError) {
        let parameters = stream.pointee.codecpar.pointee
        let name = String(cString: avcodec_get_name(parameters.codec_id))
        let description = "stream \(stream.pointee.index) (\(name)) of '\(path)'"
        guard let codec = Self.alphaDecoder(stream) ?? avcodec_find_decoder(parameters.codec_id) else {
            throw MediaError(.missingCodec, "this FFmpeg has no decoder for \(description)")
        }
        guard let context = avcodec_alloc_context3(codec) else { throw .outOfMemory }
        self.context = context
        context.pointee.pkt_timebase = stream.pointee.time_base
        context.pointee.thread_count = Int32(clamping: threads)
        let (code, log) = MediaLog.capturing { () -> Int32 in
            let copied = avcodec_parameters_to_context(context, stream.pointee.codecpar)
            context.pointee.max_pixels = Int64(InputLimits.maxPixels)
            return copied < 0 ? copied : avcodec_open2(context, codec, nil)
        }
        guard code >= 0 else { throw MediaError(.badInput, "cannot decode \(description)", code: code, log: log) }
    }

    /// The libvpx decoder for VP8 and VP9 with separately coded alpha (the WebM project's "alpha_mode"), which libav's
    /// own decoders ignore; nil for everything else, and if this FFmpeg lacks libvpx.
    private static func alphaDecoder(_ stream: UnsafeMutablePointer<AVStream>) -> UnsafePointer<AVCodec>? {
        guard let mode = av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0),
            String(cString: mode.pointee.value) == "1"
        else { return nil }
        switch stream.pointee.codecpar.pointee.codec_id {
        case AV_CODEC_ID_VP8: return avcodec_find_decoder_by_name("libvpx")
        case AV_CODEC_ID_VP9: return avcodec_find_decoder_by_name("libvpx-vp9")
        default: return nil
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    /// Discards the decoder's state, so that decoding can continue elsewhere in the stream.
    func flush() { avcodec_flush_buffers(context) }

    /// Sends a packet, or nil after the last one. Call `receive` until it returns nil between two calls.
    func send(_ packet: Packet?) throws(MediaError) {
        let code = avcodec_send_packet(context, packet?.pointer)
        try count(code)
    }

    /// Returns the next frame; nil if the decoder needs a packet or has given its last frame.
    func receive() throws(MediaError) -> Frame? {
        let frame = try Frame()
        while true {
            let code = avcodec_receive_frame(context, frame.pointer)
            if code >= 0 {
                if frame.isDamaged { errorCount += 1 }
                return frame
            }
            if code == flip_error_again || code == flip_error_eof { return nil }
            try count(code)
        }
    }

    /// Counts an error as damage, so that decoding continues; throws only if memory runs out.
    private func count(_ code: Int32) throws(MediaError) {
        if code >= 0 || code == flip_error_again || code == flip_error_eof { return }
        if flip_errno(code) == ENOMEM { throw .outOfMemory }
        errorCount += 1
    }
}

extension Rational {
    init(_ value: AVRational) { self.init(Int(value.num), Int(value.den)) }

    /// The number as an AVRational, whose parts have 32 bits; the nearest one if they don't suffice.
    var raw: AVRational {
        var result = AVRational()
        av_reduce(&result.num, &result.den, Int64(numerator), Int64(denominator), Int64(Int32.max))
        return result
    }
}
