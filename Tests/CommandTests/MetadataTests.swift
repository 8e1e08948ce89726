import TestSupport
import Testing

extension CommandTests {
    /// Tags of files, such as the title.
    @Suite(.serialized) struct MetadataTests {
        private func clip(_ name: String, _ tags: [String], _ options: [String] = []) throws -> String {
            try clips().make(
                name,
                ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=1", "-c:v", "libx264", "-g", "5"]
                    + tags.flatMap { ["-metadata", $0] } + options)
        }

        /// The tags of a file by their names in lower case, without those that describe the file.
        private func tags(_ path: String) throws -> [String: String] {
            let object = try Judge.probe(path, ["-show_format"])
            let tags = (object["format"] as? [String: Any])?["tags"] as? [String: String] ?? [:]
            let own = ["encoder", "major_brand", "minor_version", "compatible_brands", "duration"]
            return Dictionary(uniqueKeysWithValues: tags.map { ($0.lowercased(), $1) }.filter { !own.contains($0.0) })
        }

        @Test func tagsAreKeptUnlessClipsDisagree() throws {
            let folder = try TemporaryFolder()
            let first = try clip("tags-a.mp4", ["title=One", "artist=Ann", "comment=Seen twice", "genre=Travel"])
            let second = try clip(
                "tags-b.mkv",
                ["title=Two", "artist=Ann", "date=2024", "creation_time=2024-01-01T00:00:00", "mood=calm"])
            let all = [
                "artist": "Ann", "comment": "Seen twice", "genre": "Travel", "date": "2024", "mood": "calm",
                "creation_time": "2024-01-01T00:00:00.000000Z",
            ]
            for (ending, expected) in [
                ("mp4", all), ("mov", all), ("mkv", all), ("webm", all),
                ("avi", all.filter { ["artist", "comment", "genre", "date"].contains($0.key) }), ("ts", [:]),
            ] {
                let run = try succeed([first, second, folder / "out.\(ending)"])
                #expect(
                    try tags(folder / "out.\(ending)").filter { !$0.key.hasPrefix("service") } == expected, "\(ending)")
                let lost = all.keys.filter { expected[$0] == nil }.sorted().joined(separator: ", ")
                #expect(
                    warnings(run)
                        == (lost.isEmpty
                            ? []
                            : [
                                "fliptransition: warning: left out these tags of the inputs, which \(ending) files can't hold: \(lost)"
                            ]),
                    "\(run.story)")
                #expect(run.messages.contains("the inputs disagree on these tags, which are left out: title\n"))
            }
        }

        @Test func tagsAreSetAndRemoved() throws {
            let folder = try TemporaryFolder()
            let first = try clip("tags-a.mp4", ["title=One", "artist=Ann", "comment=Seen twice", "genre=Travel"])
            let set = ["--metadata", "title=A = b, ü", "--metadata", "genre=", "--metadata", "comment="]
            for ending in ["mp4", "mov", "mkv", "webm", "nut"] {
                try succeed([first, first] + set + [folder / "out.\(ending)"])
                #expect(try tags(folder / "out.\(ending)") == ["title": "A = b, ü", "artist": "Ann"], "\(ending)")
            }
            try succeed([first, first, "--duration", "3f", "--render", "smart"] + set + [folder / "smart.mp4"])
            #expect(try tags(folder / "smart.mp4") == ["title": "A = b, ü", "artist": "Ann"])
            for (tag, ending, words) in [
                ("mood=calm", "avi", "hold no tag 'mood'"), ("title=x", "ts", "hold no tags"),
                ("creation_time=now", "mp4", "expected a date such as 2026-05-17T14:30:00Z"),
                ("title", "mp4", "expected key=value"),
            ] {
                let run = try CommandTests.run([first, first, "--metadata", tag, folder / "no.\(ending)"])
                #expect(run.status == 64 && run.messageLines.count == 1 && run.messages.contains(words), "\(run.story)")
            }
        }

        /// What cameras write is there under the names by which ffprobe and exiftool know it, whatever is rendered.
        @Test(.turn(1, of: 2)) func dateAndPlaceAreKeptInEveryWay() throws {
            let folder = try TemporaryFolder()
            let first = try clip(
                "camera-a.mp4",
                [
                    "creation_time=2024-05-02T10:00:00Z", "location=+48.8577+002.2950+034.000/", "make=Maker",
                    "com.apple.quicktime.make=Maker",
                ],
                ["-movflags", "use_metadata_tags"])
            let second = try clip(
                "camera-b.mkv", ["creation_time=2024-05-01T10:00:00Z", "location=+48.8579+002.2951/"])
            let expected = try [
                "creation_time": "2024-05-01T10:00:00.000000Z", "location": #require(tags(first)["location"]),
                "make": "Maker",
                "com.apple.quicktime.make": "Maker",
            ]
            for (index, arguments) in [
                [], ["--render", "smart", "--duration", "3f"], ["--segments", "10f", "--duration", "3f"],
                ["--chapters"],
            ].enumerated() {
                for ending in index == 1 ? ["mp4", "mov"] : ["mp4", "mov", "mkv"] {
                    let out = folder / "\(index).\(ending)"
                    // Matroska's times are milliseconds, so only a copy of the first clip is one of frames.
                    try succeed([first, index == 1 ? first : second] + arguments + [out])
                    var expected = expected
                    if index == 1 { expected["creation_time"] = "2024-05-02T10:00:00.000000Z" }
                    let found = try tags(out).filter { !$0.key.hasSuffix("-eng") && $0.key != "title" }
                    #expect(found == expected, "\(arguments) \(ending)")
                }
            }
            // The place of the mp4 file's chapters and tags is found by others, too.
            if Places.has("exiftool") {
                for file in ["0.mp4", "0.mov", "3.mp4"] {
                    let fields = try Judge.exif(folder / file)
                    #expect(fields["CreateDate"] == "2024:05:01 10:00:00" && fields["Make"] == "Maker", "\(fields)")
                    #expect(fields["GPSCoordinates"] == "48.8577 2.295 34", "\(fields)")
                }
            }
            try succeed([first, first, "-f", "mp4", "-"]).output.write(to: folder / "stream.mp4")
            #expect(try tags(folder / "stream.mp4")["make"] == "Maker")
        }
    }
}
