import TestSupport
import Testing

extension CommandTests {
    /// What clicks bring on slides, as steps of these.
    @Suite(.serialized, .enabled(if: Places.has("soffice"), "needs LibreOffice: scripts/setup --tests installs it"))
    struct SlideBuildTests {
        let folder = TemporaryFolder.make()

        private static let colors = ["ff0000", "00ff00", "0000ff", "ffff00"]
        private static let plain = [
            "--transition", "cut", "--size", "160x90", "--preset", "ultrafast", "--crf", "0", "--fps", "10",
        ]

        private func write(
            _ slides: [String], relations: [Int: String] = [:], more: [DeckFiles.Member] = []
        ) throws -> String {
            try DeckFiles.zip(DeckFiles.powerPoint(slides, relations: relations) + more).write(to: folder / "deck.pptx")
            return folder / "deck.pptx"
        }

        /// The colors of the rectangles that a frame shows; each is 26 pixels wide.
        private func seen(_ path: String, at seconds: Double) throws -> [String] {
            let picture = try Tool.ffmpeg(
                "-ss \(seconds) -i \(path) -frames:v 1 -vf scale=160:90,format=rgb24 -f rawvideo -"
            ).output
            return Self.colors.indices.compactMap { index in
                let place = (20 * 160 + index * 26 + 13) * 3
                let pixel = picture.dropFirst(place).prefix(3).map { $0 > 127 ? "ff" : "00" }.joined()
                return pixel == "ffffff" ? nil : pixel
            }
        }

        /// Slides of random effects, shapes and paragraphs, as an independent reading of the standard has them.
        @Test(
            .turn(1, of: 3), .enabled(if: Places.has("python3"), "needs Python"),
            arguments: Places.some(Array(101...108), every: 8))
        func randomEffectsAreThoseOfTheStandard(seed: Int) throws {
            let tool = Places.package + "/Tests/Tools/slide_builds.py"
            let (deck, video) = (folder / "deck.pptx", folder / "out.nut")
            try Tool.succeed("python3", [tool, "make", "\(seed)", deck])
            let options = [
                "--builds", "1s", "--hold", "1s", "--transition", "cut", "--fps", "4", "--size", "960x720",
                "--video-codec", "rawvideo", "--pix-fmt", "gbrp",
            ]
            try succeed("deck \(deck) \(video) \(options)")
            let result = try Tool.run("python3", [tool, "judge", deck, video])
            #expect(result.status == 0, "\(result.text)")
            guard seed % 2 == 1 else { return }

            // The same of the OpenDocument file that LibreOffice makes of it, whose effects are somewhat others.
            try Tool.succeed(
                "soffice",
                [
                    "-env:UserInstallation=file://" + (folder / "profile"), "--headless", "--convert-to", "odp",
                    "--outdir",
                    folder.path, deck,
                ])
            let odp = folder / "deck.odp"
            try succeed("deck \(odp) \(video) -y \(options)")
            let open = try Tool.run("python3", [tool, "judge", deck, video, odp])
            #expect(open.status == 0, "\(open.text)")
        }

        /// A slide of three clicks has four pictures, which share its time, number and chapter.
        @Test(.turn(2, of: 3)) func stepsShareTheirSlide() throws {
            let slide = DeckFiles.builtSlide(colors: Self.colors, clicks: [[3], [2, 5], [4]])
            let deck = try write([DeckFiles.slide(color: "808080"), slide, DeckFiles.slide(color: "404040")])
            let out = folder / "out.mkv"
            let run = try succeed("deck \(deck) \(out) --hold 2 \(Self.plain) --slide-numbers bottom-right")
            #expect(CommandTests.warnings(run).isEmpty, "\(run.story)")
            #expect(try Judge.chapters(out).map(\.title) == ["Slide 1", "Slide 2", "Slide 3"])
            #expect(try Judge.chapters(out).map(\.start) == [0, 2, 4])
            #expect(try DeckTests.changes(out) == [20, 25, 30, 35, 40])
            #expect(try seen(out, at: 2.2) == [])
            #expect(try seen(out, at: 2.7) == ["00ff00"])
            #expect(try seen(out, at: 3.2) == ["ff0000", "00ff00", "ffff00"])
            #expect(try seen(out, at: 3.7) == Self.colors)

            // A turned page before and after leaves cuts between the steps, and the transition its own picture.
            try succeed("deck \(deck) \(out) -y --hold 4 --duration 1 --size 160x90 --crf 0 --fps 10")
            // The slide has 3 s beside the transition to it: 1.75, 0.75, 0.75 and 0.75 s.
            let changes = try DeckTests.changes(out)
            #expect(changes.filter { (51...80).contains($0) } == [58, 65, 73, 80])
            // All at once, and as many lines of times as slides.
            try succeed("deck \(deck) \(folder / "off.mkv") --builds off --hold 2 \(Self.plain)")
            #expect(try DeckTests.changes(folder / "off.mkv") == [20, 40])
            #expect(try seen(folder / "off.mkv", at: 3) == Self.colors)
            try succeed("export \(deck) \(folder / "cues.txt") --hold 2")
            #expect(try String(contentsOf: folder / "cues.txt").contains("# 3  Slide 3  starts 0:04.000"))
        }

