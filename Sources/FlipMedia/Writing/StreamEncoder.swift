import CLibav
import FlipBase
import FlipBitstream

/// Encodes frames into packets. Owns the AVCodecContext.
package final class StreamEncoder {
    let context: UnsafeMutablePointer<AVCodecContext>
    package let name: String
    /// The HDR metadata for the container; nil if there is none.
    let hdr: HDRMetadata?
    /// The display matrix for the container; nil if there is none.
    private(set) var displayMatrix: [Int32]?
    private(set) var dolbyVision: DolbyVision?
    private(set) var projection: Projection?
    /// When a video's frames are shown if that is not at a constant rate; nil if it is.
    private(set) var keptTimes: FrameTimes?
    /// The device to which frames have to be uploaded before they are sent; nil if the encoder takes them as they are.
    let device: DeviceFrames?
    private let packet: Packet
    /// Whether the encoder has been told that no more frames follow.
    private var isEnding = false
    private var hasFrames = false
    private var isOpen = false

    /// - Parameters:
    ///   - options: the encoder's options; one that it doesn't know is an error.
    ///   - configure: sets the context's fields before it is opened.
    private init(
        _ codec: UnsafePointer<AVCodec>, options: [(String, String)], hdr: HDRMetadata? = nil,
        device: DeviceFrames? = nil, configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(MediaError) {
        name = String(cString: codec.pointee.name)
        packet = try Packet()
        (self.hdr, self.device) = (hdr, device)
        guard let context = avcodec_alloc_context3(codec) else { throw .outOfMemory }
        self.context = context
        // Keeps the library's version out of the stream, so that the same frames give the same bytes.
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        configure(context)
        var dictionary: OpaquePointer?
        defer { av_dict_free(&dictionary) }
        for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
        if let device { context.pointee.hw_frames_ctx = try device.poolReference() }
        if Self.usesDevice(codec) {
            // An option's wrong value must not be taken for a missing device.
            let (code, log) = MediaLog.capturing { flip_set_options(context, &dictionary) }
            guard code >= 0 else { throw Self.refusal(name, code, log) }
            try checkUnknown(dictionary)
        }
        let (code, log) = MediaLog.capturing { avcodec_open2(context, codec, &dictionary) }
        guard code >= 0 else { throw Self.failure(codec, code, log) }
        isOpen = true
        try checkUnknown(dictionary)
    }

    /// Throws `usage` if options are left that the encoder doesn't have.
    private func checkUnknown(_ options: OpaquePointer?) throws(MediaError) {
        guard let unknown = av_dict_get(options, "", nil, AV_DICT_IGNORE_SUFFIX) else { return }
        let key = String(cString: unknown.pointee.key)
        let question = Suggestion.question(for: key, among: Encoders.optionNames(of: context))
        throw MediaError(.usage, "the encoder '\(name)' has no option '\(key)'\(question)")
    }

    /// The error for an encoder that can't be opened, because of what its device lacks or of settings it doesn't accept.
    private static func failure(_ codec: UnsafePointer<AVCodec>, _ code: Int32, _ log: String?) -> MediaError {
        if usesDevice(codec) || code == flip_error_encoder_not_found {
            return missingDevice(codec, log ?? MediaError.text(of: code))
        }
        return refusal(String(cString: codec.pointee.name), code, log)
    }

    private static func refusal(_ name: String, _ code: Int32, _ log: String?) -> MediaError {
        MediaError(.usage, "the encoder '\(name)' doesn't accept these settings", code: code, log: log)
    }

    private static func missingDevice(_ codec: UnsafePointer<AVCodec>, _ reason: String) -> MediaError {
        let alternative = HardwareFamily.software(for: String(cString: avcodec_get_name(codec.pointee.id)))
        return MediaError(
            .missingCodec,
            "the encoder '\(String(cString: codec.pointee.name))' can't be used on this machine: \(reason)"
                + (alternative.map { " (give --video-codec \($0))" } ?? ""))
    }

    private static func usesDevice(_ codec: UnsafePointer<AVCodec>) -> Bool {
        codec.pointee.capabilities & (AV_CODEC_CAP_HARDWARE | AV_CODEC_CAP_HYBRID) != 0
    }

    /// Opens the device to which the encoder's frames are uploaded; nil if it takes them from system memory.
    private static func device(
        _ codec: UnsafePointer<AVCodec>, _ encoding: VideoEncoding
    ) throws(MediaError) -> DeviceFrames? {
        guard let kind = Encoders.deviceKind(codec) else { return nil }
        do {
            return try DeviceFrames(
                kind, pixelFormat: encoding.pixelFormat, width: encoding.width, height: encoding.height)
        } catch {
            throw error.kind == .missingCodec ? missingDevice(codec, error.message) : error
        }
    }

    deinit {
        if name == "libsvtav1", isOpen, !isEnding {
            // SVT-AV1 1.4 hangs if it is closed without EOS ("deinit called without sending EOS"), and before its first
            // frame in any case; it is then left open until the program ends.
            if !hasFrames { return }
            avcodec_send_frame(context, nil)
        }
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    /// - Parameter hasGlobalHeader: whether the container stores the codec's headers as extradata, apart from the
    ///   packets.
    package convenience init(video encoding: VideoEncoding, in container: Container, hasGlobalHeader: Bool)
        throws(MediaError)
    {
        try Encoders.check(encoding, in: container)
        let name = encoding.codec ?? container.defaultVideoCodec
        let codec = try Encoders.encoder(named: name, AVMEDIA_TYPE_VIDEO)
        let settings = EncoderSettings(encoding, codec: name)
        if name == "libsvtav1" { flip_silence_svt() }
        let device = try Self.device(codec, encoding)
        try self.init(codec, options: settings.options, hdr: encoding.hdr, device: device) { context in
            context.pointee.width = Int32(encoding.width)
            context.pointee.height = Int32(encoding.height)
            context.pointee.pix_fmt = device?.kind.format ?? encoding.pixelFormat.raw
            context.pointee.time_base = encoding.frameRate.inverse.raw
            context.pointee.framerate = encoding.frameRate.raw
            context.pointee.sample_aspect_ratio = encoding.form.sampleAspectRatio.raw
            if let order = encoding.form.fieldOrder {
                context.pointee.flags |= AV_CODEC_FLAG_INTERLACED_DCT | AV_CODEC_FLAG_INTERLACED_ME
                context.pointee.field_order = encoding.form.stated(order)
            }
            context.pointee.color_primaries = encoding.color.rawPrimaries
            context.pointee.color_trc = encoding.color.rawTransfer
            context.pointee.colorspace = encoding.color.rawMatrix
            context.pointee.color_range = encoding.color.rawRange
            context.pointee.chroma_sample_location = encoding.color.rawChromaLocation
            context.pointee.thread_count = Int32(clamping: max(1, encoding.threads))
            if let bitrate = encoding.bitrate { context.pointee.bit_rate = Int64(bitrate) }
            if let pass = encoding.pass, name != "libx265" {
                context.pointee.flags |= pass.isFirst ? AV_CODEC_FLAG_PASS1 : AV_CODEC_FLAG_PASS2
            }
            if let scale = settings.quantizer {
                context.pointee.flags |= AV_CODEC_FLAG_QSCALE
                context.pointee.global_quality = Int32(scale) * Int32(FF_QP2LAMBDA)
            }
            if !container.storesDecodingTimes { context.pointee.max_b_frames = 0 }
            if hasGlobalHeader { context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
        }
        (displayMatrix, dolbyVision, projection) = (encoding.form.matrix, encoding.dolbyVision, encoding.projection)
        keptTimes = encoding.keptTimes
    }

    package convenience init(audio encoding: AudioEncoding, in container: Container, hasGlobalHeader: Bool)
        throws(MediaError)
    {
        try Encoders.check(encoding, in: container)
        let name = encoding.codec ?? container.defaultAudioCodec ?? ""
        let codec = try Encoders.encoder(named: name, AVMEDIA_TYPE_AUDIO)
        guard var layout = ChannelLayout.named(encoding.layout) else {
            throw MediaError(.usage, "there is no channel layout '\(encoding.layout)'")
        }
        let formats = flip_encoder_sample_formats(codec)
        // Lets `apply` change them between packets.
        let options = DolbyLevels.areStated(by: name) ? [("per_frame_metadata", "1")] : []
        try self.init(codec, options: options) { context in
            context.pointee.sample_rate = Int32(clamping: encoding.sampleRate)
            let standard = Self.sampleFormat(from: formats, isDeep: false)
            context.pointee.sample_fmt = Self.sampleFormat(from: formats, isDeep: encoding.isDeep)
            // FLAC has 24 bits of such samples in all versions, and 32 only in new ones.
            if context.pointee.sample_fmt != standard { context.pointee.bits_per_raw_sample = 24 }
            context.pointee.time_base = AVRational(num: 1, den: Int32(clamping: encoding.sampleRate))
            av_channel_layout_copy(&context.pointee.ch_layout, &layout)
            context.pointee.bit_rate = Int64(encoding.rate)
            if hasGlobalHeader { context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
        }
    }

    /// Makes the next packets say the same of their loudness. Encoders that don't write it ignore that.
    package func apply(_ levels: DolbyLevels) {
        guard DolbyLevels.areStated(by: name) else { return }
        for (key, value) in levels.options { av_opt_set(context.pointee.priv_data, key, value, 0) }
    }

    /// Planar Float if the encoder takes it or lists no formats, else the first format it lists.
    /// - Parameter isDeep: whether integers should have 32 bits if the encoder takes them.
    private static func sampleFormat(from list: UnsafePointer<AVSampleFormat>?, isDeep: Bool) -> AVSampleFormat {
        guard let list else { return AV_SAMPLE_FMT_FLTP }
        let formats = sequence(first: list) { $0 + 1 }.lazy.map(\.pointee).prefix { $0 != AV_SAMPLE_FMT_NONE }
        if formats.contains(AV_SAMPLE_FMT_FLTP) { return AV_SAMPLE_FMT_FLTP }
        let deep = formats.first { $0 == AV_SAMPLE_FMT_S32 || $0 == AV_SAMPLE_FMT_S32P }
        return isDeep ? deep ?? list.pointee : list.pointee
    }

    /// libav's name of the codec that it makes, such as "h264".
    package var codec: String { String(cString: avcodec_get_name(context.pointee.codec_id)) }

    /// The encoder's extradata.
    package var header: [UInt8] {
        let size = Int(context.pointee.extradata_size)
        return context.pointee.extradata.map { Array(UnsafeBufferPointer(start: $0, count: size)) } ?? []
    }

    /// The number of samples in each packet of audio; 0 if packets may be of any length.
    package var frameSamples: Int { Int(context.pointee.frame_size) }

    /// The number of samples by which the first packet of audio begins before the first sample that it is made of.
    package var priming: Int { Int(context.pointee.initial_padding) }

    /// The time base of its packets as the container gets them.
    var timeBase: AVRational { keptTimes?.timeBase.raw ?? context.pointee.time_base }

    /// The reorder depth, in frames. x265's wrapper doesn't report it; with its B-pyramid it is two.
    package var reorderDepth: Int { max(Int(context.pointee.has_b_frames), name == "libx265" ? 2 : 0) }

    /// Sends a frame, or nil after the last one. Call `receive` until it returns nil between two calls.
    package func send(_ frame: Frame?) throws(MediaError) {
        if frame == nil { isEnding = true } else { hasFrames = true }
        let code = avcodec_send_frame(context, frame?.pointer)
        guard code >= 0 || code == flip_error_eof else {
            throw MediaError(.internalFault, "the encoder '\(name)' failed", code: code)
        }
    }

    /// Returns the next packet, valid until the next call; nil if the encoder needs a frame or has given its last
    /// packet.
    package func receive() throws(MediaError) -> Packet? {
        packet.clear()
        let code = avcodec_receive_packet(context, packet.pointer)
        if code == flip_error_again || code == flip_error_eof { return nil }
        guard code >= 0 else { throw MediaError(.internalFault, "the encoder '\(name)' failed", code: code) }
        return packet
    }
}
