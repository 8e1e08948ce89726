import TestSupport
import Testing

/// Two clips of the media folder, and what the output takes from the first of them.
struct ClipPair: CustomTestStringConvertible, Sendable {
    var first: String
    var second: String
    /// Frames per second of the first clip, and so of the output.
    var rate: Double
    /// The first clip's size in square pixels, after rotation.
    var display: (width: Double, height: Double)

    var testDescription: String { "\(first) + \(second)" }

    private static let ntsc = 30000.0 / 1001

    private init(_ first: String, _ second: String, _ rate: Double, _ width: Double, _ height: Double) {
        self.first = first
        self.second = second
        self.rate = rate
        display = (width, height)
    }

    static let all: [ClipPair] = [
        ClipPair("h264-aac-960x540-29-97fps-flower.mp4", "h264-aac51-720p25-bunny.mp4", ntsc, 960, 540),
        ClipPair("h264-aac-640x480-30fps-bw-film.mp4", "hevc-noaudio-bframes-854x480.mp4", 30, 640, 480),
        ClipPair("prores-422hq-10bit-320x240.mov", "mjpeg-pcm-320x240-15fps-camera.avi", 25, 320, 240),
        ClipPair("h264-aac-bt601-360x240.mp4", "h264-aac-rotate270-352x288-phone.mp4", ntsc, 360, 240),
        ClipPair("vp8-vorbis-960x540-flower.webm", "vp9-square-642x642-30fps.webm", ntsc, 960, 540),
        ClipPair("theora-vorbis-560x320-lego.ogv", "mpeg4-mp3-960x400-23-976fps.avi", 30, 560, 320),
        ClipPair("h264-aac-rotate90-720p-android.mp4", "h264-aac-portrait-720x1080-norotation.mp4", 30, 720, 1280),
        ClipPair("h264-mp3-in-mp4-640x360-chaplin.mp4", "wmv2-wma-560x320.asf", 25, 640, 360),
        ClipPair("h264-sar64-45-800x640-bpyramid.mp4", "mpeg2-odd-height-720x405-city.mpg", 30, 1137.8, 640),
        ClipPair("h264-444-aac-chapters.mkv", "h264-ac3-interlaced-tff-1080i50-avchd.mts", 30, 320, 240),
        ClipPair("h264-aac-chapters.mp4", "h264-ac3-srt-subtitle.mkv", ntsc, 1080, 720),
        ClipPair("h264-high10-420-10bit-200x200.mp4", "hevc-main10-hdr10-1080p-vfr.mp4", 30, 200, 200),
        ClipPair("h264-aac-audio-shorter-than-video.mp4", "vp9-odd-size-161x121.webm", 60, 320, 240),
        ClipPair("vp9-alpha-vorbis-200x200.webm", "gif-animated-200x150-cradle.gif", 30, 200, 200),
        ClipPair("h264-aac-fragmented-sidx.mp4", "h263-amr-vfr-176x144-sar12-11-phone.3gp", ntsc, 1080, 720),
        ClipPair("h264-sar2-1-640x360.mp4", "theora-noaudio-214x160-1906-grand-prix.ogv", 30, 1280, 360),
        ClipPair("h264-aac51-1080p60-bunny.mp4", "h264-pcm-1080p50-xvycc.mov", 60, 1920, 1080),
        ClipPair("hevc-854x480-1s.ts", "h264-aac-1080x720.flv", 30, 854, 480),
        ClipPair("h264-aac-cover-art-bunny.m4v", "h264-starts-at-10s-sar.mp4", 24, 320, 180),
    ]
}

extension CommandTests {
    @Suite(.serialized, .needsMedia) struct RealClipsTests {
        /// The number of frames of a clip at the output's rate: its own if it has that rate evenly, else rounded from
        /// its time stamps.
        private func frames(_ clip: VideoFacts, atRate rate: Double) -> (count: Int, isExact: Bool) {
            if clip.isEven(atRate: rate) { return (clip.frameCount, true) }
            return (Int((clip.span * rate).rounded()), false)
        }

        @Test(arguments: Places.some(ClipPair.all, every: 19))
        func joinHasEveryFrameOnTimeAndSoundOfTheSameLength(pair: ClipPair) throws {
            let folder = try TemporaryFolder()
            let (first, second) = try (medium(pair.first), medium(pair.second))
            let out = folder / "out.mp4"
            try succeed("\(first) \(second) --duration 0.6 --preset ultrafast --like first \(out)", timeout: 170)
            #expect(try folder.names == ["out.mp4"])
            #expect(try Judge.complaints(out) == "")

            let video = try Judge.video(out)
            let (before, after) = try (Judge.video(first), Judge.video(second))
            let counts = (frames(before, atRate: pair.rate), frames(after, atRate: pair.rate))
            // A transition is at most as long as either clip.
            let overlap = min(Int((0.6 * pair.rate).rounded()), counts.0.count, counts.1.count)
            let expected = counts.0.count + counts.1.count - overlap
            // A clip with another rate may have its last frame rounded either way.
            let slack = counts.0.isExact && counts.1.isExact ? 0 : 1
            #expect(abs(video.frameCount - expected) <= slack, "\(video.frameCount) frames, not \(expected)")
            #expect(video.times.first == 0 && video.isEven(atRate: pair.rate))
            #expect(video.rotation == 0)
            let shape = video.sampleAspect.split(separator: ":").compactMap { Double($0) }
            let aspect = Double(video.width) / Double(video.height) * (shape.count == 2 ? shape[0] / shape[1] : 1)
            #expect(
                abs(aspect / (pair.display.width / pair.display.height) - 1) < 0.005, "\(video.width)x\(video.height)")
            #expect(abs(Double(video.height) - pair.display.height) <= 1)
            for (key, value) in before.color where value != "unknown" && key != "chroma_location" {
                // H.264 and HEVC do not signal limited range if colors are untagged.
                if key == "color_range" && value == "tv" && video.color[key] == "unknown" { continue }
                #expect(video.color[key] == value, "\(key)")
            }
            try checkSound(out, first, second, length: Double(video.frameCount) / pair.rate, rate: pair.rate)
        }

        private func checkSound(_ out: String, _ first: String, _ second: String, length: Double, rate: Double) throws {
            guard try Judge.audio(first) != nil || Judge.audio(second) != nil else {
                #expect(try Judge.audio(out) == nil)
                return
            }
            let audio = try #require(try Judge.audio(out))
            #expect(abs(audio.duration - length) < 1 / rate, "audio \(audio.duration) s, video \(length) s")
            let decoded = try Double(Judge.samples(out).count / audio.channels) / Double(audio.sampleRate)
            // An AAC stream decodes to whole packets of 1024 samples.
            let packet = audio.codec == "aac" ? 1024 / Double(audio.sampleRate) : 0
            #expect(decoded > length - 1 / rate && decoded < length + 1 / rate + packet, "decoded \(decoded) s")
        }
    }
}
