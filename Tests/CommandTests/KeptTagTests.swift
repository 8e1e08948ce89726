import TestSupport
import Testing

extension CommandTests {
    /// What cameras write into their files, as ffprobe and exiftool find it in films of them.
    @Suite(.serialized) struct KeptTagTests {
        let folder = TemporaryFolder.make()

        /// Fields of ffprobe, in lower case, and of exiftool.
        private static let tags: Set = [
            "creation_time", "location", "make", "model", "software", "firmware", "title", "artist", "composer",
            "album",
            "genre", "comment", "description", "date", "timecode", "com.android.version", "com.android.capture.fps",
            "com.apple.quicktime.author", "com.apple.quicktime.full-frame-rate-playback-intent",
        ]
        private static let fields: Set = [
            "CreateDate", "GPSLatitude", "GPSLongitude", "Make", "Model", "Software", "FirmwareVersion",
            "AndroidVersion", "AndroidCaptureFps", "Author", "Title", "Artist", "Composer", "Album", "Genre", "Comment",
            "Description",
        ]

        private static let files: [String] = {
            guard let media = Places.media else { return [] }
            let names = ["", "recordings/"].flatMap { folder in
                (try? FileManager.default.contentsOfDirectory(atPath: "\(media)/\(folder)"))?.map { folder + $0 } ?? []
            }
            return names.filter { name in
                !name.contains("bad-") && [".mp4", ".mov", ".m4v", ".mkv", ".3gp"].contains { name.hasSuffix($0) }
            }.sorted()
        }()

        /// The tags of a file, and the timecode of its video.
        private func tags(_ path: String) throws -> [String: String] {
            let object = try Judge.probe(path, ["-show_format", "-show_streams"])
            var tags = (object["format"] as? [String: Any])?["tags"] as? [String: String] ?? [:]
            for stream in object["streams"] as? [[String: Any]] ?? [] where stream["codec_type"] as? String == "video" {
                let own = stream["tags"] as? [String: String] ?? [:]
                tags["timecode"] = tags["timecode"] ?? own["timecode"]
            }
            // A clock that was never set says 1970.
            return Dictionary(tags.map { ($0.lowercased(), $1) }, uniquingKeysWith: { one, _ in one })
                .filter { Self.tags.contains($0.key) && !$0.value.hasPrefix("1970-01-01T00:00:00") }
        }

        /// exiftool's fields, of which degrees are as exact as files are that state them in fractions of 65536.
        private func fields(_ path: String) throws -> [String: String] {
            try Judge.exif(path).filter { Self.fields.contains($0.key) && $0.value != "0000:00:00 00:00:00" }
                .mapValues { value in Double(value).map { "\(($0 * 1000).rounded() / 1000)" } ?? value }
        }

        /// A file joined with itself says the same of itself as before, in every container that can hold it; where one can't, a
        /// warning names it.
        @Test(.needsMedia, arguments: Places.some(files, every: 40))
        func filmsSayWhatTheirFilesSay(name: String) throws {
            let path = Places.medium(name)
            let source = try tags(path)
            for (ending, mode) in [("mp4", "auto"), ("mov", "full"), ("mkv", "auto"), ("ts", "full")] {
                let out = folder / "out.\(ending)"
                let part = path + "#t=0,0.3"
                let options =
                    ["--transition", "cut", "--no-audio", "--render", mode]
                    + (mode == "full" ? ["--size", "64x64"] : [])
                let run = try succeed([part, part, out] + options)
                // ffprobe doesn't recognize transport streams of a few packets.
                if ending == "ts" {
                    let warning = warnings(run).first { $0.contains("left out these tags of the inputs") }
                    #expect(source.keys.allSatisfy { warning?.contains($0) == true }, "\(name): \(run.story)")
                    continue
                }
                let found = try tags(out)
                // Only ffprobe knows the number of a float that it read.
                #expect(found.filter { source[$0.key] != nil } == source, "\(name) as \(ending)")
                if ending != "mkv" {
                    let fields = try fields(path)
                    #expect(try self.fields(out).filter { fields[$0.key] != nil } == fields, "\(name) as \(ending)")
                }
            }
        }

        /// A film of 3 s that begins with the timecode `code`.
        private func film(_ code: String, rate: String) throws -> String {
            try clips().make(
                "code-\(code.filter(\.isNumber))-\(rate.filter(\.isNumber)).mov",
                "-f lavfi -i testsrc2=s=64x48:r=\(rate):d=3 -c:v libx264 -g 5 -timecode \(code)")
        }

