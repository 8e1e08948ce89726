import TestSupport
import Testing

extension CommandTests {
    /// Slides that are shown for long, whose repeated frames aren't encoded, judged by what ffmpeg decodes.
    @Suite(.serialized) struct HoldTests {
        let folder = TemporaryFolder.make()

        /// The number of frames for which each slide is shown: 12 s at 25 fps.
        private static let hold = 300
        /// The length of a transition, in frames.
        private static let turn = 10

        /// Renders a deck of three noisy pictures with transitions between them and returns its path.
        private func deck(_ name: String, _ options: [String]) throws -> String {
            for (index, seed) in [3, 7, 11].enumerated() {
                try Tool.ffmpeg(
                    "-y -f lavfi -i testsrc2=s=182x102:r=1:d=1 -vf hue=h=\(40 * seed),noise=alls=12:all_seed=\(seed)",
                    "-frames:v 1 \(folder / "\(index + 1).png")")
            }
            let path = folder / name
            try succeed(
                "deck \(folder / "1.png") \(folder / "2.png") \(folder / "3.png") \(path) --hold \(HoldTests.hold)f",
                "--duration \(HoldTests.turn)f --fps 25 -y \(options)")
            return path
        }

        /// x264's presets, from no reordering at all to a pyramid with many reference frames.
        static let presets = ["ultrafast", "superfast", "veryfast", "medium", "slower"]

        @Test(arguments: Places.some(presets, ["mp4", "mkv"], every: 10))
        func holdsAreRepeated(preset: String, container: String) throws {
            let options = ["--size", "182x102", "--preset", preset]
            let path = try deck("out.\(container)", options + ["--crf", "20"])
            try expectPictures(path, folder, options)

            // The frames of a hold are identical from when the picture has settled to the next transition or keyframe.
            let hashes = try Judge.frameHashes(path)
            for first in [0, HoldTests.hold + HoldTests.turn, 2 * HoldTests.hold + HoldTests.turn] {
                #expect(Set(hashes[first + 15..<first + 250]).count == 1)
            }
            // They cost next to nothing: most packets code no macroblock.
            let packets = try packets(path)
            #expect(packets.filter(Self.isSmall).count >= 3 * (HoldTests.hold - 20 - 2 * 16))
            // Players can seek to any frame from a keyframe at most 500 frames before it.
            let keys = packets.indices.filter { (packets[$0]["flags"] as? String)?.hasPrefix("K") == true }
            #expect(zip(keys, keys.dropFirst() + [900]).allSatisfy { $1 - $0 <= 500 })
        }

        /// Expects the deck at `path`, made with `options`, to be sound, and each of its frames to show the right
        /// picture.
        private func expectPictures(_ path: String, _ folder: TemporaryFolder, _ options: [String]) throws {
            let reference = try deck("reference.nut", options.prefix(2) + ["--video-codec", "ffv1"])
            #expect(try Judge.complaints(path) == "")
            let facts = try Judge.video(path)
            #expect(facts.frameCount == 900)
            #expect(facts.isEven(atRate: 25))
            let psnr = try Judge.psnr(path, reference)
            #expect(psnr.count == 900 && psnr.allSatisfy { $0 > 33 }, "least \(psnr.min() ?? 0) dB")
        }

        private func packets(_ path: String) throws -> [[String: Any]] {
            let sizes = try Judge.probe(path, ["-select_streams", "v", "-show_entries", "packet=size,pts,dts,flags"])
            return try #require(sizes["packets"] as? [[String: Any]])
        }

        /// Whether a packet is too small to code a macroblock.
        private static func isSmall(_ packet: [String: Any]) -> Bool {
            Int(packet["size"] as? String ?? "") ?? .max < 40
        }

        /// In each of nine segments, a hold is encoded anew, and at most the 16 frames are in which its picture settles.
        @Test(.turn(0, of: 2)) func holdsAreRepeatedWithinSegments() throws {
            let options = ["--size", "182x102", "--preset", "medium"]
            let path = try deck("out.mp4", options + ["--crf", "20", "--segments", "100f"])
            try expectPictures(path, folder, options)
            // x264 would use B-frames for a picture that doesn't change; those that repeat it are P.
            let frames = try #require(
                try Judge.probe(path, ["-select_streams", "v", "-show_entries", "frame=pict_type"])["frames"]
                    as? [[String: Any]])
            let types = frames.map { $0["pict_type"] as? String ?? "" }
            for segment in [0..<100, 100..<200, 400..<500] {
                #expect(types[segment.lowerBound] == "I")
                #expect(types[segment].dropFirst(16).allSatisfy { $0 == "P" }, "\(segment)")
            }
            #expect(try packets(path).filter(Self.isSmall).count >= 900 - (9 + 3) * 16 - 2 * HoldTests.turn)
        }

        @Test(arguments: Places.some(["mp4", "mkv"], every: 2)) func oneCanGoIntoAHold(container: String) throws {
            let path = try deck("out.\(container)", ["--size", "182x102", "--preset", "veryfast"])
            let hashes = try Judge.frameHashes(path)
            for frame in stride(from: 5, to: 900, by: 37) {
                #expect(
                    try Judge.frameHash(path, at: (Double(frame) - 0.5) / 25) == (hashes[frame], ""), "frame \(frame)")
            }
        }

        @Test(
            .turn(1, of: 2),
            .enabled(if: Browser.path != nil || Places.runsSlowTests, Comment(rawValue: Browser.isMissing)))
        func browsersShowHolds() throws {
            let path = try deck("out.mp4", ["--size", "182x102", "--preset", "medium"])
            let run = try Tool.ffmpeg("-i \(path) -f framehash -hash sha256 -")
            let hashes = run.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { String($0.suffix(64)) }
            let frames = [0, 14, 17, 100, 249, 251, 289, 293, 300, 312, 500, 640, 899]
            let view = try Browser.view(path, times: frames.map { (Double($0) + 0.5) / 25 }, speed: 8)
            #expect(view.frames.map(\.sha256) == frames.map { hashes[$0] })
            #expect(view.playing?.damaged == 0)
        }
    }
}
