import TestSupport
import Testing

extension CommandTests {
    /// Subtitles are cut, moved and joined with their clips.
    @Suite(.serialized) struct SubtitleTests {
        let folder = TemporaryFolder.make()

        /// A subtitle as ffprobe and ffmpeg read it from a file, in milliseconds.
        struct Line: Equatable, CustomStringConvertible {
            var start: Int
            var end: Int
            var text: String

            var description: String { "\(start)-\(end) '\(text)'" }
        }

        /// The subtitles of the first film: one ends at the cut of 0.2 s, one is cut there, one lies across the start of
        /// the transition, and one reaches beyond the clip's end.
        static let first = [
            Line(start: 0, end: 200, text: "Gone"), Line(start: 120, end: 733, text: "Where are you?"),
            Line(start: 900, end: 1501, text: "<i>Here</i>, of course.\nOn two lines."),
            Line(start: 1750, end: 9000, text: "Grüße — “wie immer” & <b>so</b>"),
        ]
        static let second = [
            Line(start: 50, end: 333, text: "The second film"), Line(start: 601, end: 1100, text: "日本語の字幕"),
        ]

        private func write(_ lines: [Line], _ path: String) throws {
            let time = { (milliseconds: Int) in
                String(
                    format: "%02d:%02d:%02d,%03d", milliseconds / 3_600_000, milliseconds / 60000 % 60,
                    milliseconds / 1000 % 60, milliseconds % 1000)
            }
            let text = lines.enumerated().map { "\($0 + 1)\n\(time($1.start)) --> \(time($1.end))\n\($1.text)\n\n" }
            try Data(text.joined().utf8).write(to: path)
        }

        /// The subtitles of a stream: the times of its packets, and its texts as ffmpeg converts them to SRT.
        private func lines(_ path: String, track: Int = 0) throws -> [Line] {
            let object = try Judge.probe(
                path, ["-select_streams", "s:\(track)", "-show_entries", "packet=pts_time,duration_time,size"])
            let times = (object["packets"] as? [[String: Any]] ?? []).compactMap { packet -> (Int, Int)? in
                let number = { (key: String) in Double(packet[key] as? String ?? "") }
                // Empty packets lie between the subtitles of MP4.
                guard let start = number("pts_time"), let length = number("duration_time"), length > 0,
                    (number("size") ?? 0) > 2 || path.hasSuffix(".mkv")
                else { return nil }
                return (Int((start * 1000).rounded()), Int(((start + length) * 1000).rounded()))
            }
            let text = try Tool.ffmpeg("-i \(path) -map 0:s:\(track) -f srt -").text.replacing("\r\n", with: "\n")
            var texts: [[Substring]] = []
            for line in text.split(separator: "\n") {
                // Each text comes after its number and its times.
                if line.contains(" --> ") {
                    if let last = texts.indices.last { texts[last].removeLast() }
                    texts.append([])
                } else if let last = texts.indices.last {
                    texts[last].append(line)
                }
            }
            try #require(texts.count == times.count, "\(times) \(texts)")
            return zip(times, texts).map { Line(start: $0.0, end: $0.1, text: $1.joined(separator: "\n")) }
        }

        /// Two films of 2 s at 25 frames per second with subtitles, in `codec`. The first is shown from 0.2 s on and the
        /// second begins with the transition of 0.4 s, so at 1.4 s, while the first ends at 1.8 s.
        private func films(codec: String, ending: String) throws -> [String] {
            try write(Self.first, folder / "first.srt")
            try write(Self.second, folder / "second.srt")
            let plain = try ["subtitle-a", "subtitle-b"].map { try clips().pattern($0, frames: 50) }
            let a = try Clips.addSubtitles(
                [(folder / "first.srt", "eng")], to: plain[0], codec: codec, as: "a.\(ending)", in: folder)
            let b = try Clips.addSubtitles(
                [(folder / "second.srt", "eng")], to: plain[1], codec: codec, as: "b.\(ending)", in: folder)
            return [a + "#t=0.2", b]
        }

        /// What the output has to show: each line moved by where its clip lies, and cut to the time it is shown.
        static let joined = [
            Line(start: 0, end: 533, text: "Where are you?"),
            Line(start: 700, end: 1301, text: "<i>Here</i>, of course.\nOn two lines."),
            Line(start: 1450, end: 1733, text: "The second film"),
            Line(start: 1550, end: 1800, text: "Grüße — “wie immer” & <b>so</b>"),
            Line(start: 2001, end: 2500, text: "日本語の字幕"),
        ]
        /// The same where only one subtitle is shown at a time.
        static let separated =
            joined[..<2] + [
                Line(start: 1450, end: 1550, text: "The second film"),
                Line(start: 1550, end: 1733, text: "The second film\nGrüße — “wie immer” & <b>so</b>"),
                Line(start: 1733, end: 1800, text: "Grüße — “wie immer” & <b>so</b>"), joined[4],
            ]

