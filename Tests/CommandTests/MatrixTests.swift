import TestSupport
import Testing

extension CommandTests {
    /// Each file of the media folder can be joined as the first and as the second clip, as judged by ffmpeg and
    /// ffprobe.
    @Suite(.serialized, .needsMedia) struct MatrixTests {
        static let files: [String] = {
            let names = Places.media.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
            return names.filter { !["md", "pdf", "pptx", "odp"].contains($0.split(separator: ".").last ?? "") }.sorted()
        }()

        /// The files that are always tested: rotated, mirrored, narrow, odd-sized, still, transparent and broken ones,
        /// which other tests do not join.
        static let some = [
            "h264-rotate90-568x320-3frames.mov", "h264-aac-rotate180-720p-phone-vfr.mp4",
            "h264-aac-rotate-and-mirror.mp4", "h264-aac-rotate270-352x288-phone.mp4", "jpeg-exif-orientation-6.jpg",
            "png-four-colours.png", "av1-1frame-four-colours.mp4", "gif-animated-60x105-2s-per-frame.gif",
            "dv-interlaced-bff-720x576-1frame.dv", "h264-extreme-aspect-16x4000.ts", "apng-animated-alpha-245x245.apng",
            "bad-jpeg-truncated.jpg", "heic-phone-photo.heic", "bad-h264-truncated-file.mp4", "opus-51-48khz.mka",
            "jpeg-gray-280mp-20000x14000.jpg",
        ]

        private func partner() throws -> String { try clips().pattern("matrix", frames: 40, sound: true) }

        private static let options = ["--like", "first", "--preset", "ultrafast", "--crf", "12"]

        private func planned(_ arguments: [String]) throws -> (frames: Int, rate: Double) {
            let output = try #require(planJSON(arguments)["output"] as? [String: Any])
            let rate = try #require(output["frameRate"] as? String).split(separator: "/").compactMap { Double($0) }
            return (try #require(output["frames"] as? Int), rate[0] / (rate.count > 1 ? rate[1] : 1))
        }

        /// Whether the run was refused; also checks the memory, exit status and message of a refusal.
        private func isRefused(_ run: ToolRun, _ name: String) -> Bool {
            if run.status == 0 { return false }
            #expect(run.peakMemory < 1500 << 20, "\(name): \(run.peakMemory >> 20) MiB")
            #expect([65, 69].contains(run.status) && run.messageLines.count == 1, "\(run.story)")
            #expect(run.messages.contains(name) && run.seconds < 20, "\(run.story)")
            return true
        }

        private func checkOutput(_ out: String, _ arguments: [String]) throws {
            let plan = try planned(arguments)
            #expect(try Judge.complaints(out) == "")
            let video = try Judge.video(out)
            #expect(video.frameCount == plan.frames && video.times.first == 0 && video.isEven(atRate: plan.rate))
            let audio = try #require(try Judge.audio(out))
            let length = Double(plan.frames) / plan.rate
            // One frame, or half an AAC packet of 1024 samples if frames are shorter than that.
            let tolerance = max(1 / plan.rate, 512 / Double(audio.sampleRate)) + 1e-6
            #expect(abs(audio.duration - length) < tolerance, "sound \(audio.duration) s, video \(length) s")
        }

        /// The clip as ffmpeg can read it, which can't open HEIC files.
        private func original(_ clip: String, _ folder: TemporaryFolder) throws -> String {
            guard clip.hasSuffix(".heic") else { return clip }
            let stream = try HEICTests.stream(of: [UInt8](Data(contentsOf: clip)))
            try stream.write(to: folder / "picture.hevc")
            return folder / "picture.hevc"
        }

        /// As the first clip, a file must show its own first frame, in its own aspect ratio. The reason if it is refused, which it
        /// may be only if ffmpeg can't decode it either.
        private func checkAsFirst(_ name: String) throws -> String? {
            let folder = try TemporaryFolder()
            let (clip, out) = try (medium(name), folder / "out.mp4")
            let arguments = try [clip, partner(), "--transition", "cut"] + Self.options + [out]
            let run = try CommandTests.run(arguments, timeout: 300)
            let isDecodable = try Thumbnail(clip, frame: 0, shape: (64, 64)) != nil
            if isRefused(run, name) {
                #expect(!isDecodable || name.contains("280mp"), "ffmpeg decodes it: \(run.messages)")
                #expect(try folder.names == [])
                return run.messages
            }
            try checkOutput(out, arguments)
            let video = try Judge.video(out)
            let shape = (video.width, video.height)
            let (shown, expected) = try (
                Thumbnail(out, frame: 0, shape: shape), Thumbnail(original(clip, folder), frame: 0, shape: shape)
            )
            let likeness = try #require(shown).likeness(#require(expected))
            #expect(likeness > 0.93, "first frame, \(shape): \(likeness)")
            return nil
        }

        /// As the second clip, a file must show its first frame after the cut, within bars. It is refused for the same reason as
        /// the first, or not at all.
        private func checkAsSecond(_ name: String, refusal: String?) throws {
            let folder = try TemporaryFolder()
            let (clip, out) = try (medium(name), folder / "out.mp4")
            let arguments = try [partner(), clip, "--transition", "cut"] + Self.options + [out]
            let run = try CommandTests.run(arguments, timeout: 300)
            if isRefused(run, name) {
                #expect(run.messages == refusal)
                #expect(try folder.names == [])
                return
            }
            #expect(refusal == nil, "only as the first clip it is refused")
            try checkOutput(out, arguments)
            // There the clip is less than a pixel wide, but it is never drawn narrower than one chroma sample.
            if name.contains("16x4000") { return }
            let (shown, expected) = try (
                Thumbnail(out, frame: 40, shape: (160, 90)),
                Thumbnail(original(clip, folder), frame: 0, shape: (160, 90))
            )
            let likeness = try #require(shown).likeness(#require(expected))
            #expect(likeness > 0.93, "first frame after the cut: \(likeness)")
        }

        @Test(arguments: Places.runsSlowTests ? files : Places.some(some, every: 20)) func joins(name: String) throws {
            try checkAsSecond(name, refusal: checkAsFirst(name))
        }
    }
}
