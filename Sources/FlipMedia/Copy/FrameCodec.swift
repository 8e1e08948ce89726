import CLibav
import FlipBase
import FlipBitstream

/// A codec without parameter sets whose packets hold one shown frame each, in presentation order: VP9, AV1, and
/// intra-only codecs. Packets are copied unchanged, provided that what the track's header says applies to them.
struct FrameCodec: CopyCodec {
    let name: String
    let title: String
    let encoder: String
    let pixelFormats: [String]
    let containers: [String]
    /// The form of the encoder's packets.
    private let form: FrameForm
    private let container: Container
    /// The encoder options that give its packets the clips' form.
    private let options: [(String, String)]

    /// libav's names of the containers that packets of the codec can be copied to.
    private static func containers(for codec: String) -> [String] {
        ["vp9", "av1"].contains(codec)
            ? ["mp4", "mov", "matroska", "webm"] : ["mp4", "mov", "matroska", "avi", "nut"]
    }

    /// Creates the codec of `encoding`'s encoder; nil if it is none of these, or can't be copied to `container`.
    /// Encodes a frame to see which form the encoder's packets have.
    /// - Parameter like: a clip that is to be copied.
    init?(_ encoding: VideoEncoding, in container: Container, like info: MediaInfo) throws(MediaError) {
        encoder = encoding.codec ?? container.defaultVideoCodec
        let codec = try Encoders.encoder(named: encoder, AVMEDIA_TYPE_VIDEO)
        let name = String(cString: avcodec_get_name(codec.pointee.id))
        self.name = name
        containers = FrameCodec.containers(for: name)
        guard FrameForm.exists(name), containers.contains(container.name) else { return nil }
        title = name
        pixelFormats = [encoding.pixelFormat.name]
        self.container = container
        let model = try FrameModel(info, name)
        var trial = encoding
        trial.options = model.map { FrameCodec.options(name, $0) } ?? []
        guard var form = try FrameForm.made(by: trial, in: container) else { return nil }
        if let model, !FrameCodec.fits(model, form, container) {
            for settings in FrameCodec.settings(encoder, encoding) {
                var other = encoding
                other.options = settings
                // Some settings are not possible with every frame size.
                guard let made = try? FrameForm.made(by: other, in: container),
                    FrameCodec.fits(model, made, container)
                else { continue }
                (form, trial) = (made, other)
                break
            }
        }
        (self.form, options) = (form, trial.options)
    }

    /// Whether packets like those of `model` can be joined with packets of `form`.
    private static func fits(_ model: FrameModel, _ form: FrameForm, _ container: Container) -> Bool {
        guard let sequence = model.sequence else { return form.hasHeader(model.header) }
        return form.takes(sequence, isMixed: container.mixesSequenceHeaders)
    }

    /// libav's name of the encoder to join with `video`'s packets if the user names none; nil if there is none.
    static func encoder(like video: VideoInfo, in container: Container) -> String? {
        // Without being asked, don't put intra-only codecs into mp4, nor uncompressed video into any container.
        let isUsual = ["vp9", "av1"].contains(video.codec) || container.name != "mp4" && video.codec != "rawvideo"
        guard isUsual, !video.isStill, FrameForm.exists(video.codec),
            containers(for: video.codec).contains(container.name),
            let id = avcodec_descriptor_get_by_name(video.codec)?.pointee.id,
            let muxer = av_guess_format(container.name, nil, nil),
            avformat_query_codec(muxer, id, Int32(FF_COMPLIANCE_NORMAL)) != 0
        else { return nil }
        if video.codec == "av1", avcodec_find_encoder_by_name("libsvtav1") != nil { return "libsvtav1" }
        if video.codec == "prores", avcodec_find_encoder_by_name("prores_ks") != nil { return "prores_ks" }
        return avcodec_find_encoder(id).map { String(cString: $0.pointee.name) }
    }

    /// The options that make the encoder produce the profile of `model`.
    private static func options(_ name: String, _ model: FrameModel) -> [(String, String)] {
        ["prores", "dnxhd"].contains(name) && model.profile >= 0 ? [("profile", "\(model.profile)")] : []
    }

    /// The encoder settings that show in a header, the most common first. Headers depend on little else, so one of them
    /// may reproduce a clip's header.
    private static func settings(_ encoder: String, _ encoding: VideoEncoding) -> [[(String, String)]] {
        switch encoder {
        case "libsvtav1" where encoding.preset == nil:
            return ["8", "6", "12", "4"].map { [("preset", $0)] }
        case "libaom-av1":
            return ["8", "6", "4", "2"].flatMap { speed in
                ["good", "realtime"].map { [("cpu-used", speed), ("usage", $0)] }
            }
        case "ffv1":
            return ["24", "4", "16", "12", "9", "6", "15", "20", "30"].flatMap { slices in
                [("1", "1"), ("12", "1"), ("1", "0"), ("12", "0")].flatMap { group, check in
                    [("0", "0"), ("1", "0"), ("0", "1"), ("1", "1"), ("2", "0"), ("2", "1")].map { coder, context in
                        [
                            ("level", "3"), ("g", group), ("slices", slices), ("slicecrc", check), ("coder", coder),
                            ("context", context),
                        ]
                    }
                }
            }
        default: return []
        }
    }

