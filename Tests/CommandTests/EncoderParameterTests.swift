import TestSupport
import Testing

extension CommandTests {
    /// Parameters of encoder libraries, written in one list as on ffmpeg's command line.
    @Suite(.serialized) struct EncoderParameterTests {
        let folder = TemporaryFolder.make()

        private func inputs() throws -> [String] {
            try [
                clips().pattern("parameters-a", frames: 30, size: "256x144"),
                clips().pattern("parameters-b", frames: 30, size: "256x144", hue: 90), "--duration", "10f", "--preset",
            ]
        }

        /// Encodes with `options` into mkv, and returns the file's path.
        private func encode(_ codec: String, _ options: String, in folder: TemporaryFolder) throws -> String {
            let out = folder / "out.mkv"
            let preset = codec == "libsvtav1" ? "12" : "ultrafast"
            try succeed(inputs() + [preset, "--video-codec", codec, "--video-options", options, "-y", out])
            return out
        }

        /// The indices of the keyframes, by ffprobe's flags of packets in order of time.
        private func keys(_ path: String) throws -> [Int] {
            let packets = try Judge.rows(path, "packets", "-select_streams v:0 -show_packets").sorted {
                Double($0["pts_time"] as? String ?? "") ?? 0 < Double($1["pts_time"] as? String ?? "") ?? 0
            }
            return packets.indices.filter { (packets[$0]["flags"] as? String)?.hasPrefix("K") == true }
        }

        /// The settings that x264 and x265 state in the stream.
        private func statement(_ path: String) throws -> String {
            String(decoding: try Data(contentsOf: path), as: UTF8.self)
        }

        /// 50 frames, with a keyframe every 10 and no scene cuts.
        private static let tens = [0, 10, 20, 30, 40]

        /// Colons need no backslash; with one, entries belong to the list even if the encoder has such an option.
        @Test(
            arguments: Places.some(
                [
                    ("libx264", "x264-params=keyint=10:scenecut=0:bframes=0"),
                    ("libx264", "x264-params=keyint=10\\:scenecut=0\\:bframes=0"),
                    ("libx264", "x264-params=scenecut=0:bframes=0\\:keyint=10:aq-mode=2"),
                    ("libx264", "bf=0:g=10:sc_threshold=0:x264-params=aq-mode=2"),
                    ("libx265", "x265-params=keyint=10:scenecut=0:min-keyint=10:open-gop=0:bframes=0"),
                    ("libx265", "x265-params=keyint=10\\:scenecut=0\\:min-keyint=10\\:open-gop=0\\:bframes=0"),
                ], every: 3)) func everyParameterArrives(codec: String, options: String) throws
        {
            let out = try encode(codec, options, in: folder)
            #expect(try keys(out) == Self.tens, "\(options)")
            #expect(try Judge.complaints(out) == "")
            if options.contains("aq-mode=2") { #expect(try statement(out).contains(" aq=2:")) }
        }

        /// SVT-AV1 gets what ffmpeg gives it: the coded frames are the same.
        @Test(
            .usesSystemLibraries,
            arguments: Places.some(["keyint=15:scd=0", "keyint=15\\:scd=0", "keyint=15:crf=50"], every: 3))
        func svtParametersArrive(parameters: String) throws {
            let frames = folder / "frames.mkv"
            try succeed(inputs().dropLast() + ["--video-codec", "ffv1", frames])
            try Tool.ffmpeg(
                "-i \(frames) -c:v libsvtav1 -preset 12 -crf 28 -svtav1-params \(parameters.replacing("\\", with: ""))",
                "\(folder / "theirs.mkv")")
            let ours = try encode("libsvtav1", "svtav1-params=\(parameters)", in: folder)
            #expect(try keys(ours) == keys(folder / "theirs.mkv") && keys(ours).count > 1)
            #expect(try Judge.frameHashes(ours) == Judge.frameHashes(folder / "theirs.mkv"))
        }

        /// Several parameters after the option's name take effect together, as the library itself says.
        @Test func librariesStateWhatTheyWereGiven() throws {
            let avc = try statement(encode("libx264", "x264-params=me=hex:subme=6:psy-rd=0.70,0.20", in: folder))
            #expect(avc.contains(" me=hex ") && avc.contains(" subme=6 ") && avc.contains("psy_rd=0.70:0.20"))
            let hevc = try statement(encode("libx265", "x265-params=aq-mode=3:no-sao:rd=2:info=1", in: folder))
            #expect(hevc.contains(" aq-mode=3 ") && hevc.contains(" no-sao ") && hevc.contains(" rd=2 "))
        }
    }
}
