import FlipBase
import FlipMedia
import TestSupport
import Testing

@Suite(.enabled(if: Places.media != nil, Comment(rawValue: Places.mediaIsMissing))) struct MediaProbeTests {
    /// Frame counts and times are those that ffprobe reports for decoded frames.
    @Test(arguments: [
        ("h264-aac-960x540-29-97fps-flower.mp4", 150, Rational(30000, 1001), 5.005, 0.0),
        ("h264-aac-1080x720.flv", 30, Rational(30), 1.0, 0.067),
        ("h264-444-edit-list-bframes-1fps.mp4", 12, Rational(1), 12.0, 0.0),
        ("h264-ac3-interlaced-tff-1080i50-avchd.mts", 13, Rational(25), 0.52, 1.04),
        ("h264-starts-at-10s-sar.mp4", 120, Rational(30), 4.0, 10.0),
        ("mjpeg-pcm-320x240-15fps-camera.avi", 41, Rational(15), 2.7333, 0.0),
        ("mpeg1-80x60-elementary.mpg", 500, Rational(25), 20.0, 0.0),
        ("vp8-vorbis-960x540-flower.webm", 150, Rational(30000, 1001), 5.005, 0.003),
        ("vp9-odd-size-161x121.webm", 30, Rational(30000, 1001), 1.001, 0.0),
        ("h264-aac-long-363s-1080p-lowbitrate.mp4", 10883, Rational(30), 362.7667, 0.0),
        ("hevc-854x480-1s.ts", 30, Rational(30), 1.0, 1.4667),
    ])
    func countsEvenFrames(name: String, count: Int, rate: Rational, duration: Double, start: Double) throws {
        let video = try #require(try MediaProbe.probe(path: Places.medium(name)).video)
        #expect(video.frameCount == count)
        #expect(video.frameRate == rate)
        #expect(!video.isVariableFrameRate)
        #expect(abs(video.duration.doubleValue - duration) < 0.001)
        #expect(abs(video.start.doubleValue - start) < 0.001)
    }

    @Test(arguments: [
        ("gif-animated-60x105-2s-per-frame.gif", 4, Rational(1), 8.0),
        ("h264-vfr-screen-recording-3026x1386.mp4", 63, Rational(30), 8.7255),
        ("h264-aac-1080p-phone-gap-in-timestamps.mp4", 41, Rational(30), 1.5174),
        ("wmv2-wma-560x320.asf", 161, Rational(30), 6.433),
    ])
    func measuresUnevenFrames(name: String, count: Int, rate: Rational, duration: Double) throws {
        let video = try #require(try MediaProbe.probe(path: Places.medium(name)).video)
        #expect(video.frameCount == count)
        #expect(video.frameRate == rate)
        #expect(video.isVariableFrameRate)
        #expect(abs(video.duration.doubleValue - duration) < 0.001)
    }

    @Test func believesDecodedPicturesMoreThanHeaders() throws {
        let video = try #require(try MediaProbe.probe(path: Places.medium("av1-1frame-four-colours.mp4")).video)
        #expect(video.width == 320 && video.height == 240)
        #expect(video.pixelFormat.name == "gbrp")
        let full = try #require(try MediaProbe.probe(path: Places.medium("h264-fullrange-bt709-720p.mp4")).video)
        #expect(full.pixelFormat.name == "yuv420p")
        #expect(full.color.isFullRange == true)
        #expect(full.color.matrix == "bt709")
    }

    @Test(arguments: [
        ("h264-aac-rotate90-720p-android.mp4", 90, false, 720, 1280),
        ("h264-aac-rotate180-720p-phone-vfr.mp4", 180, false, 1280, 720),
        ("h264-aac-rotate270-352x288-phone.mp4", 270, false, 288, 352),
        ("h264-aac-rotate-and-mirror.mp4", 270, true, 720, 1080),
        ("h264-sar2-1-640x360.mp4", 0, false, 1280, 360),
        ("jpeg-exif-orientation-7.jpg", 90, true, 600, 450),
    ])
    func knowsHowPicturesAreShown(name: String, rotation: Int, mirrored: Bool, width: Int, height: Int) throws {
        let video = try #require(try MediaProbe.probe(path: Places.medium(name)).video)
        #expect(video.transform.rotation == rotation)
        #expect(video.transform.mirrored == mirrored)
        #expect(video.displayWidth == width && video.displayHeight == height)
    }

    @Test func listsWhatItIgnores() throws {
        let film = try MediaProbe.probe(path: Places.medium("h264-2audio-8subtitles.mkv"))
        #expect(film.audio?.sampleRate == 48000)
        #expect(film.audioTracks.map(\.streamIndex) == [1, 8])
        #expect(film.subtitles.map(\.streamIndex) == [2, 3, 4, 5, 6, 7, 9, 10])
        #expect(film.subtitles.map(\.tags.language) == ["eng", "hun", "ger", "fre", "spa", "ita", "jpn", nil])
        #expect(film.subtitles.allSatisfy { $0.isText && $0.codec == "subrip" } && film.ignoredStreams.isEmpty)
        let song = try MediaProbe.probe(path: Places.medium("flac-stereo-48khz-cover-art.flac"))
        #expect(song.video == nil)
        #expect(song.ignoredStreams == ["the cover art (stream 1, png)"])
    }

    @Test(arguments: [
        ("bad-not-a-video.mp4", MediaError.Kind.badInput), ("MEDIA.md", .badInput),
        ("webp-animated-370x285.webp", .badInput),
        ("no-such-file.mp4", .missingInput), ("", .missingInput),
    ])
    func refusesWithOneSentence(name: String, kind: MediaError.Kind) {
        let error = #expect(throws: MediaError.self) { try MediaProbe.probe(path: Places.medium(name)) }
        #expect(error?.kind == kind)
        #expect(error?.message.contains(Places.medium(name)) == true)
        #expect(error?.message.contains("\n") == false)
    }

    /// A frame so late that its time doesn't fit where rates and slots are computed is refused like any clip that
    /// claims to last too long.
    @Test(arguments: [UInt64(4_000_000_000_000_000_000), 9_000_000_000_000_000_000, 70_000_000])
    func refusesFramesThatAreFarTooLate(last: UInt64) throws {
        let folder = try TemporaryFolder()
        try Tool.ffmpeg("-f lavfi -i testsrc=s=64x64 -frames:v 1 \(folder / "f.jpg")")
        let picture = try Data(contentsOf: folder / "f.jpg")
        let path = folder / "late.mkv"
        try HostileFiles.matroska(picture: picture, times: Array(0..<49) + [last])
            .write(to: path)
        let error = #expect(throws: MediaError.self) { try MediaProbe.probe(path: path) }
        #expect(error?.kind == .badInput)
        #expect(error?.message.contains("claims to last") == true)
    }
}
