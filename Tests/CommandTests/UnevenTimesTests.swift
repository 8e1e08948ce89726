import TestSupport
import Testing

/// The frames of a video: a hash of each as it is coded, and its time in seconds.
private struct TimedFrames {
    let hashes: [String]
    let times: [Double]
    /// The length of a tick of the track, in seconds.
    let tick: Double

    init(_ path: String) throws {
        hashes = try Judge.frameHashes(path, asCoded: true)
        let object = try Judge.probe(path, "-select_streams v:0 -show_entries frame=pts:stream=time_base")
        let base = try #require(((object["streams"] as? [[String: Any]])?.first?["time_base"] as? String))
        let parts = base.split(separator: "/").compactMap { Double($0) }
        let tick = parts[0] / parts[1]
        self.tick = tick
        times = (object["frames"] as? [[String: Any]] ?? []).compactMap {
            ($0["pts"] as? Int).map { Double($0) * tick }
        }
        try #require(hashes.count == times.count)
    }

    /// Expects that ffmpeg decodes all of `path` without a complaint. (Written out, frames would be moved to an even grid.)
    static func expectIntact(_ path: String) throws {
        let run = try Tool.ffmpeg("-xerror -err_detect explode -i \(path) -fps_mode passthrough -f framemd5 -")
        #expect(run.messages == "")
    }

    /// For each frame, which frame of `source` it is; nil for one that it hasn't. Of several that are the same, that
    /// which follows the one before.
    func origins(in source: TimedFrames) -> [Int?] {
        let places = Dictionary(grouping: source.hashes.indices) { source.hashes[$0] }
        var last = -1
        return hashes.map { hash in
            guard let same = places[hash] else { return nil }
            last = same.first { $0 > last } ?? same[0]
            return last
        }
    }

    /// Expects that at least `least` frames are those of `source`, at the same distances in time as there.
    func expectCopies(of source: TimedFrames, atLeast least: Int, _ comment: Comment) {
        let origins = origins(in: source)
        #expect(origins.compactMap(\.self).count >= least, comment)
        for index in origins.indices.dropFirst() {
            guard let own = origins[index], let before = origins[index - 1], own == before + 1 else { continue }
            let distance = times[index] - times[index - 1]
            let meant = source.times[own] - source.times[before]
            #expect(abs(distance - meant) <= max(tick, source.tick) * 1.01, "frame \(index): \(distance), not \(meant)")
        }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, comment)
    }
}

extension CommandTests {
    /// Films whose frames follow each other unevenly keep their times where they are copied.
    @Suite(.serialized) struct UnevenTimesTests {
        let folder = TemporaryFolder.make()

        /// A film of 12.7 s: frames up to 5 ms early or late, one left out in each second, and a picture that stands from
        /// 4 to 7 s. In each second, its first frame is white, and a sample clicks at that moment.
        private func recording(_ name: String, _ coding: [String]) throws -> String {
            let second = "eq(mod(N\\,30)\\,0)"
            return try clips().make(
                name,
                [
                    "-f", "lavfi", "-i", "testsrc2=s=160x90:r=30:d=12.7", "-f", "lavfi", "-i",
                    "aevalsrc=0.9*lt(mod(n\\,48000)\\,1):s=48000:d=12.7", "-vf",
                    "lutyuv=y=val/4+16,drawbox=c=white:t=fill:enable=eq(mod(n\\,30)\\,0),settb=1/90000,"
                        + "setpts=PTS+if(\(second)\\,0\\,mod(N*7\\,11)-5)*90,"
                        + "select=not(eq(mod(n\\,30)\\,17))*not(between(n\\,121\\,209))",
                    "-fps_mode", "passthrough", "-enc_time_base", "1/90000", "-video_track_timescale", "90000",
                ] + coding)
        }

        private static let h264 = [
            "-c:v", "libx264", "-g", "24", "-bf", "2", "-sc_threshold", "0", "-preset", "veryfast", "-pix_fmt",
            "yuv420p",
        ]

