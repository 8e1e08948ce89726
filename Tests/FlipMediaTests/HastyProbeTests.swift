import FlipMedia
import TestSupport
import Testing

/// Probing that leaves the middle of long clips unread finds what reading all of it finds.
@Suite struct HastyProbeTests {
    let folder = TemporaryFolder.make()

    /// Makes a clip of small, plain frames.
    private static func clip(_ name: String, _ options: [String], in folder: TemporaryFolder) throws -> String {
        let path = folder / name
        try Tool.ffmpeg("-f lavfi -i testsrc=s=64x48:r=25:d=160 -f lavfi -i sine=d=160 \(options) -c:a aac \(path)")
        return path
    }

    /// What is known of a file, as text.
    private static func facts(_ path: String, isHasty: Bool) throws -> String {
        "\(try MediaProbe.probe(path: path, isHasty: isHasty))"
    }

    @Test(
        arguments: Places.some(
            [
                ("b-frames.mp4", ["-c:v", "libx264", "-preset", "medium", "-g", "50"]),
                ("plain.mov", ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25"]),
                ("intra.mov", ["-c:v", "mjpeg"]),
                ("late.mp4", ["-c:v", "libx264", "-preset", "ultrafast", "-output_ts_offset", "3", "-g", "40"]),
                // Its frames follow unevenly, so that all of it is read.
                (
                    "uneven.mp4",
                    [
                        "-c:v", "libx264", "-preset", "medium", "-g", "50", "-vf", "select='not(eq(mod(n,7),3))'",
                        "-fps_mode", "vfr",
                    ]
                ),
                // One keyframe only: nothing can be left out.
                ("long-gop.mp4", ["-c:v", "libx264", "-preset", "ultrafast", "-g", "99999"]),
                ("other.mkv", ["-c:v", "libx264", "-preset", "ultrafast"]),
            ], every: 3))
    func findsTheSame(name: String, options: [String]) throws {
        let path = try Self.clip(name, options, in: folder)
        #expect(try Self.facts(path, isHasty: true) == Self.facts(path, isHasty: false))
    }

    /// Leading pictures are decoded after their keyframe and shown before it.
    @Test func countsFramesOfOpenGOPs() throws {
        let path = try Self.clip(
            "open.mp4", ["-c:v", "libx264", "-preset", "medium", "-x264-params", "open-gop=1:keyint=50"], in: folder)
        let (quick, whole) = (
            try #require(try MediaProbe.probe(path: path, isHasty: true).video),
            try #require(try MediaProbe.probe(path: path).video)
        )
        #expect(quick.frameCount == whole.frameCount && quick.frameCount == 4000)
        #expect(quick.duration == whole.duration && quick.start == whole.start)
        #expect(quick.frameRate == whole.frameRate && !quick.isVariableFrameRate)
    }
}
