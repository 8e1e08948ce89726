import TestSupport
import Testing

extension CommandTests {
    /// Interlaced video, judged by ffmpeg's own bwdif. Versions of FFmpeg differ at the borders of first frames.
    @Suite(.serialized) struct InterlacedTests {
        private static let bwdif = "bwdif=mode=send_frame:deint=interlaced"

        /// The hashes of a clip's frames as ffmpeg deinterlaces them.
        private func progressive(_ path: String) throws -> [String] { try Judge.frameHashes(path, filter: Self.bwdif) }

        /// The frame hashes of the clip, taken from a join with itself at its own size.
        private func join(_ clip: String, _ arguments: [String] = []) throws -> [String] {
            let folder = try TemporaryFolder()
            let size = try Judge.video(String(clip.prefix { $0 != "#" }))
            try succeed(
                "\(clip) \(clip) --transition cut --video-codec ffv1 --no-audio --fit stretch",
                "--size \(size.width)x\(size.height) \(arguments) \(folder / "out.mkv")")
            let found = try Judge.frameHashes(folder / "out.mkv")
            #expect(Array(found.prefix(found.count / 2)) == Array(found.suffix(found.count / 2)))
            return Array(found.prefix(found.count / 2))
        }

        @Test(
            .turn(0, of: 2), .needsMedia, .usesSystemLibraries,
            arguments: Places.some(
                [
                    "mpeg2-interlaced-tff-1440x1080-sar4-3.mov", "h264-ac3-interlaced-tff-1080i50-avchd.mts",
                    "dv-interlaced-bff-720x576-1frame.dv",
                ], every: 3))
        func flaggedFramesAreMadeProgressiveOneForOne(name: String) throws {
            let clip = try medium(name)
            let expected = try progressive(clip)
            #expect(try join(clip) == expected)
            let untouched = try Judge.frameHashes(clip)
            // A single frame has no neighbors to be deinterlaced with, so it may stay as it is.
            #expect(untouched.count == expected.count && (untouched != expected || expected.count == 1))
            #expect(try join(clip, ["--deinterlace", "off"]) == untouched)
            #expect(try join(clip, ["--deinterlace", "auto"]) == expected)
        }

        @Test(.needsMedia) func aTrimDoesNotChangeWhatIsBeforeAFrame() throws {
            let clip = try medium("mpeg2-interlaced-tff-1440x1080-sar4-3.mov")
            // The expected frames are deinterlaced with their neighbors outside the trim: it takes 8 of 25 frames.
            #expect(try join(clip + "#t=0.48,0.8") == Array(progressive(clip)[12..<20]))
        }

        @Test(.usesSystemLibraries) func clipsThatAreInterlacedOnlyInPartAre() throws {
            // The decoder drops the last frame of a sequence where another begins: the second part starts in its place.
            let parts = try [
                ("progressive", "fps=25", []),
                ("interlaced", "interlace,setfield=tff", ["-flags", "+ildct+ilme", "-output_ts_offset", "0.4"]),
            ].map { name, filter, options in
                try clips().make(
                    "part-\(name).ts", "-f lavfi -i testsrc2=s=320x240:r=50:d=0.4 -vf \(filter) -c:v mpeg2video",
                    "-q:v 2 \(options)")
            }
            let clip = try clips().make("parts.ts", ["-i", "concat:\(parts.joined(separator: "|"))", "-c", "copy"])
            let expected = try progressive(clip)
            let untouched = try Judge.frameHashes(clip)
            #expect(expected.count == untouched.count && expected[..<8] == untouched[..<8] && expected != untouched)
            #expect(try join(clip) == expected)
        }
    }
}
