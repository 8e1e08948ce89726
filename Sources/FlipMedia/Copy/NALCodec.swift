/// H.264 and HEVC, of which packets are copied with their parameter sets.
struct NALCodec: CopyCodec {
    let syntax: NALSyntax
    let name: String
    let title: String
    let encoder: String
    let pixelFormats = ["yuv420p", "yuv420p10le"]
    let containers = ["mp4", "mov", "matroska", "mpegts"]

    static let h264 = NALCodec(syntax: .h264, name: "h264", title: "H.264", encoder: "libx264")
    static let hevc = NALCodec(syntax: .hevc, name: "hevc", title: "HEVC", encoder: "libx265")

    func header(_ bytes: [UInt8], of video: VideoInfo) -> Result<CodedHeader, CopyRefusal> {
        if bytes.first != 1 { return .success(CodedHeader(afterStartCodes: bytes, syntax)) }
        let header =
            switch syntax {
            case .h264: CodedHeader(avcC: bytes)
            case .hevc: CodedHeader(hvcC: bytes)
            }
        return header.map { .success($0) } ?? .failure(CopyRefusal("has a damaged header"))
    }

    func role(
        of packet: UnsafeBufferPointer<UInt8>, _ header: inout CodedHeader
    ) -> Result<PacketRole, CopyRefusal> {
        let strange = CopyRefusal("has packets of a kind that is not copied")
        guard let ranges = NALUnit.ranges(packet, header.framing) else { return .failure(strange) }
        var role: PacketRole?
        for range in ranges {
            switch syntax.kind(packet[range]) {
            case .slice(let kind):
                // What follows it is not shown where something came before, so that it can't be in its middle.
                if header.hasEnded, kind == .openStart { return .failure(strange) }
                header.hasEnded = false
                // A picture's slices are all of one kind, but for H.264's.
                if let role, role != kind, syntax == .hevc { return .failure(strange) }
                role = role == nil || role == kind ? kind : .other
            case .set:
                guard let set = ParameterSet(Array(packet[range]), syntax) else { return .failure(strange) }
                if !header.sets.learn(set) {
                    return .failure(CopyRefusal("changes its parameter sets on the way"))
                }
            case .end: header.hasEnded = true
            case .information, .delimiter, .filler: break
            case nil: return .failure(strange)
            }
        }
        return role.map { .success($0) } ?? .failure(strange)
    }

    func refusal(_ header: CodedHeader, of video: VideoInfo) -> CopyRefusal? {
        let sequences = header.sets.of(.sequence)
        if sequences.isEmpty || header.sets.of(.picture).isEmpty { return CopyRefusal("has no parameter sets") }
        switch syntax {
        case .h264:
            let facts = sequences.compactMap { H264Sequence($0) }
            if facts.count < sequences.count || !facts.allSatisfy({ $0.depth == video.pixelFormat.depth }) {
                return CopyRefusal("has an H.264 profile other than Baseline, Main, High and High 10")
            }
            if facts.contains(where: \.mayBeInterlaced) { return CopyRefusal("is coded for interlacing") }
        case .hevc:
            let facts = sequences.compactMap { HEVCSequence($0) }
            if facts.count < sequences.count || !facts.allSatisfy({ $0.depth == video.pixelFormat.depth }) {
                return CopyRefusal("has an HEVC profile other than Main and Main 10")
            }
            if facts.contains(where: \.mayBeInterlaced) { return CopyRefusal("is coded for interlacing") }
        }
        return nil
    }

    func emptyHeader(in container: Container) -> CodedHeader {
        CodedHeader(framing: container.name == "mpegts" ? .startCodes : .lengths(4))
    }

    func add(_ header: CodedHeader, to output: inout CodedHeader) -> (any PacketRewriter)? {
        guard let (numbers, sets) = output.sets.add(header.sets) else { return nil }
        var prefix: [[UInt8]] = []
        if output.framing == .startCodes { prefix = sets.map(\.unit) + header.information }
        return NALRewriter(
            syntax: syntax, numbers: numbers, input: header.framing, output: output.framing, prefix: prefix)
    }

    func encoderHeader(_ bytes: [UInt8]) -> CodedHeader? {
        let header = CodedHeader(afterStartCodes: bytes, syntax)
        return header.sets.of(.sequence).isEmpty || header.sets.of(.picture).isEmpty ? nil : header
    }

    func hasRoomForEncoder(_ output: CodedHeader) -> Bool { output.sets.hasRoom(syntax) }

    func written(_ output: CodedHeader) -> [UInt8]? {
        if output.framing == .startCodes { return output.annexB }
        return syntax == .h264 ? output.avcC : output.hvcC
    }

    func encoderOptions(beside track: SplicedTrack) -> [(String, String)] {
        let sequences = track.header.sets.of(.sequence)
        switch syntax {
        case .h264:
            let facts = sequences.compactMap { H264Sequence($0) }
            let profiles = [66: "baseline", 77: "main", 100: "high"]
            var options = [
                ("profile", profiles[facts.map(\.profile).max() ?? 66] ?? "high10"), ("g", "\(track.longestGroup)"),
            ]
            let level = facts.map(\.level).max() ?? 0
            if level > 9 { options.append(("level", "\(level)")) }
            if track.reorderDepth == 0 { options.append(("bf", "0")) }
            if track.reorderDepth == 1 { options.append(("b-pyramid", "none")) }
            return options
        case .hevc:
            var entries = ["keyint=\(track.longestGroup)", "open-gop=0"]
            if track.reorderDepth == 0 { entries.append("bframes=0") }
            if track.reorderDepth == 1 { entries.append("b-pyramid=0") }
            return [("x265-params", entries.joined(separator: ":"))]
        }
    }
}
