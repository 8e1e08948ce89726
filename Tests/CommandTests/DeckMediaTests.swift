import TestSupport
import Testing

extension CommandTests {
    /// The films, sounds and recorded narration that documents store.
    @Suite(.serialized, .enabled(if: Places.has("soffice"), "needs LibreOffice: scripts/setup --tests installs it"))
    struct DeckMediaTests {
        let folder = TemporaryFolder.make()
        private static let (width, height) = (12_192_000, 6_858_000)

        /// A film of 50 frames at 25 fps, in which every frame differs from its neighbors everywhere, with clicks at 0.1,
        /// 0.6, 1.1 and 1.6 s.
        private func film() throws -> String {
            try clips().make(
                "deck-media-film.mp4", "-f lavfi -i",
                "color=gray:s=160x90:r=25:d=2,format=yuv420p,geq=lum='30+mod(N*47+X+2*Y,200)':cb=128:cr=128",
                "-f lavfi -i aevalsrc='0.5*eq(mod(n,24000),4800)':s=48000:d=2 -c:v libx264 -crf 4 -preset veryfast",
                "-c:a aac -b:a 256k")
        }

        /// A sound of so many milliseconds with one click at a sample.
        private func click(_ sample: Int, milliseconds: Int) throws -> String {
            try clips().make(
                "deck-click-\(sample)-\(milliseconds).wav",
                ["-f", "lavfi", "-i", "aevalsrc='0.5*eq(n,\(sample))':s=48000:d=\(Double(milliseconds) / 1000)"])
        }

        private func member(_ name: String, _ path: String) throws -> DeckFiles.Member {
            DeckFiles.Member("ppt/media/" + name, try Data(contentsOf: path))
        }

        /// The XML of a picture of a film in the middle of a slide, half as wide and half as high.
        private func middle(attributes: String = "", trim: String = "", crop: String = "") -> String {
            DeckFiles.mediaPicture(
                shape: 4, isFilm: true, x: Self.width / 4, y: Self.height / 4, width: Self.width / 2,
                height: Self.height / 2, attributes: attributes, trim: trim, crop: crop)
        }

        private var icon: String {
            DeckFiles.mediaPicture(
                shape: 4, isFilm: false, x: 11_000_000, y: 6_000_000, width: 400_000, height: 400_000)
        }

        /// The PSNR in dB of every frame of raw video against the frame at the same place.
        private func psnr(_ data: Data, _ other: Data, frame size: Int) -> [Double] {
            (0..<min(data.count, other.count) / size).map { frame in
                var sum = 0.0
                for index in frame * size..<(frame + 1) * size {
                    let difference = Double(data[index]) - Double(other[index])
                    sum += difference * difference
                }
                return sum == 0 ? 100 : 10 * log10(255 * 255 * Double(size) / sum)
            }
        }

