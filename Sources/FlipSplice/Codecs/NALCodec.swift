import FlipBase
import FlipBitstream
import FlipMedia

/// H.264 and HEVC, whose packets are copied together with their parameter sets.
package struct NALCodec: CopyCodec {
    package let syntax: NALSyntax
    package let name: String
    package let title: String
    package let encoder: String
    package let pixelFormats: [String]
    package let containers = ["mp4", "mov", "matroska", "mpegts"]

    package static let h264 = NALCodec(
        syntax: .h264, name: "h264", title: "H.264", encoder: "libx264",
        pixelFormats: formats)
    package static let hevc = NALCodec(
        syntax: .hevc, name: "hevc", title: "HEVC", encoder: "libx265", pixelFormats: formats)
    /// libav's names of the formats that codecs for viewing are copied in.
    static let formats = ["420", "422", "444"].flatMap { ["yuv\($0)p", "yuv\($0)p10le"] }

    package func refusal(_ header: CodedHeader, of video: VideoInfo) -> CopyRefusal? {
        let sequences = header.sets.of(.sequence)
        if sequences.isEmpty || header.sets.of(.picture).isEmpty { return CopyRefusal("has no parameter sets") }
        let format = video.pixelFormat
        // chroma_format_idc
        let chroma = max(1, 4 - format.chromaStepX * format.chromaStepY)
        switch syntax {
        case .h264:
            let facts = sequences.compactMap { H264SPS($0) }
            let fits = facts.allSatisfy { $0.depth == format.depth && $0.chroma == chroma }
            if facts.count < sequences.count || !fits {
                return CopyRefusal("has an H.264 profile other than Baseline, Main, High and those above it")
            }
        case .hevc:
            let facts = sequences.compactMap { HEVCSPS($0) }
            let fits = facts.allSatisfy { $0.depth == format.depth && $0.chroma == chroma }
            if facts.count < sequences.count || !fits {
                return CopyRefusal("has an HEVC profile other than Main, Main 10 and the range extensions")
            }
            if facts.contains(where: \.mayBeInterlaced) { return CopyRefusal("is coded as interlaced video") }
        }
        return nil
    }

    package func emptyHeader(in container: Container) -> CodedHeader {
        CodedHeader(framing: container.name == "mpegts" ? .startCodes : .lengths(4))
    }

    package func add(_ header: CodedHeader, to output: inout CodedHeader) -> (any PacketRewriter)? {
        output.add(header, syntax)
    }

    package func encoderHeader(_ bytes: [UInt8]) -> CodedHeader? {
        let header = CodedHeader(afterStartCodes: bytes, syntax)
        return header.sets.of(.sequence).isEmpty || header.sets.of(.picture).isEmpty ? nil : header
    }

    package func hasRoomForEncoder(_ output: CodedHeader) -> Bool { output.sets.hasRoom(syntax) }

    package func written(_ output: CodedHeader) -> [UInt8]? {
        if output.framing == .startCodes { return output.annexB }
        return syntax == .h264 ? output.avcC : output.hvcC
    }

    package func encoderOptions(beside track: SplicedTrack, for encoding: VideoEncoding) -> [(String, String)] {
        let sequences = track.header.sets.of(.sequence)
        switch syntax {
        case .h264:
            let facts = sequences.compactMap { H264SPS($0) }
            let profiles = [66: "baseline", 77: "main", 100: "high", 110: "high10", 122: "high422", 244: "high444"]
            var options = [
                ("profile", profiles[facts.map(\.profile).max() ?? 66] ?? "high"), ("g", "\(track.longestGroup)"),
            ]
            let level = facts.map(\.level).max() ?? 0
            if level > 9 { options.append(("level", "\(level)")) }
            if track.reorderDepth == 0 { options.append(("bf", "0")) }
            if track.reorderDepth == 1 { options.append(("b-pyramid", "none")) }
            // Decoders may drop the frames in the decoded picture buffer at an IDR picture that changes its size
            // (C.4.4), so the encoder gets the clips' size, and no more references than fit.
            if let buffered = facts.compactMap(\.bufferedFrames).max() {
                options.append(("x264-params", "dpb-size=\(buffered)"))
                if EncoderSettings.references(ofPreset: encoding.preset) > buffered {
                    options.append(("refs", "\(max(1, buffered))"))
                }
            }
            return options
        case .hevc:
            var entries = ["keyint=\(track.longestGroup)", "open-gop=0"]
            if track.reorderDepth == 0 { entries.append("bframes=0") }
            if track.reorderDepth == 1 { entries.append("b-pyramid=0") }
            return [("x265-params", entries.joined(separator: ":"))]
        }
    }

    /// x264 encodes 8 bits losslessly if the integer part of the CRF is 0, in profiles that can't be copied.
    package func refusal(of encoding: VideoEncoding) -> CopyRefusal? {
        if syntax == .hevc, encoding.form.fieldOrder != nil {
            return CopyRefusal("\(encoder) can't encode interlaced video")
        }
        guard encoder == "libx264", encoding.pixelFormat.depth == 8, encoding.bitrate == nil, let crf = encoding.crf,
            crf < 1
        else { return nil }
        return CopyRefusal("--crf \(crf == 0 ? "0" : "\(crf)") is lossless, which needs an H.264 profile of its own")
    }
}
