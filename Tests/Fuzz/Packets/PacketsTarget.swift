import FlipBitstream
import FlipMedia
import FlipSplice
import FuzzSupport

/// The code that copies coded video: it reads headers, packets and whole files. It may refuse them, but must not crash
/// or hang, and what it rewrites must be readable again.
final class PacketsTarget: Sendable {
    static let shared = PacketsTarget()

    private init() { InputLimits.maxPixels = 1 << 20 }

    /// The first byte selects what the other bytes are read as.
    func run(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let kind = bytes.first else { return }
        let content = Array(bytes.dropFirst())
        switch kind & 7 {
        case 0: try? copy(content)
        case 1: rewrite(CodedHeader(avcC: content), content, .h264)
        case 2: rewrite(CodedHeader(hvcC: content), content, .hevc)
        case 3: rewrite(CodedHeader(afterStartCodes: content, .h264), content, .h264)
        case 4: rewrite(CodedHeader(afterStartCodes: content, .hevc), content, .hevc)
        case 5: readFrames(content, "av1")
        case 6: readFrames(content, "vp9")
        default:
            _ = AACHeader(content)
            _ = ColorProfile(content)
        }
    }

    /// Scans a file for the stretches that can be copied, and rewrites all of them, as two clips of one track.
    private func copy(_ content: [UInt8]) throws {
        let path = ScratchFolder.shared.write(content, to: "input")
        let info = try MediaProbe.probe(path: path, parsesPackets: true)
        guard let container = Container.named("mp4"), let count = info.video?.frameCount else { return }
        for codec in CopyCodecs.all {
            guard case .success(let video) = CodedVideo.video(of: info, as: codec) else { continue }
            var track = SplicedTrack(codec, in: container)
            for _ in 0..<2 {
                guard let clip = try? track.add(video).get(), let stretch = video.stretches(in: 0..<count).first else {
                    break
                }
                try clip.forEachRewritten(of: stretch) { bytes, _ in
                    let isWhole = bytes.withUnsafeBufferPointer { NALUnit.ranges($0, .lengths(4)) } != nil
                    precondition(isWhole, "a rewritten packet can't be read")
                }
            }
        }
    }

    /// Rewrites the content as one packet that belongs to `header`, which is added twice to tracks of both kinds of
    /// containers.
    private func rewrite(_ header: CodedHeader?, _ content: [UInt8], _ codec: NALCodec) {
        guard let header else { return }
        content.withUnsafeBufferPointer { packet in
            var parser = PacketParser(header, codec.syntax)
            _ = parser.role(of: packet)
            let header = parser.header
            for set in header.sets.all {
                _ = codec.syntax == .h264 ? H264SPS(set)?.bufferedFrames : nil
                _ = codec.syntax == .hevc ? HEVCSPS(set)?.depth : nil
            }
            for container in ["mp4", "mpegts"].compactMap({ Container.named($0) }) {
                var output = codec.emptyHeader(in: container)
                for _ in 0..<2 {
                    guard var rewriter = codec.add(header, to: &output) else { break }
                    for isStart in [true, false] {
                        guard let (bytes, isKey) = rewriter.rewritten(packet, isStart: isStart) else { continue }
                        check(bytes, isKey, output)
                    }
                }
                if let written = codec.written(output), container.name == "mp4" {
                    let again = codec.syntax == .h264 ? CodedHeader(avcC: written) : CodedHeader(hvcC: written)
                    precondition(again?.sets.all.count == output.sets.all.count, "a written header can't be read")
                }
            }
            if codec.syntax == .h264, var picture = RepeatedPicture(after: content) {
                _ = picture.note(packet, time: 0)
                _ = picture.next()
            }
        }
    }

    private func check(_ bytes: [UInt8], _ isKey: Bool, _ output: CodedHeader) {
        bytes.withUnsafeBufferPointer { packet in
            precondition(NALUnit.ranges(packet, output.framing) != nil, "a rewritten packet can't be read")
            var pictures = IDRPictures(output)
            _ = pictures.toldApart(packet, isKey: isKey)
            guard let changed = pictures.toldApart(packet, isKey: isKey) else { return }
            changed.withUnsafeBufferPointer {
                precondition(NALUnit.ranges($0, output.framing) != nil, "a picture with another number can't be read")
            }
        }
    }

    /// Reads the content as packets that are prefixed with lengths of two bytes, and also as a single packet.
    private func readFrames(_ content: [UInt8], _ codec: String) {
        var form = FrameForm(codec, profile: nil, header: [], width: 64, height: 48, rawBytes: 64 * 48 * 3 / 2)
        _ = AV1Packet.sequence(header: content)
        _ = AV1SequenceHeader(content)?.configuration
        content.withUnsafeBufferPointer { packet in
            var whole = form
            _ = whole.isStart(packet)
            _ = VP9Packet.facts(packet)
        }
        var place = 0
        while place + 2 <= content.count {
            let length = Int(content[place]) << 8 | Int(content[place + 1])
            let end = min(content.count, place + 2 + length)
            content[(place + 2)..<end].withUnsafeBufferPointer { packet in
                _ = form.isStart(packet)
                _ = VP9Packet.facts(packet)
                _ = VP9Packet.frames(packet)
                _ = AV1Packet.facts(packet, form.sequence)
            }
            place = end
        }
    }
}

/// The entry point that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    PacketsTarget.shared.run(UnsafeBufferPointer(start: bytes, count: count))
    return 0
}