        /// A deck of three slides: a recorded narration, a film in the middle of a slide with notes, and a narration again.
        private func talk(_ folder: TemporaryFolder) throws -> String {
            let narrated = { (time: Int) in
                #"<p:transition advTm="\#(time)"/>"# + DeckFiles.soundTiming(shape: 4, audio: #"isNarration="1""#)
            }
            let notes =
                #"<Relationship Id="n" Type="\#(DeckFiles.relationType("notesSlide"))" Target="../notesSlides/n1.xml"/>"#
            let members =
                DeckFiles.powerPoint(
                    [
                        DeckFiles.slide(color: "ff0000", shapes: icon, more: narrated(1200)),
                        DeckFiles.slide(color: "00ff00", shapes: middle()),
                        DeckFiles.slide(color: "0000ff", shapes: icon, more: narrated(500)),
                    ],
                    relations: [
                        1: DeckFiles.mediaRelations("one.wav", isFilm: false),
                        2: DeckFiles.mediaRelations("film.mp4", isFilm: true) + notes,
                        3: DeckFiles.mediaRelations("three.wav", isFilm: false),
                    ]) + [
                    try DeckFiles.poster(), try member("one.wav", click(2400, milliseconds: 500)),
                    try member("film.mp4", film()), try member("three.wav", click(4800, milliseconds: 800)),
                    DeckFiles.Member("ppt/notesSlides/n1.xml", #"<p:notes xmlns:p="urn:none"/>"#),
                ]
            let deck = folder / "talk.pptx"
            try DeckFiles.zip(members).write(to: deck)
            return deck
        }

        /// What a file shows of the film from frame `first` on: the PSNR inside the film's rectangle, and whether the
        /// page is untouched left of it.
        private func expectFilm(in file: String, from first: Int, color: String) throws {
            let select = "select='between(n,\(first),\(first + 49))',"
            let shown = try Judge.frames(file, filter: select + "crop=160:90:80:45", format: "gbrp")
            let own = try Judge.frames(film(), filter: "null", format: "gbrp")
            let noise = psnr(shown, own, frame: 160 * 90 * 3)
            #expect(noise.count == 50 && noise.allSatisfy { $0 > 30 }, "\(noise)")
            for crop in ["crop=80:180:0:0", "crop=80:180:240:0", "crop=320:45:0:0", "crop=320:45:0:135"] {
                let size = crop.hasPrefix("crop=80") ? "80x180" : "320x45"
                let folder = try TemporaryFolder()
                try Tool.ffmpeg("-f lavfi -i color=0x\(color):s=\(size),format=gbrp -frames:v 1 \(folder / "c.png")")
                let page = try Judge.frameHashes(folder / "c.png", pixelFormat: "gbrp")[0]
                let around = try Judge.frameHashes(file, pixelFormat: "gbrp", filter: select + crop)
                #expect(around == Array(repeating: page, count: 50), "\(crop)")
            }
        }

        private let options = [
            "--size", "320x180", "--duration", "10f", "--style", "push", "--video-codec", "rawvideo", "--pix-fmt",
            "gbrp", "--audio-codec", "pcm_s16le", "--hold", "1",
        ]

        /// One command makes the whole talk. Slide 1 lasts 1.2 s, the time that was recorded; slide 2 the transition to it
        /// and the film, 60 frames; slide 3 as long as its narration, 0.8 s.
        @Test(.turn(1, of: 2)) func aRecordedTalkPlays() throws {
            let deck = try talk(folder)
            let run = try succeed(["deck", deck, folder / "out.nut"] + options)
            #expect(run.messageLines.isEmpty, "\(run.messages)")
            let video = try Judge.video(folder / "out.nut")
            #expect(video.frameCount == 110)
            try expectFilm(in: folder / "out.nut", from: 40, color: "00ff00")
            #expect(try Judge.chapters(folder / "out.nut").map(\.start) == [0, 1.2, 3.6])

            let samples = try Judge.samples(folder / "out.nut", channel: 0)
            // The narration to the sample: 1920 samples are a frame.
            let narration = samples.indices.filter { abs(samples[$0]) > 0.4 && !(76800..<172_800).contains($0) }
            #expect(narration == [2400, 90 * 1920 + 4800])
            for time in [0.1, 0.6, 1.1, 1.6] {
                let expected = 40 * 1920 + Int(time * 48000)
                let loudest = (expected - 4800..<expected + 4800).max { abs(samples[$0]) < abs(samples[$1]) }
                #expect(abs((loudest ?? 0) - expected) < 96, "the film's click at \(time) s")
            }

            // The narration's loudspeaker isn't drawn: all of the first slide is red. The planes are green, blue and red.
            let first = try Judge.frames(folder / "out.nut", filter: "select='eq(n,0)'", format: "gbrp")
            #expect(first.count == 3 * 320 * 180)
            #expect(
                first.prefix(2 * 320 * 180).allSatisfy { $0 == 0 } && first.suffix(320 * 180).allSatisfy { $0 == 255 })

            // Made in segments, a part of the film is read from its middle.
            try succeed(["deck", deck, folder / "parts.nut", "--segments", "15f"] + options)
            #expect(try Judge.frameHashes(folder / "parts.nut") == Judge.frameHashes(folder / "out.nut"))
        }

