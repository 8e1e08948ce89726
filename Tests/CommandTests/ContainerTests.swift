import TestSupport
import Testing

extension CommandTests {
    @Suite(.serialized) struct ContainerTests {
        let folder = TemporaryFolder.make()

        /// The file name extension of a container, and whether its outputs have audio.
        static let rows: [(name: String, hasSound: Bool)] = [
            ("mp4", true), ("mov", true), ("mkv", true), ("webm", true), ("nut", true), ("avi", true), ("y4m", false),
            ("ts", true),
        ]

        private func inputs() throws -> [String] {
            try [
                clips().flashAndClick("click-a.mp4", seconds: 3, events: [0.5, 1, 2]),
                clips().pattern("container-b", frames: 45, rate: "30"),
            ]
        }

        @Test(arguments: Places.some(Array(rows.indices), every: 4))
        func everyContainerHoldsEveryFrame(row: Int) throws {
            let (name, hasSound) = Self.rows[row]
            let out = folder / "out.\(name)"
            try succeed(inputs() + [out])
            #expect(try folder.names == ["out.\(name)"])
            #expect(try Judge.complaints(out) == "")
            #expect(try Judge.frameHashes(out).count == 90 + 45 - 18)
            let video = try Judge.video(out)
            #expect(video.width == 160 && video.height == 90 && video.isEven(atRate: 30))
            let audio = try Judge.audio(out)
            #expect((audio != nil) == hasSound)
            if hasSound {
                let sound = try Sound(out)
                #expect(abs(sound.seconds - 117.0 / 30) < 1.0 / 30 + 1024 / sound.rate)
            }
        }

        @Test func mp4IsWhatPlayersExpect() throws {
            try succeed(inputs() + [folder / "out.mp4"])
            let video = try Judge.video(folder / "out.mp4")
            let audio = try #require(try Judge.audio(folder / "out.mp4"))
            #expect(video.codec == "h264" && video.pixelFormat == "yuv420p" && audio.codec == "aac")
            #expect(audio.sampleRate == 48000 && audio.channels == 2)
            // faststart: the index comes before the data.
            let bytes = try Data(contentsOf: folder / "out.mp4")
            let index = try #require(bytes.range(of: Data("moov".utf8)))
            let data = try #require(bytes.range(of: Data("mdat".utf8)))
            #expect(index.lowerBound < data.lowerBound)
        }

        @Test func standardOutputIsAFileToo() throws {
            let run = try succeed(inputs() + ["-", "--format", "nut"])
            try run.output.write(to: folder / "piped.nut")
            #expect(try Judge.complaints(folder / "piped.nut") == "")
            #expect(try Judge.video(folder / "piped.nut").frameCount == 117)
            let mp4 = try succeed(inputs() + ["-", "--format", "mp4"])
            try mp4.output.write(to: folder / "piped.mp4")
            #expect(try Judge.complaints(folder / "piped.mp4") == "")
            #expect(try Judge.frameHashes(folder / "piped.mp4").count == 117)
        }

        @Test func encodersTakeTheirOptions() throws {
            let inputs = try inputs()
            let size = { (arguments: [String]) throws -> Int in
                try succeed(inputs + arguments + ["-y", folder / "out.mp4"])
                return try Data(contentsOf: folder / "out.mp4").count
            }
            #expect(try size(["--crf", "40", "--no-audio"]) < size(["--crf", "10", "--no-audio"]))
            #expect(
                try size(["--audio-bitrate", "64k", "--crf", "30"]) < size(["--audio-bitrate", "256k", "--crf", "30"]))
            #expect(try size(["--bitrate", "200k", "--no-audio"]) < size(["--bitrate", "2000k", "--no-audio"]))
            _ = try size(["--video-codec", "libx265", "--preset", "ultrafast", "--pix-fmt", "yuv422p10le"])
            let deep = try Judge.video(folder / "out.mp4")
            #expect(deep.codec == "hevc" && deep.pixelFormat == "yuv422p10le" && deep.frameCount == 117)
            _ = try size(["--video-options", "g=7:bf=0", "--no-audio"])
            let keys = try Tool.succeed(
                "ffprobe", "-v error -select_streams v:0 -skip_frame nokey -show_entries frame=pict_type",
                "-of csv=p=0 \(folder / "out.mp4")")
            #expect(keys.text.split(separator: "\n").count >= 117 / 7)
        }
    }
}
