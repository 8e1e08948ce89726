import FlipDeck
import FlipGeometry
import TestSupport
import Testing

extension CommandTests {
    /// Runs a page's commands in `folder`, as a shell does.
    static func follow(_ commands: String, in folder: TemporaryFolder, environment: [String: String] = [:]) throws {
        let script = "fliptransition() { '\(try Places.program())' \"$@\"; }\ncd '\(folder.path)'\n\(commands)"
        try Tool.succeed("sh", ["-e", "-c", script], timeout: 300, environment: environment)
    }

    /// The cookbook's recipes do what they say, on small real files.
    @Suite(.serialized, .needsMedia) struct CookbookTests {
        let folder = TemporaryFolder.make()

        /// Runs the commands of the cookbook page `name` in `folder`, at a smaller size and with x264's fastest preset.
        private func follow(_ name: String, in folder: TemporaryFolder, environment: [String: String] = [:]) throws {
            let page = try String(contentsOf: Places.package + "/docs/cookbook/\(name).md")
            let parts = page.components(separatedBy: "```")
            try #require(parts.count == 3 && parts[1].hasPrefix("sh\n"))
            let commands = parts[1].dropFirst(3).replacingOccurrences(
                of: "1280x720", with: "320x180 --preset ultrafast")
            try CommandTests.follow(commands, in: folder, environment: environment)
        }

        private func stage(_ media: [(String, String)], in folder: TemporaryFolder) throws {
            for (name, place) in media {
                let path = folder / place
                try FileManager.default.createDirectory(
                    at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
                try FileManager.default.copyItem(atPath: medium(name), toPath: path)
            }
        }

        private func chapters(_ path: String) throws -> [String] {
            try Judge.chapters(path).map(\.title)
        }

        @Test func narratedDeck() throws {
            try stage(
                [
                    ("pdf-slides-square-3pages.pdf", "slides.pdf"), ("wav-pcm24-stereo.wav", "speech/01.wav"),
                    ("aac-mono-8khz.m4a", "speech/02.m4a"), ("wav-pcm24-stereo.wav", "speech/03.wav"),
                ], in: folder)
            try follow("narrated-deck", in: folder)
            #expect(try chapters(folder / "talk.mp4").count == 3)
            let video = try Judge.video(folder / "talk.mp4")
            #expect(video.isEven(atRate: 25) && video.width == 320)
            // At least the pauses; at most the pauses and 1, 3.33 and 1 s of speech.
            #expect(video.span > 2 && video.span < 7)
            #expect(try Judge.samples(folder / "talk.mp4").contains { abs($0) > 0.01 })
        }

        @Test(.enabled(if: Places.has("espeak-ng"), "needs espeak-ng: scripts/setup --tests installs it"))
        func spokenSlides() throws {
            let notes = ["Welcome to this talk.", nil, "Here it ends. Thank you for listening to all of it."]
            try NoteSlides.pdf(notes).write(to: folder / "slides.pdf")
            try follow("spoken-slides", in: folder, environment: ["XDG_CACHE_HOME": folder / "cache"])
            let captions = try NoteSlides.captions(folder / "talk.mp4")
            #expect(
                captions.map(\.text) == [
                    "Welcome to this talk.", "Here it ends.", "Thank you for listening to all of it.",
                ])
            let silences = try NoteSlides.silences(folder / "talk.mp4", seconds: 0.7)
            // The slide without notes is silent for 4 s, and the pause before it for 0.75 s.
            #expect(silences.first.map { $0.end - $0.start > 4.7 } == true, "\(silences)")
            #expect(silences.first.map { abs($0.end - captions[1].start) < 0.05 } == true, "\(silences)")
        }

        @Test func photoAlbum() throws {
            try stage(
                [
                    ("jpeg-portrait-600x800-tokyo.jpg", "photos/1.jpg"),
                    ("jpeg-progressive-444-london.jpg", "photos/2.jpg"),
                    ("jpeg-exif-orientation-1.jpg", "photos/10.jpg"), ("vorbis-stereo-44khz-song-41s.ogg", "music.ogg"),
                ], in: folder)
            try follow("photo-album", in: folder)
            #expect(try chapters(folder / "album.mp4") == ["1", "2", "10"])
            #expect(try Judge.video(folder / "album.mp4").frameCount == 225)
            #expect(try Judge.samples(folder / "album.mp4").contains { abs($0) > 0.05 })
        }

