import TestSupport
import Testing

extension CommandTests {
    /// What HEVC says of each frame's brightness, HDR10+ and Dolby Vision, stays with the frame where packets are copied.
    @Suite(.serialized) struct DynamicMetadataTests {
        let folder = TemporaryFolder.make()

        /// HDR10+ (SMPTE ST 2094-40) of frame `number`, which stands in the maxima of red, green and blue, in units of 1/100000.
        private static func hdr10Plus(_ number: Int) -> [UInt8] {
            let maxima = [number, number, number, 50].map { BitString.u($0, 17) }
            let bits = BitString.joined([.u(1, 2), .u(4000, 27), .u(0, 1)] + maxima + [.u(0, 4), .u(0, 10), .u(0, 3)])
            let message = [0xB5, 0, 0x3C, 0, 1, 4, 1] + bits.bytes
            let digits = ([4, UInt8(message.count)] + message).map { BitString.u(Int($0), 8) }
            return [0, 0, 0, 1] + BitString.joined(digits).unit([39 << 1, 1])
        }

        /// A Dolby Vision RPU that leaves the picture as it is, but for an offset of `number` in units of 2^-23.
        private static func rpu(_ number: Int) -> [UInt8] {
            let sequence: [BitString] =
                [
                    .u(0x19, 8), .u(2, 6), .u(18, 11), .u(1, 4), .u(0, 4), .u(1, 1), .u(0, 1), .u(0, 2), .ue(23),
                    .u(2, 3),
                ]
                + [.ue(2), .ue(2), .ue(4), .u(1, 6), .u(0, 2)]
            let pivots = [[BitString]](repeating: [.ue(0), .u(0, 10), .u(1023, 10)], count: 3).joined()
            let line: [BitString] = [.ue(0), .ue(0), .u(0, 1), .ue(0), .u(number, 23), .ue(1), .u(0, 23)]
            let mapping: [BitString] =
                [.ue(0), .ue(0), .ue(0)] + pivots + [.ue(0), .ue(0)] + [[BitString]](repeating: line, count: 3).joined()
            return [0, 0, 0, 1] + BitString.joined(sequence + mapping).unit([62 << 1, 1])
        }

        /// A stream of one slice for each frame, with metadata that numbers the frames from `first` on.
        private static func marked(_ stream: [UInt8], from first: Int, withDolbyVision: Bool) -> [UInt8] {
            var result: [UInt8] = []
            var number = first
            let starts =
                stream.indices.dropLast(3).filter { stream[$0..<$0 + 3].elementsEqual([0, 0, 1]) } + [stream.count]
            for (start, end) in zip(starts, starts.dropFirst()) {
                let unit = stream[start..<end]
                let isSlice = unit[start + 3] >> 1 < 32
                if isSlice { result += hdr10Plus(number) }
                result += [0] + unit.prefix(1 + (unit.lastIndex { $0 != 0 } ?? start) - start)
                if isSlice, withDolbyVision { result += rpu(number) }
                if isSlice { number += 1 }
            }
            return result
        }

        /// Adds the box dvvC, or dvcC for profiles up to 7, to a file's only video track.
        private static func stateDolbyVision(in path: String, profile: Int) throws {
            let compatibility = profile == 8 ? 4 : 0
            let bits = BitString.joined([
                .u(1, 8), .u(0, 8), .u(profile, 7), .u(3, 6), .u(0b101, 3), .u(compatibility, 4),
            ])
            let content = bits.bytes + [UInt8](repeating: 0, count: 24 - bits.bytes.count)
            let box = MP4Boxes.box(profile > 7 ? "dvvC" : "dvcC", content)
            try Data(MP4Boxes.described([UInt8](Data(contentsOf: path)), "hvc1", by: box)).write(to: path)
        }

        /// A clip of 120 frames, of which one in 30 is a keyframe.
        private func clip(_ name: String, from first: Int, profile: Int? = nil, hue: Int = 0) throws -> String {
            let plain = folder / "\(name).hevc"
            try Tool.ffmpeg(
                "-f lavfi -i testsrc2=s=192x108:r=30:d=1000 -frames:v 120 -vf hue=h=\(hue) -pix_fmt yuv420p10le -c:v libx265",
                "-preset superfast -x265-params log-level=error:keyint=30:bframes=0:transfer=arib-std-b67:colorprim=bt2020",
                "\(plain)")
            let marked = Self.marked([UInt8](try Data(contentsOf: plain)), from: first, withDolbyVision: profile != nil)
            try Data(marked).write(to: folder / "\(name)-marked.hevc")
            let clip = folder / "\(name).mp4"
            try Tool.ffmpeg("-r 30 -i \(folder / "\(name)-marked.hevc") -c copy -tag:v hvc1 \(clip)")
            if let profile { try Self.stateDolbyVision(in: clip, profile: profile) }
            return clip
        }

