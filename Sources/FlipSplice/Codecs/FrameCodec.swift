import FlipBase
import FlipBitstream
import FlipMedia

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
        FrameSyntax.of(codec).isForViewing
            ? ["mp4", "mov", "matroska", "webm"] : ["mp4", "mov", "matroska", "avi", "nut"]
    }

    /// Creates the codec of `encoding`'s encoder; nil if it is none of these, or can't be copied to `container`.
    /// Encodes a frame to see which form the encoder's packets have.
    /// - Parameter like: a clip that is to be copied.
    init?(_ encoding: VideoEncoding, in container: Container, like info: MediaInfo) throws(MediaError) {
        encoder = encoding.codec ?? container.defaultVideoCodec
        guard let name = Encoders.codec(of: encoder) else { return nil }
        self.name = name
        containers = FrameCodec.containers(for: name)
        guard FrameForm.exists(name), containers.contains(container.name) else { return nil }
        title = name
        pixelFormats = [encoding.pixelFormat.name]
        self.container = container
        let model = FrameModel(info, name)
        var matched = encoding
        if encoder != "ffv1" { matched.options = model.map { FrameCodec.options(name, $0) } ?? [] }
        guard let made = try FrameForm.made(by: matched, in: container) else { return nil }
        guard let model, !model.fits(made, in: container),
            let fit = model.firstFit(FrameCodec.settings(encoder, encoding), for: encoding, in: container)
        else {
            (form, options) = (made, matched.options)
            return
        }
        (form, options) = fit
    }

    /// libav's name of the encoder to join with `video`'s packets if the user names none; nil if there is none.
    static func encoder(like video: VideoInfo, in container: Container) -> String? {
        // Without being asked, don't put intra-only codecs into mp4, nor uncompressed video into any container.
        let isCommon = FrameSyntax.of(video.codec).isForViewing || container.name != "mp4" && video.codec != "rawvideo"
        guard isCommon, !video.isStill, FrameForm.exists(video.codec),
            containers(for: video.codec).contains(container.name), container.takes(codec: video.codec)
        else { return nil }
        // By default, the encoder of VP8 refuses alpha.
        if video.codec == "vp8", video.pixelFormat.hasAlpha { return nil }
        let preferred = ["av1": "libsvtav1", "prores": "prores_ks"][video.codec]
        if let preferred, Encoders.codec(of: preferred) != nil { return preferred }
        return Encoders.defaultEncoder(of: video.codec)
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
        default: return []
        }
    }

    func refusal(of video: VideoInfo) -> CopyRefusal? {
        if video.dynamicMetadata.contains(.hdr10Plus) {
            return CopyRefusal("has HDR10+ metadata, which encoded frames would lack")
        }
        if name.hasPrefix("vp"), video.pixelFormat.hasAlpha {
            return CopyRefusal("has its alpha in a separate stream")
        }
        return nil
    }

    func refusal(of encoding: VideoEncoding) -> CopyRefusal? {
        encoding.form.fieldOrder == nil || FrameSyntax.of(name).codesFields
            ? nil : CopyRefusal("\(encoder) can't encode interlaced video")
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
        FrameSyntax.of(name).isForViewing ? options + [("g", "\(track.longestGroup)")] : options
    }
}

/// What a clip's stream says about how it was encoded.
private struct FrameModel {
    /// libav's number; negative if unknown.
    let profile: Int
    let header: [UInt8]
    /// The sequence header of AV1, from the packets or else from `header`; nil for other codecs.
    let sequence: AV1SequenceHeader?

    /// Returns nil if the clip's video is not coded with `codec`, or if its packets weren't parsed.
    init?(_ info: MediaInfo, _ codec: String) {
        guard let video = info.video, video.codec == codec, let packets = info.packets else { return nil }
        profile = packets.profile
        header = packets.extradata
        sequence = codec == "av1" ? packets.header?.frames?.sequence : nil
    }

    /// Whether packets like those of the clip can be joined with packets of `form`.
    func fits(_ form: FrameForm, in container: Container) -> Bool {
        guard let sequence else { return form.hasHeader(header) }
        return form.takes(sequence, isMixed: container.mixesSequenceHeaders)
    }

    /// The first of several lists of options with which the encoder's packets can be joined with the clip's, and the
    /// form of these packets; nil if there is none. Options that are not possible, as some are not with every frame
    /// size, don't count.
    func firstFit(
        _ candidates: [[(String, String)]], for encoding: VideoEncoding, in container: Container
    ) -> (FrameForm, [(String, String)])? {
        for options in candidates {
            var encoding = encoding
            encoding.options = options
            guard let form = try? FrameForm.made(by: encoding, in: container), fits(form, in: container) else {
                continue
            }
            return (form, options)
        }
        return nil
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