        @Test(
            arguments: Places.some(
                [
                    ("copy", "mkv", "mkv", []), ("copy", "mkv", "mp4", []), ("copy", "mkv", "mov", []),
                    ("copy", "mkv", "webm", ["--video-codec", "libvpx-vp9"]), ("ass", "mkv", "mkv", []),
                    ("webvtt", "mkv", "mkv", []), ("copy", "mkv", "mkv", ["--segments", "1"]),
                ], every: 3))
        func everyLineKeepsItsTime(codec: String, ending: String, container: String, options: [String]) throws {
            let out = folder / "out.\(container)"
            let run = try succeed(
                films(codec: codec, ending: ending)
                    + ["--duration", "0.4", "--preset", "ultrafast"]
                    .filter { container != "webm" || !["--preset", "ultrafast"].contains($0) } + options + [out])
            var expected = ["mp4", "mov"].contains(container) ? Array(Self.separated) : Self.joined
            // WebVTT and SRT have other words for italics than ASS, which ffmpeg converts back; texts are compared plain.
            if codec == "ass" || container != "mkv" || codec == "webvtt" { expected = expected.map(plain) }
            var found = try lines(out)
            if codec == "ass" || container != "mkv" || codec == "webvtt" { found = found.map(plain) }
            // Players show lines that begin together in any order, but times have to agree to the millisecond.
            #expect(found == expected, "\(run.story)")
            #expect(try Judge.complaints(out) == "")
        }

        private func plain(_ line: Line) -> Line {
            var text = line.text.replacing(/<[^>]*>/, with: "")
            for (name, character) in [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")] {
                text = text.replacing(name, with: character)
            }
            return Line(start: line.start, end: line.end, text: text)
        }

        /// Text that needs no conversion is copied byte by byte, with markup that ffmpeg doesn't know.
        @Test func textIsCopiedAsItIs() throws {
            let odd = [Line(start: 100, end: 900, text: "{\\an8}<font face=\"Odd\">X</font> <unknown> &nbsp;")]
            try write(odd, folder / "odd.srt")
            let film = try Clips.addSubtitles(
                [(folder / "odd.srt", "eng")], to: clips().pattern("subtitle-a", frames: 50), as: "odd.mkv", in: folder)
            try succeed([film, film, "--transition", "cut", folder / "out.mkv"])
            let raw = try Tool.succeed(
                "ffprobe", "-v error -select_streams s -show_entries packet=data_hash -show_data_hash md5",
                "-of csv=p=0 \(folder / "out.mkv")"
            ).text.split(separator: "\n")
            let source = try Tool.succeed(
                "ffprobe", "-v error -select_streams s -show_entries packet=data_hash -show_data_hash md5",
                "-of csv=p=0 \(film)"
            ).text.split(separator: "\n")
            #expect(source.count == 1 && raw == source + source)
        }

        /// Files may have subtitles in disorder. Containers want them in order, so what lies before the latest start is
        /// cut off.
        @Test(arguments: ["mkv", "mp4"]) func disorderIsPutInOrder(container: String) throws {
            let written = [Line(start: 300, end: 1500, text: "late"), Line(start: 900, end: 1450, text: "soon")]
            try write(written, folder / "lines.srt")
            let plain = try clips().pattern("subtitle-a", frames: 50)
            let film = try Clips.addSubtitles([(folder / "lines.srt", "eng")], to: plain, as: "film.mkv", in: folder)
            // The second one's block is changed to begin at 50 ms: before its text are one byte of flags and two of the
            // time since that of its cluster (RFC 9559 10.1).
            var bytes = try Data(contentsOf: film)
            let text = try #require(bytes.range(of: Data("soon".utf8))).lowerBound
            let since = Int16(truncatingIfNeeded: Int(bytes[text - 3]) << 8 | Int(bytes[text - 2]))
            try #require((0...900).contains(since))
            let changed = UInt16(bitPattern: since - 850)
            bytes.replaceSubrange(text - 3..<text - 1, with: [UInt8(changed >> 8), UInt8(changed & 0xff)])
            try bytes.write(to: film)
            let out = folder / "out.\(container)"
            try succeed([film, plain, "--transition", "cut", "--preset", "ultrafast", out])
            let expected =
                container == "mkv"
                ? [Line(start: 300, end: 1500, text: "late"), Line(start: 300, end: 600, text: "soon")]
                : [Line(start: 300, end: 600, text: "late\nsoon"), Line(start: 600, end: 1500, text: "late")]
            #expect(try lines(out) == expected)
        }