        /// A deck and the project that is made of it are the same video, with steps.
        @Test(.turn(0, of: 2)) func projectsKeepSteps() throws {
            let slide = DeckFiles.builtSlide(colors: Self.colors, clicks: [[3], [2]])
            let deck = try write([slide, DeckFiles.slide(color: "404040")])
            try succeed("deck \(deck) \(folder / "a.mkv") --builds 0.4s \(Self.plain)")
            try succeed("export \(deck) \(folder / "talk.yaml") --builds 0.4s \(Self.plain)")
            try succeed("\(folder / "talk.yaml") \(folder / "b.mkv")")
            #expect(FileManager.default.contentsEqual(atPath: folder / "a.mkv", andPath: folder / "b.mkv"))
        }

        /// Steps come at the times that are asked for, at those that PowerPoint recorded, or evenly.
        @Test(
            .turn(0, of: 3),
            arguments: [
                ("", [700, 1200, 2900], [7, 12, 29, 40]), ("--builds 0.5s", [700, 1200, 2900], [5, 10, 15, 20]),
                ("", [], [10, 20, 30, 40]), ("", [700], [7, 18, 29, 40]),
                ("--timings", [700, 1200, 2900], [5, 10, 15, 20]),
            ])
        func stepsComeInTime(options: String, recorded: [Int], changes: [Int]) throws {
            let slide = DeckFiles.builtSlide(colors: Self.colors, clicks: [[2], [3], [4, 5]], recorded: recorded)
            let deck = try write([slide, DeckFiles.slide(color: "404040")])
            try "2\n1\n".write(to: folder / "times.txt")
            var words = options.split(separator: " ").map(String.init)
            if words == ["--timings"] { words.append(folder / "times.txt") }
            if words.first == "--builds" { words += ["--hold", "1"] }
            if words.isEmpty { words = ["--hold", "4"] }
            try succeed(["deck", deck, folder / "out.mkv"] + words + Self.plain)
            #expect(try DeckTests.changes(folder / "out.mkv") == changes)
        }

        /// The marks in notes divide what is said, and steps come with the parts. Where nothing is said, captions are divided.
        @Test(.turn(1, of: 2)) func stepsComeWhereNotesHaveMarks() throws {
            let slide = DeckFiles.builtSlide(colors: Self.colors, clicks: [[2], [3], [4, 5]])
            let relation =
                #"<Relationship Id="n" Type="\#(DeckFiles.relationType("notesSlide"))" Target="../notesSlides/notesSlide1.xml"/>"#
            let notes = DeckFiles.powerPointNotes(
                1,
                "<a:p><a:r><a:t>One. [click] Two [Click]three.</a:t></a:r></a:p><a:p><a:r><a:t>[CLICK]Four.</a:t></a:r></a:p>"
            )
            let deck = try write([slide, DeckFiles.slide(color: "404040")], relations: [1: relation], more: [notes])
            // The voice hums 0.3 s for each letter.
            try """
            #!/bin/sh
            grep -qi click "$1" && exit 1
            n=$(tr -cd 'A-Za-z' <"$1" | wc -c)
            exec ffmpeg -nostdin -v error -f lavfi -i "sine=f=440:r=8000:d=$(awk "BEGIN { print $n * 0.3 }")" "$2"
            """.write(to: folder / "hum")
            #expect(chmod(folder / "hum", 0o755) == 0)
            let out = folder / "out.mkv"
            let run = try succeed(
                ["deck", deck, out, "--speak", "'\(folder / "hum")' {in} {out}", "--speech-cache", folder / "cache"]
                    + ["--captions-from", "notes", "--pause", "0.5", "--hold", "1"]
                    + Self.plain)
            #expect(CommandTests.warnings(run).isEmpty, "\(run.story)")
            // 3, 3, 5 and 4 letters, and the pause.
            #expect(try DeckTests.changes(out) == [9, 18, 33, 50])
            let captions = try NoteSlides.captions(out)
            #expect(captions.map(\.text) == ["One.", "Two", "three.", "Four."])
            #expect(zip(captions.map(\.start), [0, 0.9, 1.8, 3.3]).allSatisfy { abs($0 - $1) < 0.02 }, "\(captions)")
            let sounds = try Sound(out)
            #expect(sounds.amplitude(of: 440, from: 4.3, length: 0.1) > 0.05)
            #expect(sounds.amplitude(of: 440, from: 4.6, length: 0.3) < 0.01)

            try succeed("deck \(deck) \(out) -y --captions-from notes --hold 4 \(Self.plain)")
            let read = try NoteSlides.captions(out)
            #expect(read.map(\.text) == captions.map(\.text))
            // Each can be read, and steps come with them.
            #expect(read.allSatisfy { $0.end - $0.start > 0.82 })
            #expect(
                zip(try DeckTests.changes(out), read.map(\.end)).allSatisfy { abs(Double($0) / 10 - $1) <= 0.1 },
                "\(read)")
        }