        /// The user's own narration and times come first, and what isn't wanted isn't heard.
        @Test(.turn(1, of: 2)) func whatIsGivenComesBeforeWhatIsRecorded() throws {
            let speech = try TemporaryFolder()
            let deck = try talk(folder)
            try speech.add(click(9600, milliseconds: 2000), as: "3.wav")
            try succeed(["deck", deck, folder / "own.nut", "--narration", speech.path] + options)
            #expect(try Judge.video(folder / "own.nut").frameCount == 90 + 50)
            let samples = try Judge.samples(folder / "own.nut", channel: 0)
            #expect(
                samples.indices.filter { abs(samples[$0]) > 0.4 && !(76800..<172_800).contains($0) }
                    == [2400, 90 * 1920 + 9600])

            let none = try succeed(["deck", deck, folder / "none.nut", "--slide-media", "none"] + options)
            #expect(none.messageLines.isEmpty, "\(none.messages)")
            #expect(try Judge.video(folder / "none.nut").frameCount == 75)
            #expect(try Judge.audio(folder / "none.nut") == nil)

            try "-\n40f\n-\n".write(to: folder / "times.txt")
            let short = try succeed(
                "deck \(deck) \(folder / "short.nut") --slide-media films --timings \(folder / "times.txt") \(options)")
            #expect(try Judge.video(folder / "short.nut").frameCount == 25 + 40 + 25)
            // Of the film, 30 frames are seen before the next transition, and 20 are not.
            #expect(short.messages.contains("slide 2 stays for too short a time"), "\(short.messages)")
            #expect(short.messages.contains("the last 0.8 s"), "\(short.messages)")
        }

