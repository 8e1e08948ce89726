import CLibav
import FlipBase

/// Converts text subtitles from one format to another, packet by packet, by libav's decoders and encoders.
package final class SubtitleConverter {
    private let decoder: UnsafeMutablePointer<AVCodecContext>
    private let encoder: SubtitleEncoder

    /// - Throws: `missingCodec` if this FFmpeg lacks the decoder or the encoder, `badInput` if the stream can't be
    ///   decoded.
    init(_ stream: UnsafeMutablePointer<AVStream>, to codec: String) throws(MediaError) {
        let name = MediaProbe.codecName(stream.pointee.codecpar.pointee)
        guard let found = avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id) else {
            throw MediaError(.missingCodec, "this FFmpeg has no decoder for subtitles in \(name)")
        }
        encoder = try SubtitleEncoder(codec)
        guard let decoder = avcodec_alloc_context3(found) else { throw .outOfMemory }
        self.decoder = decoder
        decoder.pointee.pkt_timebase = stream.pointee.time_base
        let (code, log) = MediaLog.capturing { () -> Int32 in
            let copied = avcodec_parameters_to_context(decoder, stream.pointee.codecpar)
            return copied < 0 ? copied : avcodec_open2(decoder, found, nil)
        }
        guard code >= 0 else { throw MediaError(.badInput, "cannot decode subtitles in \(name)", code: code, log: log) }
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = decoder
        avcodec_free_context(&context)
    }

    /// The converted text; nil if the packet shows nothing. Throws `badInput` for a damaged packet.
    package func convert(_ packet: Packet) throws(MediaError) -> [UInt8]? {
        var subtitle = AVSubtitle()
        var isComplete: Int32 = 0
        let (code, log) = MediaLog.capturing {
            avcodec_decode_subtitle2(decoder, &subtitle, &isComplete, packet.pointer)
        }
        guard code >= 0 else { throw MediaError(.badInput, "cannot decode a subtitle", code: code, log: log) }
        guard isComplete != 0 else { return nil }
        defer { avsubtitle_free(&subtitle) }
        return subtitle.num_rects > 0 ? try encoder.encode(&subtitle) : nil
    }
}

/// An encoder of text subtitles. Styles are the format's own; only what the text itself marks, such as italics, is kept.
package final class SubtitleEncoder {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// - Throws: `missingCodec` if this FFmpeg lacks the encoder.
    package init(_ codec: String) throws(MediaError) {
        guard let found = avcodec_find_encoder_by_name(codec), let context = avcodec_alloc_context3(found) else {
            throw MediaError(.missingCodec, "this FFmpeg has no encoder for subtitles in \(codec)")
        }
        self.context = context
        context.pointee.time_base = AVRational(num: 1, den: 1000)
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        let styles = try Self.defaultStyles()
        guard let memory = av_mallocz(styles.count + 1) else { throw .outOfMemory }
        memory.copyMemory(from: styles, byteCount: styles.count)
        context.pointee.subtitle_header = memory.assumingMemoryBound(to: UInt8.self)
        context.pointee.subtitle_header_size = Int32(styles.count)
        let (code, log) = MediaLog.capturing { avcodec_open2(context, found, nil) }
        guard code >= 0 else {
            throw MediaError(.missingCodec, "cannot encode subtitles in \(codec)", code: code, log: log)
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    /// The header for the container (extradata).
    package var header: [UInt8] {
        let size = Int(context.pointee.extradata_size)
        return context.pointee.extradata.map { Array(UnsafeBufferPointer(start: $0, count: size)) } ?? []
    }

    /// The styles, in the form of an ASS file's header, that libav assumes of formats without any.
    private static func defaultStyles() throws(MediaError) -> [UInt8] {
        guard let found = avcodec_find_decoder(AV_CODEC_ID_SUBRIP), let decoder = avcodec_alloc_context3(found) else {
            throw MediaError(.missingCodec, "this FFmpeg has no decoder for subtitles in subrip")
        }
        var context: UnsafeMutablePointer<AVCodecContext>? = decoder
        defer { avcodec_free_context(&context) }
        guard avcodec_open2(decoder, found, nil) >= 0, let header = decoder.pointee.subtitle_header else {
            throw MediaError(.missingCodec, "this FFmpeg can't decode subtitles in subrip")
        }
        return Array(UnsafeBufferPointer(start: header, count: Int(decoder.pointee.subtitle_header_size)))
    }

    fileprivate func encode(_ subtitle: inout AVSubtitle) throws(MediaError) -> [UInt8]? {
        subtitle.start_display_time = 0
        let size = avcodec_encode_subtitle(context, &buffer, Int32(buffer.count), &subtitle)
        guard size >= 0 else { throw MediaError(.badInput, "cannot convert a subtitle", code: size) }
        return size == 0 ? nil : Array(buffer[..<Int(size)])
    }
}
