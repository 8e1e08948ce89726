import CLibav

/// A codec whose packets hold one shown frame each, in the order of showing, and that has no parameter sets: VP9, AV1, and
/// all that code every frame for itself. Packets are copied as they are where what the track says of them holds.
struct FrameCodec: CopyCodec {
    let name: String
    let title: String
    let encoder: String
    let pixelFormats: [String]
    let containers: [String]
    /// Of what the encoder makes.
    private let form: FrameForm
    private let container: Container
    /// What makes the encoder's form that of the clips.
    private let options: [(String, String)]

    /// libav's names of the containers for the codec.
    private static func containers(for codec: String) -> [String] {
        ["vp9", "av1"].contains(codec)
            ? ["mp4", "mov", "matroska", "webm"] : ["mp4", "mov", "matroska", "avi", "nut"]
    }

    /// The codec of `encoding`'s encoder; nil where it is none of these. Lets the encoder encode a frame to see what it
    /// makes.
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
                // Not all of them go with every size.
                guard let made = try? FrameForm.made(by: other, in: container),
                    FrameCodec.fits(model, made, container)
                else { continue }
                (form, trial) = (made, other)
                break
            }
        }
        (self.form, options) = (form, trial.options)
    }

    /// Whether packets like those of `model` can be copied beside those of `form`.
    private static func fits(_ model: FrameModel, _ form: FrameForm, _ container: Container) -> Bool {
        guard let sequence = model.sequence else { return form.hasHeader(model.header) }
        return form.takes(sequence, in: container)
    }

    /// The encoder whose packets go beside those of `video`, where a user does not say; nil where there is none.
    static func encoder(like video: VideoInfo, in container: Container) -> String? {
        // Nobody who says .mp4 means pictures one by one, nor anybody an uncompressed file who does not say so.
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

    /// What the encoder is told for it to make the likes of `model`.
    private static func options(_ name: String, _ model: FrameModel) -> [(String, String)] {
        ["prores", "dnxhd"].contains(name) && model.profile >= 0 ? [("profile", "\(model.profile)")] : []
    }

    /// What clips may have been encoded with where that shows in their header, the most usual first. The header says
    /// little else, so one of them may give the same.
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
            return .failure(CopyRefusal("has its alpha in a stream of its own"))
        }
        var header = CodedHeader(bytes: bytes)
        header.frames = FrameForm(
            name, profile: video.profile, header: bytes, width: video.width, height: video.height,
            pixelFormat: video.pixelFormat)
        return .success(header)
    }

    func role(
        of packet: UnsafeBufferPointer<UInt8>, _ header: inout CodedHeader
    ) -> Result<PacketRole, CopyRefusal> {
        guard let isStart = header.frames?.isStart(packet) else {
            return .failure(CopyRefusal("has packets that don't hold just one frame like the first"))
        }
        return .success(isStart ? .start : .other)
    }

    func refusal(_ header: CodedHeader, of video: VideoInfo) -> CopyRefusal? {
        guard let own = header.frames else { return CopyRefusal("has no frames") }
        return own.refusal(beside: form, in: container)
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

    /// The encoder's own; but of AV1 what its frames say, which is not always what the encoder says.
    ///
    /// Where sequence headers differ, an `av1C` has none (AV1-ISOBMFF 2.3.4): every sync sample brings its own.
    func written(_ output: CodedHeader) -> [UInt8]? {
        guard let sequence = form.sequence else { return output.bytes }
        return sequence.configuration + (output.isMixed ? [] : sequence.unit)
    }

    func encoderOptions(beside track: SplicedTrack, for encoding: VideoEncoding) -> [(String, String)] {
        ["vp9", "av1"].contains(name) ? options + [("g", "\(track.longestGroup)")] : options
    }
}

/// What the stream of a clip says of how it was encoded.
private struct FrameModel {
    let profile: Int32
    let header: [UInt8]
    /// Of AV1: that of the first packet.
    let sequence: AV1Sequence?

    /// Nil where its video is not of `codec`.
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

/// Packets that stay as they are.
private struct FrameRewriter: PacketRewriter {
    let form: FrameForm

    func rewritten(_ packet: UnsafeBufferPointer<UInt8>, isStart: Bool) -> (bytes: [UInt8], isKey: Bool)? {
        var form = form
        guard let begins = form.isStart(packet), begins || !isStart else { return nil }
        return (Array(packet), begins)
    }
}

extension FrameForm {
    /// The form of what the encoder makes, found by letting it encode a frame; nil where that tells nothing.
    fileprivate static func made(by encoding: VideoEncoding, in container: Container) throws(MediaError) -> FrameForm? {
        let track = try VideoTrack(encoding, in: container, hasGlobalHeader: true)
        // Where the encoder takes only packed formats it is converted.
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
            pixelFormat: encoding.pixelFormat)
        return form.isStart(packet.bytes) == true ? form : nil
    }

    /// Some encoders of ProRes say it by the name for QuickTime only.
    private static func profile(_ context: AVCodecContext) -> Int32 {
        let names = ["apco", "apcs", "apcn", "apch", "ap4h", "ap4x"].map { name in
            name.utf8.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        return names.firstIndex(of: context.codec_tag).map { Int32($0) } ?? context.profile
    }
}