        /// The numbers of a film's frames as ffprobe reads them from HDR10+.
        private func numbers(_ path: String) throws -> [Int] {
            let object = try Judge.probe(path, "-select_streams v:0 -show_frames")
            return (object["frames"] as? [[String: Any]] ?? []).map { frame in
                let sides = frame["side_data_list"] as? [[String: Any]] ?? []
                let text = sides.compactMap { $0["maxscl"] as? String }.first
                return text.flatMap { Int($0.prefix { $0 != "/" }) } ?? -1
            }
        }

        /// The numbers in the RPUs of a film, in decoding order, which is that of display here.
        private func offsets(_ path: String, from first: Int, count: Int) throws -> [Int?] {
            let known = Dictionary(uniqueKeysWithValues: (first..<first + count).map { (Self.rpu($0), $0) })
            let stream = [UInt8](
                try Tool.ffmpeg("-i \(path) -map 0:v -c copy -bsf:v hevc_mp4toannexb -f hevc -").output)
            let starts =
                stream.indices.dropLast(3).filter { stream[$0..<$0 + 3].elementsEqual([0, 0, 1]) } + [stream.count]
            return zip(starts, starts.dropFirst()).filter { stream[$0.0 + 3] >> 1 == 62 }.map { start, end in
                let unit = stream[start..<end]
                return known[[0] + unit.prefix(1 + (unit.lastIndex { $0 != 0 } ?? start) - start)]
            }
        }

        private func dolbyVisionProfile(_ path: String) throws -> Int? {
            let object = try Judge.probe(path, "-select_streams v:0 -show_streams")
            let sides = ((object["streams"] as? [[String: Any]])?.first?["side_data_list"] as? [[String: Any]]) ?? []
            return sides.compactMap { $0["dv_profile"] as? Int }.first
        }

        @Test(.turn(0, of: 3), arguments: ["mp4", "mkv", "mov", "ts"])
        func eachFrameKeepsItsOwn(ending: String)
            throws
        {
            let pair = try [clip("a", from: 1000, profile: 8), clip("b", from: 2000, profile: 8, hue: 90)]
            let out = folder / "out.\(ending)"
            let run = try succeed("\(pair) --duration 18f --render smart \(out)")
            // The transition begins with frame 102; in its second half more is seen of the second clip.
            let shown = Array(1000..<1111) + Array(2009..<2120)
            #expect(try numbers(out) == shown)
            #expect(try offsets(out, from: 1000, count: 1200) == shown)
            #expect(try Judge.complaints(out) == "")
            // libavformat writes the configuration into these only.
            let isStated = ["mp4", "mkv"].contains(ending)
            #expect(try dolbyVisionProfile(out) == (isStated ? 8 : nil))
            #expect(
                run.messages.contains("can't say here that their video is Dolby Vision") == !isStated, "\(run.messages)"
            )
        }

        /// Parts that begin anywhere, and cuts.
        @Test func partsKeepTheirOwn() throws {
            let clip = try clip("a", from: 1000)
            let out = folder / "out.mp4"
            try succeed("\(clip)#t=0.5,2.5 \(clip)#t=1.2 --transition cut --render smart \(out)")
            #expect(try numbers(out) == Array(1015..<1075) + Array(1036..<1120))
            #expect(try Judge.complaints(out) == "")
        }

        /// Where a clip has none, or all is encoded, it is left out with a warning.
        @Test func whatCannotBeKeptIsNamed() throws {
            let pair = try [clip("a", from: 1000, profile: 8), clip("b", from: 2000)]
            for render in ["auto", "full"] {
                let run = try succeed("\(pair) --render \(render) -y \(folder / "out.mp4")")
                #expect(
                    run.messages.contains("a.mp4 has Dolby Vision and HDR10+ metadata, which is left out"),
                    "\(run.messages)")
                #expect(try numbers(folder / "out.mp4").allSatisfy { $0 == -1 })
            }
        }

        /// Profile 5 has no picture in common colors.
        @Test func colorsOfTheirOwnAreRefused() throws {
            let clip = try clip("a", from: 1000, profile: 5)
            try expectExit("\(clip) \(clip) \(folder / "out.mp4")", 65, saying: "Dolby Vision of profile 5", lines: 1)
        }
    }
}