        /// A timecode, as ffmpeg writes it, by the frame at which the film begins.
        @Test(
            arguments: Places.some(
                [
                    ("01:02:03;04", "30000/1001", "1.001", "01:02:04;04"),
                    ("00:00:59;29", "30000/1001", "1.001", "00:01:01;01"),
                    ("00:00:59;58", "60000/1001", "1.001", "00:01:01;02"), ("23:59:59:24", "25", "0.04", "00:00:00:00"),
                    ("10:00:00:00", "24000/1001", "0", "10:00:00:00"),
                ], every: 5))
        func theTimecodeMovesWithTheCut(code: String, rate: String, start: String, expected: String) throws {
            let film = try self.film(code, rate: rate)
            for (index, options) in [[], ["--render", "smart"]].enumerated() {
                for ending in ["mp4", "mov", "mkv", "avi"] where index == 0 || ending != "avi" {
                    let out = folder / "\(index).\(ending)"
                    let run = try succeed(["\(film)#t=\(start)", film, "--duration", "3f", out] + options)
                    #expect(try tags(out)["timecode"] == expected, "\(ending) \(options)")
                    #expect(warnings(run).isEmpty, "\(run.story)")
                }
            }
            let set = try succeed([film, film, folder / "set.mp4", "--timecode", "09:08:07:06", "--strict"])
            #expect(try tags(folder / "set.mp4")["timecode"] == "09:08:07:06", "\(set.story)")
            try succeed([film, film, folder / "none.mp4", "--metadata", "timecode="])
            #expect(try tags(folder / "none.mp4")["timecode"] == nil)
            let lost = try succeed([film, film, folder / "lost.ts"])
            #expect(warnings(lost).contains { $0.hasSuffix("which ts files can't hold: timecode") }, "\(lost.story)")
        }

        /// Frames that keep their own times, and frames converted to another rate.
        @Test func theTimecodeIsThatOfTheOutputsRate() throws {
            let film = try self.film("01:00:00:10", rate: "25")
            let uneven = try clips().make(
                "code-uneven.mkv", "-f lavfi -i testsrc2=s=64x48:r=25:d=3 -vf settb=1/1000,setpts=N*40+mod(N\\,2)*7",
                "-fps_mode passthrough -c:v libx264 -g 5 -metadata timecode=01:00:00:10")
            for (clip, options, expected) in [
                (film, ["--fps", "50"], "01:00:00:20"), (uneven, ["--render", "auto"], "01:00:00:10"),
            ] {
                for ending in ["mp4", "mkv"] {
                    try succeed([clip, clip, folder / "out.\(ending)", "-y"] + options)
                    #expect(try tags(folder / "out.\(ending)")["timecode"] == expected, "\(ending) \(options)")
                }
            }
        }

        @Test(arguments: [
            ("10:01:00;00", "mov", "invalid timecode '10:01:00;00'"), ("10:00:00:30", "mov", "frames below 30"),
            ("10:00", "mp4", "HH:MM:SS:FF"), ("10:00:00:00", "ts", "ts files hold no tags"),
        ])
        func wrongTimecodesAreRefused(code: String, ending: String, words: String) throws {
            let film = try clips().pattern("codeless", frames: 30, rate: "30000/1001")
            let run = try CommandTests.run([film, film, folder / "no.\(ending)", "--timecode", code])
            #expect(run.status == 64 && run.messageLines.count == 1 && run.messages.contains(words), "\(run.story)")
        }

        /// Timelines count from the timecode, as OpenTimelineIO's `available_range` has it, and render the same frames.
        @Test func timelinesCountFromTheTimecode() throws {
            let film = try self.film("01:02:03;04", rate: "30000/1001")
            try succeed(["export", "\(film)#t=1.001", film, folder / "o.otio", "--duration", "6f"])
            let data = try Data(contentsOf: folder / "o.otio")
            let timeline = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            // Frame 111,582 has the first label, by SMPTE ST 12-1.
            #expect((timeline["global_start_time"] as? [String: Any])?["value"] as? Double == 111_612)
            let text = String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
            #expect(
                text.contains(#""start_time":{"OTIO_SCHEMA":"RationalTime.1","rate":29.97002997002997,"value":111582}"#)
            )
            #expect(
                text.contains(#""start_time":{"OTIO_SCHEMA":"RationalTime.1","rate":29.97002997002997,"value":111612}"#)
            )
            let direct = ["\(film)#t=1.001", film, "--duration", "6f"]
            try succeed(direct + [folder / "direct.mov"])
            try succeed([folder / "o.otio", folder / "timeline.mov"])
            #expect(try Judge.frameHashes(folder / "direct.mov") == Judge.frameHashes(folder / "timeline.mov"))
            #expect(try tags(folder / "timeline.mov")["timecode"] == "01:02:04;04")
        }
    }
}
