import TestSupport
import Testing

extension CommandTests {
    /// Which videos of the media folder are copied when they are joined with themselves by a cut. Animated pictures, damaged files
    /// and what FFmpeg can't encode (a size that changes in the middle) are left out.
    @Suite(.serialized, .needsMedia) struct MediaCopyTests {
        let folder = TemporaryFolder.make()
        /// Those of which nothing is copied, with words of the reason that the program gives.
        private static let encoded = [
            "av1-1frame-four-colours.mp4": "does not fit the output",
            "h264-rgb-gbrp-2x2.mp4": "does not fit the output",
            "mpeg1-80x60-elementary.mpg": "has frames without a time stamp",
            "qtrle-argb-alpha-320x240.mov": "is qtrle, which is never copied",
            "theora-noaudio-214x160-1906-grand-prix.ogv": "is theora, which is never copied",
            "theora-vorbis-560x320-lego.ogv": "is theora, which is never copied",
            "vp9-alpha-vorbis-200x200.webm": "has its alpha in a separate stream",
        ]

        /// The videos, by their paths in the media folder.
        private static let videos: [String] = {
            guard let media = Places.media else { return [] }
            return ["", "recordings/"].flatMap { folder in
                ((try? FileManager.default.contentsOfDirectory(atPath: media + "/" + folder)) ?? []).map { folder + $0 }
            }.filter { path in
                let ending = path.split(separator: ".").last ?? ""
                return !path.hasPrefix("bad-") && !path.contains("midstream-resize")
                    && [
                        "mp4", "m4v", "mov", "mkv", "webm", "avi", "flv", "ts", "mts", "mpg", "3gp", "ogv", "dv", "mxf",
                        "y4m",
                    ]
                    .contains(ending)
            }.sorted()
        }()

        /// What the plan of a cut says, of the container that most frames can be copied into.
        private func bestPlan(
            _ path: String, _ join: [String] = cut
        ) throws -> (ending: String, copied: Int, plan: [String: Any]) {
            var best: (ending: String, copied: Int, plan: [String: Any])?
            for ending in ["mp4", "mov", "mkv"] {
                let plan = try planJSON(Self.arguments(path, "out." + ending, join))
                let inputs = try #require(plan["inputs"] as? [[String: Any]])
                let copied = inputs.compactMap { $0["copiedFrames"] as? Int }.reduce(0, +)
                if best.map({ $0.copied < copied }) ?? true { best = (ending, copied, plan) }
            }
            return try #require(best)
        }

        private static let cut = ["--transition", "cut"]

        private static func arguments(_ path: String, _ out: String, _ join: [String] = cut) -> [String] {
            [path, path, "--render", "auto", "--no-audio", "-y", out] + join
        }

        @Test(.turn(1, of: 4)) func nineInTenAreCopied() throws {
            var copied = 0
            for name in Self.videos {
                let path = try medium(name)
                let best = try bestPlan(path)
                guard let reason = Self.encoded[name] else {
                    #expect(best.copied > 0, "\(name)")
                    copied += 1
                    continue
                }
                #expect(best.copied == 0, "\(name)")
                let words = try succeed(["plan"] + Self.arguments(path, "out.mp4")).text
                #expect(words.contains(reason), "\(name): \(words)")
            }
            #expect(Self.videos.count >= 75 && Self.encoded.keys.allSatisfy(Self.videos.contains))
            #expect(10 * copied >= 9 * Self.videos.count, "\(copied) of \(Self.videos.count)")
        }

        /// The frames are the source's, at its own distances in time, and what the track says of them is the same.
        @Test(arguments: Places.some(videos.filter { encoded[$0] == nil }, every: 80))
        func copiesAreTheSources(name: String) throws {
            let path = try medium(name)
            let (out, plan, source, film) = try made(path, Self.cut)
            #expect(
                film.frameCount == 2 * source.frameCount
                    || (plan["output"] as? [String: Any])?["frames"] as? Int == film.frameCount)
            let steps = { (times: [Double]) in zip(times.dropFirst(), times).map { $0 - $1 } }
            if film.frameCount == 2 * source.frameCount {
                let (own, made) = (steps(source.times), steps(film.times))
                // A tick of either track, of which the coarsest are those of Matroska.
                #expect(
                    zip(own, made).allSatisfy { abs($0 - $1) <= 0.0021 }
                        && zip(own, made.suffix(own.count)).allSatisfy { abs($0 - $1) <= 0.0021 })
            }
            // Of VP8, ffprobe knows the color only from frames. An mp4 file doesn't state the usual range, which players assume.
            for (keys, count) in [
                ("stream=codec_name,profile,pix_fmt,width,height", 5), ("frame=color_range,color_space", 2),
            ] {
                let facts = try [out, path].map {
                    try Judge.fields($0, stream: "v:0", entries: keys).prefix(count).map { $0 == "tv" ? "unknown" : $0 }
                }
                #expect(facts[0] == facts[1])
            }
        }

        /// Clips of many forms and containers; SmartFrameTests has those of other codecs.
        private static let many = [
            "h264-aac-640x480-30fps-bw-film.mp4", "h264-aac51-720p25-bunny.mp4", "h264-2audio-8subtitles.mkv",
            "h264-aac-960x540-29-97fps-flower.mp4", "h264-edit-list-video-starts-1s.mp4",
            "h264-aac-fragmented-sidx.mp4",
            "h264-fullrange-bt709-720p.mp4", "h264-pcm-1080p50-xvycc.mov",
            "h264-aac-rotate90-720p-android.mp4", "h264-sar2-1-640x360.mp4", "h264-sar64-45-800x640-bpyramid.mp4",
            "h264-aac-rotate-and-mirror.mp4", "recordings/xdcam-ex-mpeg2-1080i50-tff.mov",
            "recordings/hdv-mpeg2-1440x1080i50-tff.mov", "recordings/dv-pal-720x576i-bff.mov",
        ]

        /// What is beside a transition is copied, and how the pictures are shown is the same.
        @Test(arguments: Places.some(many, every: 15)) func partsBesideTransitionsAreCopied(name: String) throws {
            let path = try medium(name)
            let (out, plan, source, film) = try made(path, ["--duration", "4f"])
            #expect(film.frameCount == 2 * source.frameCount - 4)
            #expect(film.isEven(atRate: film.rate) || !source.isEven(atRate: source.rate))
            #expect(try Judge.complaints(out) == "" && form(out) == form(path))
            // Of fields, containers state which is first, and some also which is shown first. These are the recordings of 25 frames.
            let order = { try Judge.fields($0, stream: "v:0", entries: "stream=field_order").first?.prefix(1) }
            if !name.hasPrefix("recordings/") { return }
            #expect(try ["t", "b"].contains(order(path)))
            #expect(try order(out) == order(path) && copies(plan).map(\.place.count).reduce(0, +) >= 30)
        }

        /// A join of `path` with itself, of which as much is copied as the plan says, which has to be something.
        private func made(_ path: String, _ join: [String]) throws -> (
            out: String, plan: [String: Any], source: VideoFacts, film: VideoFacts
        ) {
            let best = try bestPlan(path, join)
            let out = folder / "out.\(best.ending)"
            try succeed(Self.arguments(path, out, join))
            #expect(try best.copied > 0 && expectCopies(out, of: [path, path], best.plan) == best.copied)
            return try (out, best.plan, Judge.video(path), Judge.video(out))
        }
    }
}