    func header(_ bytes: [UInt8], of video: VideoInfo) -> Result<CodedHeader, CopyRefusal> {
        if video.isInterlaced { return .failure(CopyRefusal("is interlaced")) }
        if video.lostMetadata.contains(.hdr10Plus) {
            return .failure(CopyRefusal("has HDR10+ metadata, which encoded frames would lack"))
        }
        if name == "vp9", video.pixelFormat.hasAlpha {
            return .failure(CopyRefusal("has its alpha in a separate stream"))
        }
        var header = CodedHeader(bytes: bytes)
        header.frames = FrameForm(
            name, profile: video.profile, header: bytes, width: video.width, height: video.height,
            rawBytes: video.pixelFormat.byteCount(width: video.width, height: video.height))
        return .success(header)
    }

    func role(
        of packet: UnsafeBufferPointer<UInt8>, _ header: inout CodedHeader
    ) -> Result<PacketRole, CopyRefusal> {
        guard let isStart = header.frames?.isStart(packet) else {
            return .failure(CopyRefusal("has packets that don't hold exactly one frame each, like the first"))
        }
        return .success(isStart ? .start : .other)
    }

    func refusal(_ header: CodedHeader, of video: VideoInfo) -> CopyRefusal? {
        guard let own = header.frames else { return CopyRefusal("has no frames") }
        return own.refusal(
            beside: form, in: container.extensions[0], isMixed: container.mixesSequenceHeaders)
    }

    func emptyHeader(in container: Container) -> CodedHeader {
        var header = CodedHeader()
        header.frames = form
        return header
    }

    func add(_ header: CodedHeader, to output: inout CodedHeader) -> (any PacketRewriter)? {
        guard let own = header.frames else { return nil }
        if own.sequence != form.sequence { output.isMixed = true }
        if !header.bytes.isEmpty, own == form { output.bytes = header.bytes }
        return FrameRewriter(form: own)
    }

    func hasRoomForEncoder(_ output: CodedHeader) -> Bool { true }

    func encoderHeader(_ bytes: [UInt8]) -> CodedHeader? {
        var header = CodedHeader(bytes: bytes)
        header.frames = form
        return header
    }

    /// The encoder's own header, except for AV1: its sequence header is taken from the frames, since the one that the
    /// encoder reports is not always the same.
    ///
    /// If sequence headers differ in the track, `av1C` has none (AV1-ISOBMFF 2.3.4): every sync sample has its own.
    func written(_ output: CodedHeader) -> [UInt8]? {
        guard let sequence = form.sequence else { return output.bytes }
        return sequence.configuration + (output.isMixed ? [] : sequence.unit)
    }

    func encoderOptions(beside track: SplicedTrack, for encoding: VideoEncoding) -> [(String, String)] {
        ["vp9", "av1"].contains(name) ? options + [("g", "\(track.longestGroup)")] : options
    }
}

/// What a clip's stream says about how it was encoded.
private struct FrameModel {
    let profile: Int32
    let header: [UInt8]
    /// The sequence header of AV1, from the first packet or else from `header`; nil for other codecs.
    let sequence: AV1Sequence?

    /// Returns nil if the clip's video is not coded with `codec`.
    init?(_ info: MediaInfo, _ codec: String) throws(MediaError) {
        guard let video = info.video, video.codec == codec else { return nil }
        let file = try InputFile(path: info.path)
        defer { withExtendedLifetime(file) {} }
        guard let parameters = file.stream(video.streamIndex)?.pointee.codecpar.pointee else { return nil }
        profile = parameters.profile
        let bytes = UnsafeBufferPointer(start: parameters.extradata, count: Int(parameters.extradata_size))
        header = parameters.extradata == nil ? [] : Array(bytes)
        let packet = try Packet()
        guard codec == "av1", case .packet = try file.read(into: packet, stream: video.streamIndex) else {
            sequence = nil
            return
        }
        sequence = AV1Packet.sequence(packet.bytes) ?? AV1Packet.sequence(header: header)
    }
}

/// Checks packets and copies them unchanged.
private struct FrameRewriter: PacketRewriter {
    let form: FrameForm

    func rewritten(_ packet: UnsafeBufferPointer<UInt8>, isStart: Bool) -> (bytes: [UInt8], isKey: Bool)? {
        var form = form
        guard let begins = form.isStart(packet), begins || !isStart else { return nil }
        return (Array(packet), begins)
    }
}

extension Container {
    /// Whether the AV1 sequence headers within a track may differ in what `av1C` doesn't say.
    fileprivate var mixesSequenceHeaders: Bool { priming == .editList }
}

extension PixelFormat {
    /// The size in bytes of an uncompressed frame without padding.
    fileprivate func byteCount(width: Int, height: Int) -> Int {
        Int(av_image_get_buffer_size(raw, Int32(clamping: width), Int32(clamping: height), 1))
    }
}

extension FrameForm {
    /// Whether the codec is known to be one whose packets hold one shown frame each, in presentation order.
    package static func exists(_ codec: String) -> Bool {
        if ["vp9", "av1", "ffv1", "png"].contains(codec) { return true }
        guard let descriptor = avcodec_descriptor_get_by_name(codec) else { return false }
        return descriptor.pointee.type == AVMEDIA_TYPE_VIDEO
            && descriptor.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0
    }

    /// The form of the encoder's packets, found by encoding a frame; nil if its packet doesn't show it.
    fileprivate static func made(by encoding: VideoEncoding, in container: Container) throws(MediaError) -> FrameForm? {
        let track = try VideoTrack(encoding, in: container, hasGlobalHeader: true)
        // `prepared` converts the planar frame if the encoder takes only packed formats.
        let wanted = encoding.pixelFormat
        let planar = (wanted.hasAlpha ? wanted.withAlpha : nil) ?? wanted.nearestPlanar
        let pool = try FramePool(
            width: encoding.width, height: encoding.height, pixelFormat: planar, colour: encoding.colour)
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