        /// A film that a click brings is seen and heard from there on, through the steps that follow.
        @Test func filmsBeginWithTheirStep() throws {
            // 2 s that become brighter with each frame, and a tone at the end.
            try Tool.ffmpeg(
                "-f lavfi -i color=gray:s=160x90:r=10:d=2,geq=lum='40+8*N':cb=128:cr=128 -f lavfi -i",
                "aevalsrc='0.5*sin(2*PI*500*t)*between(t,1.5,1.8)':s=48000:d=2 -c:v libx264 -crf 4 -pix_fmt yuv420p",
                "\(folder / "film.mp4")")
            let film = DeckFiles.mediaPicture(
                shape: 9, isFilm: true, x: 8_000_000, y: 4_000_000, width: 3_000_000, height: 2_000_000)
            let slide = DeckFiles.builtSlide(colors: Self.colors, clicks: [[9], [2]])
                .replacing("</p:spTree>", with: film + "</p:spTree>")
            let deck = try write(
                [slide], relations: [1: DeckFiles.mediaRelations("film.mp4", isFilm: true)],
                more: [
                    try DeckFiles.poster(),
                    DeckFiles.Member("ppt/media/film.mp4", try Data(contentsOf: folder / "film.mp4")),
                ])
            let out = folder / "out.mkv"
            let run = try succeed("deck \(deck) \(out) --builds 0.4s --hold 1 \(Self.plain)")
            #expect(CommandTests.warnings(run).isEmpty, "\(run.story)")
            // One step before the film, and two with it.
            #expect(try Judge.video(out).frameCount == 24)
            let pixels = Array(
                try Tool.ffmpeg("-i \(out) -vf crop=20:20:114:58,scale=1:1,format=gray -f rawvideo -").output)
            let expected = (0..<24).map { frame -> Int in
                // Luma of limited range as gray.
                let luma = Double(40 + 8 * (frame - 4))
                return frame < 4 ? 255 : Int((luma - 16) * 255 / 219)
            }
            #expect(zip(pixels, expected).allSatisfy { abs(Int($0) - $1) <= 4 }, "\(pixels) \(expected)")
            #expect(try seen(out, at: 0.7).contains("ff0000") == false)
            #expect(try seen(out, at: 0.9).contains("ff0000"))
            let sound = try Sound(out)
            #expect(sound.amplitude(of: 500, from: 1.95, length: 0.2) > 0.2)
            #expect(sound.amplitude(of: 500, from: 1.6, length: 0.2) < 0.02)
        }

        /// A slide of an OpenDocument file on which a click brings a part of its only shape, which covers it.
        private func openSlide(begin: String = "next", part: String = "") -> String {
            """
            <draw:rect draw:style-name="gr" draw:id="id1" svg:x="0cm" svg:y="0cm" svg:width="28cm" svg:height="21cm"/>\
            <anim:par presentation:node-type="timing-root"><anim:seq presentation:node-type="main-sequence">\
            <anim:par smil:begin="\(begin)"><anim:par smil:begin="0s"><anim:par smil:begin="0s" smil:fill="hold" \
            presentation:node-type="on-click" presentation:preset-class="entrance"><anim:set smil:begin="0s" smil:dur="0.004s" \
            smil:fill="hold" smil:targetElement="id1" \(part) smil:attributeName="visibility" smil:to="visible"/></anim:par>\
            </anim:par></anim:par></anim:seq></anim:par>
            """
        }

