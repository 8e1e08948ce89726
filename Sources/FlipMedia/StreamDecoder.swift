import CLibav

/// Turns one stream's packets into frames. Owns the AVCodecContext.
final class StreamDecoder: @unchecked Sendable {
    let context: UnsafeMutablePointer<AVCodecContext>
    /// Packets and frames that were damaged, so far.
    private(set) var errorCount = 0

    /// - Parameter threads: frames decoded at once; 1 keeps the decoder from reading ahead.
    init(stream: UnsafeMutablePointer<AVStream>, path: String, threads: Int) throws(MediaError) {
        let parameters = stream.pointee.codecpar.pointee
        let name = String(cString: avcodec_get_name(parameters.codec_id))
        let place = "stream \(stream.pointee.index) (\(name)) of '\(path)'"
        guard let codec = Self.alphaDecoder(stream) ?? avcodec_find_decoder(parameters.codec_id) else {
            throw MediaError(.missingCodec, "this FFmpeg has no decoder for \(place)")
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
        guard code >= 0 else { throw MediaError(.badInput, "cannot decode \(place)", code: code, log: log) }
    }

    /// For VP8 and VP9 with alpha in a stream of its own (the WebM project's "alpha_mode"), which libav's own decoders leave
    /// out; nil for all else, and where this FFmpeg lacks libvpx.
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

    /// Forgets what it was given, to go on elsewhere in the stream.
    func flush() { avcodec_flush_buffers(context) }

    /// Hands over a packet, or nil after the last one. Call `receive` until nil in between.
    func send(_ packet: Packet?) throws(MediaError) {
        let code = avcodec_send_packet(context, packet?.pointer)
        try count(code)
    }

    /// The next frame, or nil when the decoder wants a packet (or has given its last frame).
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

    /// Damage is counted and decoding goes on; only a lack of memory ends it.
    private func count(_ code: Int32) throws(MediaError) {
        if code >= 0 || code == flip_error_again || code == flip_error_eof { return }
        if flip_errno(code) == ENOMEM { throw .outOfMemory }
        errorCount += 1
    }
}

extension Rational {
    init(_ value: AVRational) { self.init(Int(value.num), Int(value.den)) }

    /// libav's form, whose parts have 32 bits; the nearest when these do not.
    var raw: AVRational {
        var result = AVRational()
        av_reduce(&result.num, &result.den, Int64(numerator), Int64(denominator), Int64(Int32.max))
        return result
    }
}