        @Test func course() throws {
            try stage([("pdf-slides-16-9-11pages-theme-sample.pdf", "lessons/01.pdf")], in: folder)
            for lesson in 2...40 {
                try folder.add(medium("pdf-slides-square-3pages.pdf"), as: "lessons/\(lesson).pdf")
            }
            // Forty lessons take minutes, so runs without slow tests have two.
            if !Places.runsSlowTests {
                for lesson in 3...40 { try folder.remove("lessons/\(lesson).pdf") }
            }
            try folder.makeFolder("videos")
            try follow("course", in: folder)
            let lessons = Places.runsSlowTests ? 40 : 2
            let slides = 11 + 3 * (lessons - 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder / "videos").count == lessons)
            #expect(try chapters(folder / "course.mp4").count == slides)
            #expect(
                abs(try #require(try Judge.video(folder / "course.mp4").times.last) - (Double(slides) * 5 - 0.04))
                    < 0.002)
            let first = try chapters(folder / "videos/01.mp4")
            #expect(first.count == 11 && first.contains("Overview") && first.contains("References"))
        }

        /// A talk of 12 s with silence from 3 to 5 s and from 8 to 9 s: a tenth of a second on both sides of it remains.
        @Test func jumpCuts() throws {
            let talk = try clips().make(
                "cookbook-talk.mp4", "-f lavfi -i testsrc2=s=160x90:r=30:d=12 -f lavfi -i",
                "aevalsrc='0.5*sin(2*PI*440*t)*(1-between(t,3,5)-between(t,8,9))':s=48000:d=12 -pix_fmt yuv420p",
                "-c:a aac")
            try folder.add(talk, as: "talk.mp4")
            try follow("jump-cuts", in: folder)
            let video = try Judge.video(folder / "short.mp4")
            #expect(video.isEven(atRate: 30) && video.frameCount == 93 + 96 + 93)
            // What is heard of the talk is all there: 3 s, 3 s and 3 s, with pauses of 0.2 s.
            let sound = try Sound(folder / "short.mp4")
            for begin in [1.0, 4.0, 7.5] { #expect(sound.amplitude(of: 440, from: begin, length: 0.5) > 0.45) }
            for middle in [3.05, 6.25] { #expect(sound.amplitude(of: 440, from: middle, length: 0.05) < 0.05) }
        }

        /// One film has a subtitle track with a language, the other one captions in its picture.
        @Test func captionedFilm() throws {
            for (name, level) in [("question", 0.05), ("answer", 0.5)] {
                let clip = try clips().make(
                    "cookbook-\(name).mkv", "-f lavfi -i color=gray:s=320x180:r=25:d=4",
                    "-f lavfi -i aevalsrc='\(level)*sin(2*PI*440*t)':s=48000:d=4 -c:v ffv1 -c:a flac")
                try folder.add(clip, as: "\(name).mkv")
            }
            try "1\n00:00:01,000 --> 00:00:03,000\nWhat is it?\n".write(to: folder / "film.en.srt")
            try follow("captioned-film", in: folder)
            let streams = try Judge.probe(folder / "film.mp4", ["-show_streams", "-show_format"])
            let tracks = try #require(streams["streams"] as? [[String: Any]])
            let subtitles = tracks.filter { $0["codec_type"] as? String == "subtitle" }
            #expect(subtitles.count == 1 && (subtitles[0]["tags"] as? [String: Any])?["language"] as? String == "eng")
            let tags = (streams["format"] as? [String: Any])?["tags"] as? [String: Any]
            #expect(tags?["title"] as? String == "A question")
            // 4 + 4 s less the transition.
            #expect(try Judge.video(folder / "film.mp4").frameCount == 175)
            // Both recordings are equally loud now.
            let sound = try Sound(folder / "film.mp4")
            let levels = [1.0, 5.0].map { sound.amplitude(of: 440, from: $0, length: 1) }
            #expect(levels[0] > 0.1 && abs(levels[0] / levels[1] - 1) < 0.05, "\(levels)")
            let drawn = try Judge.frameHashes(folder / "loud.mp4", filter: "crop=iw:ih/3:0:2*ih/3")
            #expect(drawn[10] != drawn[40] && drawn.count == 175)
        }

        /// The slides are square, so that what lies in the frame's corners is seen on black.
        @Test func brandedTalk() throws {
            try stage([("pdf-slides-square-3pages.pdf", "slides.pdf")], in: folder)
            for (name, source, tone) in [
                ("intro", "color=gray:s=320x180:r=25:d=2", 500), ("outro", "color=gray:s=320x180:r=25:d=2", 500),
                ("camera", "testsrc2=s=160x120:r=30:d=4", 1000),
            ] {
                let clip = try clips().make(
                    "cookbook-\(name).mp4", "-f lavfi -i \(source) -f lavfi -i",
                    "aevalsrc='0.4*sin(2*PI*\(tone)*t)':s=48000:d=4 -shortest -pix_fmt yuv420p -c:a aac")
                try folder.add(clip, as: "\(name).mp4")
            }
            let logo = try clips().make("cookbook-logo.png", "-f lavfi -i color=red:s=64x32 -frames:v 1")
            try folder.add(logo, as: "logo.png")
            try "2\n1\n1\n".write(to: folder / "times.txt")
            try follow("branded-talk", in: folder)
            #expect(try Judge.video(folder / "talk.mp4").frameCount == 100)
            // 2, 4 and 2 s, less two transitions of 0.6 s.
            #expect(try Judge.video(folder / "film.mp4").frameCount == 170)
            let sound = try Sound(folder / "film.mp4")
            #expect(sound.amplitude(of: 1000, from: 2.5, length: 1) > 0.3)
            // The greatest luma and Cr of a part of a frame.
            func most(_ frame: Int, _ crop: String, _ plane: Int) throws -> UInt8 {
                let data = try Judge.frames(
                    folder / "film.mp4", filter: "select=eq(n\\,\(frame)),crop=\(crop)", format: "yuv444p")
                return data.suffix(from: plane * data.count / 3).prefix(data.count / 3).max() ?? 0
            }
            // The logo, 32 pixels wide, 5 pixels from the edges.
            for frame in [10, 42, 100, 160] { #expect(try most(frame, "20:8:290:8", 2) > 180, "\(frame)") }
            // The name in the lower left corner, from 2 to 4 s.
            for (frame, isShown) in [(60, true), (95, true), (105, false)] {
                #expect(try (most(frame, "60:30:0:150", 0) > 150) == isShown, "\(frame)")
            }
            // The speaker in the lower right corner, until the talk ends.
            for (frame, isShown) in [(60, true), (105, true), (165, false)] {
                #expect(try (most(frame, "60:40:255:135", 0) > 180) == isShown, "\(frame)")
            }
        }

        @Test func theTablesOfTransitionsAreTheProgramsOwn() throws {
            let page = try String(contentsOf: Places.package + "/docs/DECKS.md")
            // The page has another table before this one.
            let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.drop { !$0.contains("pageCurl") }
            let named = rows.flatMap { row in
                row.split(separator: "|")[0].split(separator: "`").map(String.init).filter {
                    $0.contains(where: \.isLetter)
                }
            }
            #expect(Set(named) == Set(TransitionNames.documents.flatMap(\.names)) && named.count == Set(named).count)
            let timelines = try String(contentsOf: Places.package + "/docs/OTIO.md")
            let part = timelines.components(separatedBy: "### How a transition looks")[1].components(
                separatedBy: "\n###")[0]
            let words = part.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| name") }.flatMap {
                row in
                row.split(separator: "|")[0].split(separator: ",").map { $0.filter { $0 != " " } }
            }
            let programs = TransitionNames.programs.flatMap(\.names)
            #expect(Set(words) == Set(programs) && words.count == programs.count)
        }
    }
}