        /// After ten joins, every flash is at its click, and no frame is lost.
        @Test(
            .turn(1, of: 2),
            arguments: Places.some(
                [("cut", "mov"), ("fold", "mov"), ("cut", "mkv"), ("fold", "mkv"), ("wipe", "mp4")], every: 5))
        func flashesStayAtTheirClicks(transition: String, ending: String) throws {
            let clip = try recording("uneven-pcm.mov", Self.h264 + ["-c:a", "pcm_s16le"])
            let out = folder / "out.\(ending)"
            let lossless = ending == "mp4" ? "alac" : "pcm_s16le"
            try succeed(
                "\(Array(repeating: clip, count: 11)) \(out) --transition \(transition) --duration 0.4 --render smart",
                "--audio-codec \(lossless)")
            let frames = try TimedFrames(out)
            let own = try TimedFrames(clip)
            // 12.7 s of 30 frames, of which 89 aren't there, and one of each of the 10 other seconds.
            try #require(own.hashes.count == 381 - 89 - 10)
            // What a transition and the group of pictures around it take.
            let encoded = transition == "cut" ? 0 : 10 * (2 * 12 + 2 * 24)
            frames.expectCopies(of: own, atLeast: 11 * 282 - encoded, "\(transition)")
            if transition == "cut" { #expect(frames.hashes.count == 11 * 282) }
            let flashes = try Judge.flashes(out, width: 160, height: 90).map { frames.times[$0] }
            let samples = try Judge.samples(out)
            let clicks = samples.indices.filter { samples[$0] > 0.5 }.map { Double($0) / 48000 }
            // The seconds 0, 5 and 6 have no flash of their own in view: the first is in the transition, and the others
            // are in the picture that stands.
            #expect(flashes.count >= 11 * 10)
            for flash in flashes {
                let nearest = clicks.map { abs($0 - flash) }.min() ?? 1
                #expect(nearest <= 0.5 / 48000 + frames.tick, "the flash at \(flash) is \(nearest) s off")
            }
            // The last frame is 4 ms late.
            let length = 11 * 12.704 - (transition == "cut" ? 0 : 10 * 0.4)
            #expect(abs(Double(samples.count) / 48000 - length) < 0.001)
            try TimedFrames.expectIntact(out)
        }

        /// A picture that stands remains one packet, and a part of it is cut exactly.
        @Test func partsAreCutExactly() throws {
            let clip = try recording("uneven-pcm.mov", Self.h264 + ["-c:a", "pcm_s16le"])
            let out = folder / "out.mov"
            try succeed([clip + "#t=5.55,9.25", clip, out, "--transition", "cut", "--render", "smart"])
            let (frames, own) = (try TimedFrames(out), try TimedFrames(clip))
            // The standing picture is shown until 7 s, and the second clip begins after 3.7 s.
            #expect(abs(frames.times[1] - 1.45) <= frames.tick)
            #expect(frames.times.contains { abs($0 - 3.7) <= frames.tick })
            frames.expectCopies(of: own, atLeast: 282, "parts")
            let standing = try #require(own.times.firstIndex { abs($0 - 7) < 0.001 })
            #expect(own.times[standing] - own.times[standing - 1] > 2.9)
            #expect(frames.hashes.count == frames.times.filter { $0 < 3.699 }.count + 282)
        }

        /// With a rate that is asked for, and where containers have but one, frames follow each other evenly.
        @Test func anAskedRateIsEven() throws {
            let clip = try recording("uneven-pcm.mov", Self.h264 + ["-c:a", "pcm_s16le"])
            for (options, ending, words) in [
                (["--fps", "25"], "mov", "--fps asks for an even one"), ([], "ts", "name an mp4, mov or mkv"),
            ] {
                let arguments = [clip, clip, "--transition", "cut"] + options
                try expectExit(arguments + ["--render", "smart", folder / "no.\(ending)"], 65, saying: words)
                let out = folder / "out.\(ending)"
                try succeed(arguments + ["--render", "auto", out])
                let times = try TimedFrames(out).times
                let steps = zip(times.dropFirst(), times).map { $0 - $1 }
                #expect((steps.max() ?? 1) - (steps.min() ?? 0) < 0.0011)
            }
        }

        /// Clips of other rates stand beside each other, each at its own times.
        @Test func otherRatesAreCopiedBeside() throws {
            let uneven = try recording("uneven-pcm.mov", Self.h264 + ["-c:a", "pcm_s16le"])
            let slow = try clips().make("uneven-slow.mp4", "-f lavfi -i testsrc=s=160x90:r=24000/1001:d=3 \(Self.h264)")
            let out = folder / "out.mp4"
            try succeed([uneven, slow, uneven, out, "--transition", "cut", "--render", "smart"])
            let frames = try TimedFrames(out)
            frames.expectCopies(of: try TimedFrames(uneven), atLeast: 2 * 282, "uneven")
            frames.expectCopies(of: try TimedFrames(slow), atLeast: 72, "slow")
            #expect(frames.hashes.count == 2 * 282 + 72)
        }

        /// Transport streams that were put together: the clock starts anew twice, and each time a packet counts as damaged.
        @Test(arguments: Places.some(["mp4", "mkv", "ts"], every: 3)) func aClockThatRestartsIsCopiedAround(
            ending: String
        ) throws {
            let parts = try [(0, 0), (90, 500), (0, 0)].map { hue, offset in
                try clips().make(
                    "uneven-\(hue)-\(offset).ts", "-f lavfi -i testsrc2=s=160x90:r=25:d=2.4 -vf hue=h=\(hue)",
                    "-c:v libx264 -g 25 -bf 2 -pix_fmt yuv420p -output_ts_offset \(offset)")
            }
            let clip = folder / "whole.ts"
            try parts.map { try Data(contentsOf: $0) }.reduce(Data(), +)
                .write(to: clip)
            let out = folder / "out.\(ending)"
            try succeed([clip, clip, out, "--transition", "fold", "--duration", "10f", "--render", "smart"])
            let own = try parts.flatMap { try Judge.frameHashes($0) }
            let hashes = try Judge.frameHashes(out)
            #expect(own.count == 180 && hashes.count == 350)
            // The transition takes 10 frames, what follows it up to a keyframe 15, and each of five places some.
            #expect(Set(own).isSuperset(of: hashes[0..<50]))
            #expect(hashes.filter(Set(own).contains).count >= 350 - 25 - 5 * 4)
            #expect(try Judge.complaints(out) == "")
        }

        @Test(
            .needsMedia,
            arguments: Places.some(
                [
                    ("recordings/android-rotate90-vfr-352x288.mp4", 0),
                    ("recordings/mac-screencast-vfr-2450x1734.mov", 0),
                    ("recordings/iphone-hevc-rotate90-editlist-mebx-1080p.mp4", 24),
                    ("recordings/pixel-motion-photo-hevc-two-tracks-mett.mp4", 0),
                ], every: 4))
        func realRecordingsAreCopied(name: String, encoded: Int) throws {
            let clip = try medium(name)
            let own = try TimedFrames(clip)
            let out = folder / "out.mov"
            try succeed([clip, clip, out, "--transition", "cut", "--render", "auto", "--preset", "ultrafast"])
            let frames = try TimedFrames(out)
            frames.expectCopies(of: own, atLeast: 2 * (own.hashes.count - encoded), "\(name)")
            #expect(frames.hashes.count == 2 * own.hashes.count)
            try TimedFrames.expectIntact(out)
        }
    }
}