        /// IBM's Symphony lets clicks begin what is "indefinite", and gives shapes of several slides the same ID. Text that is
        /// there before its background is in the same place.
        @Test(.turn(1, of: 3)) func openDocumentsHaveSteps() throws {
            let slides = [openSlide(), openSlide(begin: "indefinite"), openSlide(part: #"anim:sub-item="background""#)]
            let style = """
                <style:style style:name="gr" style:family="graphic"><style:graphic-properties draw:fill="solid" \
                draw:fill-color="#008000" draw:stroke="none"/></style:style></office:automatic-styles>
                """
            let members = DeckFiles.parts(DeckFiles.openDocument(slides)).map { name, bytes in
                let text = String(decoding: bytes, as: UTF8.self)
                return DeckFiles.Member(name, text.replacing("</office:automatic-styles>", with: style))
            }
            try DeckFiles.zip(members).write(to: folder / "deck.odp")
            let out = folder / "out.mkv"
            let run = try succeed("deck \(folder / "deck.odp") \(out) --builds 0.4s --hold 0.4s \(Self.plain)")
            #expect(CommandTests.warnings(run).isEmpty, "\(run.story)")
            let pixels = try Tool.ffmpeg("-i \(out) -vf crop=20:20:70:35,scale=1:1,format=gray -f rawvideo -").output
            #expect(pixels.map { $0 > 250 } == (0..<24).map { $0 / 4 % 2 == 0 }, "\(Array(pixels))")
        }

        /// A slide whose steps would take too much room shows all at once, and takes none from those after it.
        @Test(.turn(2, of: 3), .timeLimit(.minutes(3))) func aSlideOfTooManyStepsLeavesRoomForOthers() throws {
            let clicks = (0..<300).map { number in
                """
                <anim:par smil:begin="next"><anim:par smil:begin="0s"><anim:par smil:begin="0s" \
                presentation:node-type="on-click"><anim:set smil:begin="0s" smil:fill="hold" smil:targetElement="id1" \
                smil:attributeName="visibility" smil:to="\(number % 2 == 0 ? "visible" : "hidden")"/></anim:par></anim:par></anim:par>
                """
            }
            // 301 pictures of a slide of 1 MB are more than the 256 MiB that steps may take.
            let long = """
                <draw:rect draw:id="id1" svg:x="0cm" svg:y="0cm" svg:width="28cm" svg:height="21cm"><svg:desc>\
                \(String(repeating: "x", count: 1_000_000))</svg:desc></draw:rect><anim:par presentation:node-type="timing-root">\
                <anim:seq presentation:node-type="main-sequence">\(clicks.joined())</anim:seq></anim:par>
                """
            try DeckFiles.zip(DeckFiles.openDocument([long, openSlide()])).write(to: folder / "deck.odp")
            let out = folder / "out.mkv"
            let run = try succeed("deck \(folder / "deck.odp") \(out) --builds 0.4s --hold 0.4s \(Self.plain)")
            #expect(CommandTests.warnings(run).map { $0.contains("it has more steps") } == [true], "\(run.story)")
            #expect(try Judge.video(out).frameCount == 12)
        }

        /// What steps can't show is named, and so are slides whose effects need no click.
        @Test(.turn(0, of: 2)) func whatNoStepShowsIsNamed() throws {
            let effects = { (kind: String) in DeckFiles.effect(on: 2, node: "withEffect", kind: kind) }
            let begin = { (event: String) in
                #"<p:par><p:cTn><p:stCondLst><p:cond delay="indefinite"/>\#(event)</p:stCondLst><p:childTnLst>"#
            }
            let end = "</p:childTnLst></p:cTn></p:par>"
            let moved = DeckFiles.builtSlide(
                colors: Self.colors, clicks: [[3]], more: begin("") + effects("path") + end)
            let own = DeckFiles.builtSlide(
                colors: Self.colors, clicks: [], more: begin(#"<p:cond evt="onBegin"/>"#) + effects("entr") + end)
            let deck = try write([moved, own])
            let run = try succeed("plan \(deck) \(folder / "o.mkv") \(Self.plain)")
            #expect(run.text.contains("slide 1 has motion paths, which no step shows"), "\(run.story)")
            #expect(run.text.contains("slide 2 has animations, which are left out"), "\(run.story)")
            let off = try succeed("plan \(deck) \(folder / "o.mkv") --builds off \(Self.plain)")
            #expect(off.text.contains("slides 1 and 2 have animations"), "\(off.story)")
            try expectExit(["plan", deck, folder / "o.mkv", "--builds", "often"], 64, saying: "invalid builds 'often'")
        }
    }
}