        @Test func smartRenderKeepsSubtitles() throws {
            let inputs = try films(codec: "copy", ending: "mkv")
            try succeed("\(inputs) --render smart --video-codec ffv1 --duration 0.4 \(folder / "out.mkv")")
            #expect(try lines(folder / "out.mkv") == Self.joined)
        }

        /// Tracks of one language are joined, and others have nothing to show where they are missing.
        @Test(.turn(1, of: 2), .needsMedia) func realTracksAreJoinedByLanguage() throws {
            let film = try medium("h264-2audio-8subtitles.mkv")
            try write(Self.second, folder / "second.srt")
            let plain = try clips().pattern("subtitle-24", frames: 48, rate: "24")
            let other = try Clips.addSubtitles(
                [(folder / "second.srt", "deu"), (folder / "second.srt", "fin")], to: plain, as: "b.mkv", in: folder)
            let out = folder / "out.mkv"
            try succeed([film + "#t=,2", other, "--transition", "cut", "--preset", "ultrafast", out])
            // English, Hungarian, German, French, Spanish, Italian, Japanese, and one of no language, which takes in the
            // Finnish one and then has none. The first one has no lines at all in this film.
            #expect(try Judge.languages(out, "s") == ["eng", "hun", "ger", "fre", "spa", "ita", "jpn", ""])
            for track in [1, 3, 4, 5, 6] {
                let found = try lines(out, track: track)
                let source = try lines(film, track: track)
                // The film's lines begin at 42 ms and reach beyond the 2 s that are used.
                try #require(found.count == 1 && source.count == 1)
                #expect(found[0] == Line(start: source[0].start, end: 2000, text: source[0].text))
            }
            let moved = Self.second.map { Line(start: $0.start + 2000, end: $0.end + 2000, text: $0.text) }
            #expect(try lines(out, track: 2).dropFirst() == moved[...])
            #expect(try lines(out, track: 7).dropFirst() == moved[...])
            try succeed("\(film + "#t=,1") \(other) --subtitle-tracks 2 --transition cut -y --preset ultrafast \(out)")
            // The track of each clip that was chosen is its only one, so both become one, of no single language.
            #expect(try Judge.languages(out, "s") == [""])
            #expect(try lines(out).count == 1 + Self.second.count)
            try succeed(
                "\(film + "#t=,1") \(other) --subtitle-tracks none --transition cut -y --preset ultrafast \(out)")
            #expect(try Judge.languages(out, "s") == [])
        }

        @Test func captionsAreTracksOfTheirOwn() throws {
            try write(Self.first, folder / "film.de.srt")
            try write(Self.second, folder / "lines.srt")
            let plain = try ["subtitle-a", "subtitle-b"].map { try clips().pattern($0, frames: 50) }
            try succeed(
                "\(plain[0] + "#t=0.2&captions=\(folder / "film.de.srt")")",
                "\(plain[1] + "#captions=\(folder / "lines.srt")") --duration 0.4",
                "--captions \(folder / "lines.srt") \(folder / "out.mkv")")
            #expect(try lines(folder / "out.mkv") == Self.joined)
            #expect(try lines(folder / "out.mkv", track: 1) == Self.second)
            // Only some of the first track's lines are said to be German.
            #expect(try Judge.languages(folder / "out.mkv", "s") == ["", ""])
        }

        @Test func whatCannotBeHeldIsSaid() throws {
            let inputs = try films(codec: "copy", ending: "mkv")
            for ending in ["ts", "avi", "nut"] {
                let run = try succeed(
                    inputs
                        + ["--preset", "ultrafast", folder / "out.\(ending)"]
                        .filter { ending != "avi" || !["--preset", "ultrafast"].contains($0) })
                #expect(
                    warnings(run).count == 2 && run.messages.contains("\(ending) files hold no subtitles"),
                    "\(run.story)")
            }
            for (arguments, status, word) in [
                (["--captions", folder / "none.srt"], 66, "no such file"),
                (
                    ["--captions", inputs[1].replacing("b.mkv", with: "second.srt"), "--subtitle-tracks", "first"], 64,
                    "expected all, none"
                ),
                (["--captions", try clips().pattern("subtitle-a", frames: 50)], 65, "no subtitles"),
            ] as [([String], Int32, String)] {
                try expectExit(inputs + arguments + [folder / "no.mkv"], status, saying: word, lines: 1)
                #expect(!FileManager.default.fileExists(atPath: folder / "no.mkv"))
            }
        }

        /// A display set of presentation graphics: a box of 100x20 pixels on a screen of 320x180, or none.
        private func graphics(_ number: UInt8, shows: Bool) -> [(type: UInt8, content: [UInt8])] {
            let place: [UInt8] = [0, 110, 0, 150]
            let composition: [UInt8] = [1, 64, 0, 180, 0x10, 0, number, shows ? 0x80 : 0, 0, 0, shows ? 1 : 0]
            let window: [UInt8] = [1, 0] + place + [0, 100, 0, 20]
            guard shows else { return [(0x16, composition), (0x17, window), (0x80, [])] }
            // Each line is a run of 100 pixels of color 1.
            let lines = [[UInt8]](repeating: [0, 0xC0, 100, 1, 0, 0], count: 20).flatMap { $0 }
            let object: [UInt8] = [0, 0, 0, 0xC0, 0, 0, UInt8(lines.count + 4), 0, 100, 0, 20] + lines
            return [
                (0x16, composition + [0, 0, 0, 0] + place), (0x17, window), (0x14, [0, 0, 1, 235, 128, 128, 255]),
                (0x15, object), (0x80, []),
            ]
        }

        /// Writes display sets that show something or nothing from the given times on, in milliseconds, as a .sup file.
        private func write(_ sets: [(time: Int, shows: Bool)], _ path: String) throws {
            var bytes: [UInt8] = []
            for (index, set) in sets.enumerated() {
                for segment in graphics(UInt8(index), shows: set.shows) {
                    let time = UInt32(set.time * 90)
                    bytes +=
                        Array("PG".utf8) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: time >> $0) } + [0, 0, 0, 0]
                    bytes += [segment.type, UInt8(segment.content.count >> 8), UInt8(segment.content.count & 0xFF)]
                    bytes += segment.content
                }
            }
            try Data(bytes).write(to: path)
        }