        /// Recorded narration is trimmed and followed by the pause as other narration is, and a film lowers the music.
        @Test func musicIsLoweredUnderFilms() throws {
            let speech = try clips().make(
                "deck-speech.wav", "-f lavfi -i aevalsrc='0.5*sin(2*PI*1000*t)*between(t,1,2)':s=48000:d=3")
            let talkie = try clips().make(
                "deck-talkie.mp4", "-f lavfi -i testsrc2=s=160x90:r=25:d=2 -f lavfi -i",
                "aevalsrc='0.5*sin(2*PI*1000*t)':s=48000:d=2 -c:v libx264 -c:a aac")
            let music = try clips().make("deck-music.wav", ["-f", "lavfi", "-i", "sine=f=200:r=48000:d=10"])
            let members =
                DeckFiles.powerPoint(
                    [
                        DeckFiles.slide(
                            color: "ff0000", shapes: icon,
                            more: DeckFiles.soundTiming(shape: 4, audio: #"isNarration="1""#)),
                        DeckFiles.slide(color: "00ff00", shapes: middle()),
                    ],
                    relations: [
                        1: DeckFiles.mediaRelations("speech.wav", isFilm: false),
                        2: DeckFiles.mediaRelations("talkie.mp4", isFilm: true),
                    ]) + [try DeckFiles.poster(), try member("speech.wav", speech), try member("talkie.mp4", talkie)]
            let deck = folder / "deck.pptx"
            try DeckFiles.zip(members).write(to: deck)
            try succeed(
                "deck \(deck) \(folder / "out.nut") --trim-silence --pause 2 --music \(music) --music-gain 0 \(options)"
            )
            // 1 s of speech, 0.1 s kept at each end, and the pause of 2 s: 80 frames. The film begins at 3.6 s.
            #expect(try Judge.video(folder / "out.nut").frameCount == 80 + 60)
            let sound = try Sound(folder / "out.nut")
            let tone = { (start: Double) in sound.amplitude(of: 1000, from: start, length: 0.1) }
            #expect(tone(0.3) > 0.4 && tone(2.9) < 0.01 && tone(3.4) < 0.01 && tone(3.7) > 0.4 && tone(5.4) > 0.4)
            let bed = { (start: Double) in sound.amplitude(of: 200, from: start, length: 0.1) }
            #expect(bed(4.6) < 0.5 * bed(2.9), "\(bed(4.6)) under the film, \(bed(2.9)) in the pause")
        }

        /// What can't be played is named with its slide and the reason, and stops a strict run.
        @Test(.turn(2, of: 4)) func mediaThatCanNotPlayAreNamed() throws {
            let linked = DeckFiles.mediaRelations("x", isFilm: true)
                .replacingOccurrences(of: "../media/x\"", with: "file:///tmp/x.mp4\" TargetMode=\"External\"")
            let plain = middle()
            let shapes = [
                plain, plain, middle(attributes: #"rot="5400000""#), plain, plain,
                middle(crop: #"<a:srcRect l="10000"/>"#),
            ]
            let members =
                DeckFiles.powerPoint(
                    shapes.map { DeckFiles.slide(color: "00ff00", shapes: $0) },
                    relations: [
                        1: DeckFiles.mediaRelations("damaged.mp4", isFilm: true),
                        2: DeckFiles.mediaRelations("bomb.mp4", isFilm: true),
                        3: DeckFiles.mediaRelations("film.mp4", isFilm: true), 4: linked,
                        5: DeckFiles.mediaRelations("missing.mp4", isFilm: true),
                        6: DeckFiles.mediaRelations("film.mp4", isFilm: true),
                    ]) + [
                    try DeckFiles.poster(), DeckFiles.Member("ppt/media/damaged.mp4", "no film"),
                    try .zeros("ppt/media/bomb.mp4", length: 400_000_000), try member("film.mp4", film()),
                ]
            let deck = folder / "deck.pptx"
            try DeckFiles.zip(members).write(to: deck)
            let run = try succeed(["plan", deck, folder / "o.mp4", "--hold", "1"])
            for (slide, words) in [
                (1, ["damaged.mp4", "not played: cannot read 'damaged.mp4'"]), (2, ["bomb.mp4", "exceeds"]),
                (3, ["film.mp4", "turned or mirrored"]), (4, ["x.mp4", "outside of the document"]),
                (5, ["missing.mp4", "not played"]), (6, ["film.mp4", "cropped"]),
            ] {
                let lines = run.text.split(separator: "\n").filter { $0.contains("slide \(slide) has a film") }
                #expect(lines.count == 1 && words.allSatisfy { lines[0].contains($0) }, "\(run.text)")
            }
            try expectExit(["deck", deck, folder / "o.mp4", "--strict"], 65, saying: "slide 1 has a film", lines: 1)
        }

        /// The film of an OpenDocument presentation that LibreOffice has written plays at its place.
        @Test(.turn(1, of: 2)) func filmsOfOpenDocumentsPlay() throws {
            let profile = try TemporaryFolder()
            try Tool.succeed(
                "soffice", "-env:UserInstallation=file://\(profile.path) --headless --convert-to odp",
                "--outdir \(folder.path) \(talk(folder))", timeout: 120)
            let run = try succeed(["deck", folder / "talk.odp", folder / "out.nut"] + options)
            #expect(!run.messages.contains("film"), "\(run.messages)")
            // The sounds are no narration to LibreOffice: they begin when their slides are seen in full. Slide 1 lasts 1 s,
            // slide 2 60 frames, and slide 3 1.2 s.
            #expect(try Judge.video(folder / "out.nut").frameCount == 25 + 60 + 30)
            try expectFilm(in: folder / "out.nut", from: 35, color: "00ff00")
            let samples = try Judge.samples(folder / "out.nut", channel: 0)
            let clicks = samples.indices.filter { abs(samples[$0]) > 0.4 && !(35 * 1920..<85 * 1920).contains($0) }
            #expect(clicks == [2400, 95 * 1920 + 4800])
        }
    }
}
