import TestSupport
import Testing

extension CommandTests {
    /// Clips of H.264 with open groups of pictures, whose only IDR picture is the first.
    @Suite(.serialized) struct OpenGroupTests {
        let folder = TemporaryFolder.make()

        /// x264's parameters, by what they make of the stream.
        private static let kinds = [
            "plain": "b-pyramid=normal", "cavlc": "cabac=0:b-pyramid=strict", "slices": "slices=3:weightp=2:ref=4",
            "bluray": "bluray-compat=1:slices=4:vbv-maxrate=4000:vbv-bufsize=4000:nal-hrd=vbr", "fields": "tff=1",
        ]

        /// 120 frames, in which a recovery point follows every 20.
        private func clip(_ kind: String, _ ending: String, hue: Int = 0) throws -> String {
            let parameters = try #require(Self.kinds[kind])
            let size = kind == "fields" ? "192x160" : "192x144"
            return try clips().make(
                "open-\(kind)-\(hue).\(ending)",
                "-f lavfi -i testsrc2=s=\(size):r=25:d=1000 -frames:v 120 -vf hue=h=\(hue),noise=alls=8:allf=t -pix_fmt yuv420p",
                "-c:v libx264 -x264-params open-gop=1:keyint=20:min-keyint=20:scenecut=0:\(parameters)")
        }

        /// How many IDR pictures a file has: units of type 5 whose slice begins with macroblock 0, which is coded as a 1.
        private func idrPictures(_ path: String) throws -> Int {
            let bytes = try Tool.ffmpeg("-i \(path) -map 0:v -c copy -f h264 -").output
            return bytes.indices.dropLast(4).lazy.filter { place in
                bytes[place] == 0 && bytes[place + 1] == 0 && bytes[place + 2] == 1 && bytes[place + 3] & 0x1F == 5
                    && bytes[place + 4] & 0x80 != 0
            }.count
        }

        @Test(
            arguments: Places.some(
                kinds.keys.sorted().flatMap { kind in ["mp4", "mkv", "ts"].map { (kind, $0) } }, every: 16))
        func copiesBeginAtRecoveryPoints(kind: String, ending: String) throws {
            let pair = try [0, 90].map { try clip(kind, ending, hue: $0) }
            // One IDR picture, and recovery points at all other groups; x264 makes the first of those after 20 frames.
            #expect(try idrPictures(pair[0]) == 1)
            let out = folder / "\(kind).\(ending)"
            let arguments = Words("\(pair[0])#t=0,2.3 \(pair[1])#t=1.6 \(pair[0])#t=2.2 --render smart -y \(out)").list
            for (transition, length, least) in [("cut", 58 + 80 + 65, 150), ("fold", 58 + 80 + 65 - 20, 130)] {
                let all = arguments + ["--transition", transition, "--duration", "10f"]
                let plan = try planJSON(all)
                #expect(try succeed(all).messages == "")
                #expect(try expectCopies(out, of: [pair[0], pair[1], pair[0]], from: [0, 40, 55], plan) >= least)
                #expect(try Judge.video(out).times.count == length)
                #expect(try Judge.complaints(out) == "")
                // Each stretch begins with one, and so does what is encoded between.
                #expect(try idrPictures(out) >= 4)
            }
        }

        /// Decoding can begin at every keyframe that the output has.
        @Test func everyKeyframeCanBeSoughtTo() throws {
            let clip = try clip("plain", "mp4")
            let out = folder / "out.mp4"
            try succeed(Words("\(clip)#t=0,2.3 \(clip)#t=1.6 --transition cut --render smart \(out)").list)
            let hashes = try Judge.frameHashes(out)
            let keys = try Tool.succeed(
                "ffprobe", "-v error -select_streams v -show_entries packet=pts_time,flags -of csv=p=0 \(out)"
            ).text.split(separator: "\n").filter { $0.contains("K") }
            #expect(keys.count >= 3)
            for key in keys {
                let time = try #require(Double(key.split(separator: ",")[0]))
                let run = try Tool.succeed(
                    "ffmpeg", "-nostdin -v error -xerror -ss \(time) -i \(out) -map 0:v -f framehash -hash md5 -")
                let rest = run.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
                    $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
                }
                let first = Int((time * 25).rounded())
                #expect(rest == Array(hashes[first...]), "from frame \(first)")
            }
        }

        /// A message that promises what is not true: frames after the intra picture refer to frames before it. That shows when
        /// the seam is decoded, and copies begin at IDR pictures only, of which the film has one.
        @Test func brokenPromisesAreNoticed() throws {
            // Before the flash at every 20th frame and after it, the picture is the same, so the frames after it refer to those before.
            let clip = folder / "honest.h264"
            try Tool.ffmpeg(
                "-f lavfi -i testsrc2=s=192x144:r=25:d=0.04,noise=alls=12,loop=119:1:0",
                "-vf drawbox=enable='eq(mod(n\\,20)\\,10)':color=white:t=fill -pix_fmt yuv420p -c:v libx264",
                "-x264-params keyint=infinite:min-keyint=1000:ref=4:bframes=0:scenecut=40 \(clip)")
            let lying = folder / "lying.h264"
            try Self.promising(try Data(contentsOf: clip)).write(to: lying)
            let film = folder / "lying.mp4"
            try Tool.ffmpeg("-r 25 -i \(lying) -c copy \(film)")
            let parts = Words("\(film)#t=0,1.2 \(film)#t=1.4 --transition cut").list
            let own = try Judge.frameHashes(film, asCoded: true)
            for render in ["auto", "smart"] {
                let out = folder / "\(render).mp4"
                let run = try succeed(parts + ["--render", render, out])
                #expect(run.messages.contains("copies begin at IDR pictures only"), "\(run.story)")
                let hashes = try Judge.frameHashes(out, asCoded: true)
                #expect(hashes.count == 30 + 85 && hashes.prefix(30) == own.prefix(30) && hashes[30] != own[35])
            }
            // Without the IDR picture's part, everything is encoded, which 'smart' refuses.
            let late = Words("\(film)#t=0.4,1.2 \(film)#t=1.4 --transition cut").list
            let run = try succeed(late + ["--render", "auto", folder / "late.mp4"])
            #expect(run.messages.contains("copied 0 of 105 frames"), "\(run.story)")
            #expect(try Judge.frameHashes(folder / "late.mp4").count == 20 + 85)
            let smart = try CommandTests.run(late + ["--render", "smart", folder / "no.mp4"])
            #expect(smart.status == 65 && smart.messages.contains("nothing can be copied"), "\(smart.story)")
        }

        /// A stream in which every intra picture but the first claims to be a recovery point.
        private static func promising(_ bytes: Data) -> Data {
            var result = Data()
            var place = bytes.startIndex
            while place < bytes.endIndex {
                // A unit of type 1 with a reference picture, whose first slice begins with macroblock 0 (1) and is an I slice
                // (ue(7): 0001000, or ue(2): 011).
                let head = bytes[place...].prefix(6)
                if head.count == 6, head.prefix(3).elementsEqual([0, 0, 1]), head[place + 3] & 0x1F == 1,
                    head[place + 4] == 0b1000_1000 || head[place + 4] >> 4 == 0b1011
                {
                    result += [0, 0, 1, 6, 6, 1, 0x84, 0x80]
                }
                result.append(bytes[place])
                place += 1
            }
            return result
        }
    }
}