        /// What is shown where a clip begins is shown from its start, and what is shown at its end is cleared there.
        @Test func picturesAreCutWithTheirClips() throws {
            try write([(0, false), (100, true), (500, false), (990, true)], folder / "a.sup")
            let plain = try clips().pattern("subtitle-a", frames: 50)
            let film = try Clips.addSubtitles([(folder / "a.sup", "eng")], to: plain, as: "graphics.mkv", in: folder)
            let out = folder / "out.mkv"
            // ffmpeg shows a picture with the first frame that it decodes afterwards, which is the next one only in a codec that
            // stores frames in the order in which they are shown.
            try succeed([film + "#t=0.2", plain, "--transition", "cut", "--video-codec", "ffv1", out])
            let packets = { (path: String) in
                let text = try Tool.succeed(
                    "ffprobe", "-v error -select_streams s -show_entries packet=pts_time,data_hash -show_data_hash md5",
                    "-of csv=p=0 \(path)"
                ).text
                return text.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
            }
            let (source, found) = try (packets(film), packets(out))
            try #require(source.count == 4 && found.count == 4, "\(source) \(found)")
            #expect(found.map { Double($0[0]) } == [0, 0.3, 0.79, 1.8])
            #expect(found[..<3].map { $0[1] } == source[1...].map { $0[1] })
            // What ffmpeg draws: something until 0.3 s, and from 0.79 s to the clip's end.
            let shown = try Tool.ffmpeg(
                "-i \(out) -filter_complex",
                "[0:v]drawbox=c=black:t=fill,scale=320:180[b];[b][0:s]overlay,crop=2:2:160:160,format=gray[o] -map [o]",
                "-f rawvideo -"
            ).output
            let lit = stride(from: 0, to: shown.count, by: 4).map { shown[shown.startIndex + $0] > 100 }
            try #require(lit.count == 95)
            for (frame, isLit) in lit.enumerated().dropFirst() {
                // Frame 0 is decoded before the packet of the same time. The first frame after 0.3 s is frame 8, and after
                // 0.79 s frame 20; 1.8 s is frame 45.
                #expect(isLit == ((0..<8).contains(frame) || (20..<45).contains(frame)), "frame \(frame)")
            }
            let lost = try succeed([film, plain, "--preset", "ultrafast", folder / "out.mp4"])
            #expect(lost.messages.contains("hdmv_pgs_subtitle): mp4 files can't hold it (mkv may)"), "\(lost.story)")
        }
    }
}
