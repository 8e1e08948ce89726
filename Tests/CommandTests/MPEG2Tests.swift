import TestSupport
import Testing

extension CommandTests {
    /// MPEG-2 video, whose packets are copied with their sequence headers.
    @Suite(.serialized) struct MPEG2Tests {
        private func clip(_ name: String, _ settings: [String], hue: Int = 0) throws -> String {
            try clips().make(
                name, "-f lavfi -i testsrc2=s=192x144:r=25:d=1000 -frames:v 70 -vf hue=h=\(hue) -c:v mpeg2video",
                "-q:v 3 \(settings)")
        }

        /// The options of ffmpeg's encoder for a kind of stream.
        private static let kinds: [String: [String]] = [
            "open": ["-g", "12", "-bf", "2"],
            "closed": ["-g", "12", "-bf", "2", "-flags", "+cgop", "-sc_threshold", "1000000000"],
            "plain": ["-g", "15", "-bf", "0"],
            "intra": ["-g", "1", "-dc", "10"],
            "422": ["-g", "12", "-bf", "2", "-pix_fmt", "yuv422p", "-intra_vlc", "1"],
        ]

        @Test(arguments: Places.some(kinds.keys.sorted(), ["mpg", "ts", "m2ts", "mov", "mkv", "mp4"], every: 30))
        func packetsAreCopied(kind: String, ending: String) throws {
            let folder = try TemporaryFolder()
            let settings = try #require(Self.kinds[kind])
            let source = ["mov", "mkv"].contains(ending) ? ending : "ts"
            let pair = try [0, 90].map { try clip("mpeg2-\(kind)-\($0).\(source)", settings, hue: $0) }
            let out = folder / "out.\(ending)"
            // The first part ends anywhere, and beside transitions the others begin anywhere.
            let parts = [pair[0] + "#t=0,2.2", pair[1], pair[0]]
            let files = [pair[0], pair[1], pair[0]]
            for transition in ["cut", "flip"] {
                let arguments =
                    parts + ["--transition", transition, "--duration", "6f", "--render", "smart", "-y", out]
                let plan = try planJSON(arguments)
                try succeed(arguments)
                let length = try #require((plan["output"] as? [String: Any])?["frames"] as? Int)
                #expect(length == 55 + 70 + 70 - (transition == "cut" ? 0 : 12))
                #expect(try expectCopies(out, of: files, plan) >= 100)
                #expect(try Judge.video(out).times.count == length)
                #expect(try Judge.complaints(out) == "")
                // ffprobe lists the streams of programs twice.
                let facts = try [out, files[0]].map { path in
                    try Judge.fields(
                        path, stream: "v:0", entries: "stream=codec_name,profile,width,height,pix_fmt"
                    ).prefix(5)
                }
                #expect(facts[0] == facts[1])
            }
        }

        /// AVI files leave out the PTS of all reference frames, and program streams those of some.
        @Test(arguments: [
            ("avi", ["-c:v", "mpeg4", "-bf", "2", "-g", "30"], "mkv"), ("mpg", ["-g", "15", "-bf", "2"], "mpg"),
        ])
        func timesThatAreLeftOutAreRestored(ending: String, settings: [String], out: String) throws {
            let folder = try TemporaryFolder()
            let source = try clip("untimed.\(ending)", ["-vf", "scale=320:240,noise=alls=20", "-q:v", "2"] + settings)
            let untimed = try Judge.fields(source, stream: "v:0", entries: "packet=pts").filter { $0 == "N/A" }
            #expect(ending == "mpg" || untimed.count >= 23)
            let film = folder / "out.\(out)"
            let arguments = [source, source, "--transition", "cut", "--render", "smart", film]
            let plan = try planJSON(arguments)
            try succeed(arguments)
            #expect(try expectCopies(film, of: [source, source], plan) == 140)
            let times = try Judge.video(film).times
            #expect(times.count == 140)
            #expect(zip(times.dropFirst(), times).allSatisfy { abs($0 - $1 - 0.04) < 0.0011 })
        }

        /// What is seen at the encoded frames is what was meant.
        @Test func encodedFramesShowTheTransition() throws {
            let folder = try TemporaryFolder()
            let pair = try [0, 90].map {
                try clip("mpeg2-open-\($0).ts", ["-g", "12", "-bf", "2"], hue: $0)
            }
            let arguments = pair + ["--transition", "flip", "--duration", "12f"]
            try succeed(arguments + ["--render", "smart", folder / "out.ts"])
            try succeed(arguments + ["--video-codec", "ffv1", folder / "full.mkv"])
            let ratios = try Judge.psnr(folder / "out.ts", folder / "full.mkv")
            #expect(ratios.count == 128 && (ratios.min() ?? 0) > 34, "\(ratios)")
        }

        /// A preset that its encoder doesn't have counts for more than copying.
        @Test func presetsDecideTheCodec() throws {
            let clip = try clip("mpeg2-open-0.ts", ["-g", "12", "-bf", "2"])
            for (options, codec) in [
                ([], "mpeg2video"), (["--preset", "fast"], "libx264"), (["--crf", "20"], "libx264"),
            ] {
                let plan = try planJSON([clip, clip, "--render", "auto", "out.mp4"] + options)
                #expect((plan["output"] as? [String: Any])?["videoCodec"] as? String == codec, "\(plan)")
            }
        }

        /// Another kind of sequence can't stand in the same track.
        @Test func otherSequencesAreEncoded() throws {
            let folder = try TemporaryFolder()
            let open = try clip("mpeg2-open-0.ts", ["-g", "12", "-bf", "2"])
            let low = try clip("mpeg2-low.ts", ["-g", "12", "-bf", "0", "-flags", "+low_delay"], hue: 90)
            let arguments = [open, low, "--duration", "6f", "--render", "auto", folder / "out.ts"]
            let plan = try planJSON(arguments)
            let inputs = try #require(plan["inputs"] as? [[String: Any]])
            #expect((inputs[1]["copyRefusal"] as? String)?.contains("header") == true)
            try succeed(arguments)
            #expect(try expectCopies(folder / "out.ts", of: [open, low], plan) >= 50)
            #expect(try Judge.video(folder / "out.ts").times.count == 134)
        }
    }
}
