import TestSupport
import Testing

extension CommandTests {
    /// Documents that LibreOffice converts to pages.
    @Suite(.serialized, .enabled(if: Places.has("soffice"), "needs LibreOffice: scripts/setup --tests installs it"))
    struct OfficeDeckTests {
        let folder = TemporaryFolder.make()

        /// PowerPoint's slide 3 stays slide 3 for narration, pages and messages, although slide 2 is hidden.
        @Test(.turn(1, of: 3)) func hiddenSlidesKeepTheirNumbers() throws {
            let speech = try TemporaryFolder()
            let colors = ["ff0000", "00ff00", "0000ff"]
            let film =
                #"<Relationship Id="a" Type="\#(DeckFiles.relationType("video"))" Target="../media/media1.mp4"/>"#
            let members = DeckFiles.powerPoint(
                [
                    DeckFiles.slide(color: colors[0]), "HIDDEN" + DeckFiles.slide(color: colors[1]),
                    DeckFiles.slide(color: colors[2]),
                ],
                relations: [3: film])
            let deck = folder / "a talk.pptx"
            try DeckFiles.zip(members).write(to: deck)
            for (name, seconds) in [("01.wav", "0.4"), ("slide-2.wav", "3"), ("03.wav", "0.8")] {
                try Tool.ffmpeg("-f lavfi -i sine=f=440:r=8000:d=\(seconds) \(speech / name)")
            }
            let options = ["--narration", speech.path, "--transition", "cut", "--size", "320x180"]
            let run = try succeed("deck \(deck) \(folder / "out.nut") --video-codec rawvideo --pix-fmt gbrp \(options)")
            try succeed(["export", deck, folder / "cues.txt"] + options)
            let expected = try [colors[0], colors[2]].map { color in
                try Tool.ffmpeg("-y -f lavfi -i color=0x\(color):s=320x180,format=gbrp -frames:v 1 \(folder / "c.png")")
                return try Judge.frameHashes(folder / "c.png", pixelFormat: "gbrp")[0]
            }
            let frames = try Judge.frameHashes(folder / "out.nut")
            #expect(frames == Array(repeating: expected[0], count: 10) + Array(repeating: expected[1], count: 20))
            #expect(run.messages.contains("slide 2 is hidden and left out"), "\(run.story)")
            let sheet = try String(contentsOf: folder / "cues.txt")
            #expect(
                sheet.hasSuffix(
                    "\n0.4  # 1  Slide 1  starts 0:00.000\n-    # 2  hidden\n0.8  # 3  Slide 3  starts 0:00.400\n"),
                "\(sheet)")
            #expect(run.messages.contains("slide-2.wav' is for slide 2, which is hidden"), "\(run.story)")
            #expect(run.messages.contains("slide 3 has a film (media1.mp4), which is not played"), "\(run.story)")

            #expect(try Judge.chapters(folder / "out.nut").map(\.title) == ["Slide 1", "Slide 3"])
            try expectExit(["deck", deck, folder / "o.mp4", "--strict"] + options, 65, saying: "slide 2 is hidden")
            try expectExit(["plan", deck + "#page=2", folder / "o.mp4"], 64, saying: "hidden")
        }

        /// Slide 3 stays slide 3 for narration, times, pages and chapters, whether the hidden slide 2 is shown or not.
        @Test(.turn(2, of: 3), arguments: Places.some([false, true], every: 2))
        func hiddenSlidesAreShownOnDemand(shows: Bool) throws {
            let speech = try TemporaryFolder()
            let colors = ["ff0000", "00ff00", "0000ff"]
            let members = DeckFiles.powerPoint([
                DeckFiles.slide(color: colors[0]), "HIDDEN" + DeckFiles.slide(color: colors[1]),
                DeckFiles.slide(color: colors[2]),
            ])
            let deck = folder / "deck.pptx"
            try DeckFiles.zip(members).write(to: deck)
            for slide in 1...3 {
                let click = "aevalsrc='0.5*eq(n,\(480 * slide))':s=48000:d=0.1"
                try Tool.ffmpeg("-f lavfi -i \(click) \(speech / "\(slide).wav")")
            }
            try "10f\n20f\n30f\n".write(to: folder / "times.txt")
            let hidden = shows ? ["--hidden", "show"] : []
            let common = [
                "--transition", "cut", "--size", "320x180", "--video-codec", "rawvideo", "--pix-fmt", "gbrp",
                "--audio-codec", "pcm_s16le",
            ]
            let run = try succeed(
                "deck \(deck) \(folder / "out.nut") --narration \(speech.path)",
                "--timings \(folder / "times.txt") \(hidden) \(common)")
            let pages = try colors.map { color in
                try Tool.ffmpeg("-y -f lavfi -i color=0x\(color):s=320x180,format=gbrp -frames:v 1 \(folder / "c.png")")
                return try Judge.frameHashes(folder / "c.png", pixelFormat: "gbrp")[0]
            }
            let lengths = shows ? [10, 20, 30] : [10, 0, 30]
            #expect(
                try Judge.frameHashes(folder / "out.nut")
                    == zip(pages, lengths).flatMap { Array(repeating: $0, count: $1) })
            let samples = try Judge.samples(folder / "out.nut", channel: 0)
            let starts = shows ? [0, 10, 30] : [0, nil, 10]
            let expected = starts.enumerated().compactMap { slide, start in start.map { $0 * 1920 + 480 * (slide + 1) }
            }
            #expect(samples.indices.filter { abs(samples[$0]) > 0.4 } == expected)
            let titles = ["Slide 1", "Slide 2", "Slide 3"].filter { shows || $0 != "Slide 2" }
            #expect(try Judge.chapters(folder / "out.nut").map(\.title) == titles)
            #expect(run.messages.contains("slide 2 is hidden and left out") == !shows, "\(run.messages)")

            let part = try expectExit(
                ["deck", deck + "#page=2", folder / "part.nut", "--hold", "5f"] + hidden + common, shows ? 0 : 64)
            if shows {
                #expect(try Judge.frameHashes(folder / "part.nut") == Array(repeating: pages[1], count: 5))
            } else {
                #expect(part.messages.contains("--hidden show"), "\(part.story)")
            }
        }

        /// A transition of PowerPoint brings its sound, which begins with it; that of a cut is named as lost.
        @Test(.turn(0, of: 2)) func transitionsBringTheirSounds() throws {
            let click = try clips().make("deck-click.wav", "-f lavfi -i aevalsrc='0.5*eq(n,4800)':s=48000:d=0.3")
            let sound = #"<p:sndAc><p:stSnd><p:snd r:embed="s" name="ding"/></p:stSnd></p:sndAc>"#
            let turn = { (kind: String) in "<p:transition>\(kind)\(sound)</p:transition>" }
            let relation =
                #"<Relationship Id="s" Type="\#(DeckFiles.relationType("audio"))" Target="../media/ding.wav"/>"#
            let slide = DeckFiles.slide(color: "808080")
            let members =
                DeckFiles.powerPoint(
                    [slide, slide + turn("<p:fade/>"), slide + turn("<p:cut/>"), slide + turn("<p:wheel/>")],
                    relations: [2: relation, 3: relation, 4: relation])
                + [DeckFiles.Member("ppt/media/ding.wav", try Data(contentsOf: click))]
            let deck = folder / "deck.pptx"
            try DeckFiles.zip(members).write(to: deck)
            let options = ["--hold", "1", "--size", "64x36", "--audio-codec", "pcm_s16le"]
            let run = try succeed(["deck", deck, folder / "out.mkv", "--slide-transitions", "from-deck"] + options)
            // Slides 2 and 4 come at 1 s and 3 s.
            let samples = try Judge.samples(folder / "out.mkv")
            #expect(samples.indices.filter { abs(samples[$0]) > 0.001 } == [52800, 148_800])
            let lost = run.messageLines.filter { $0.contains("ding.wav") }
            #expect(lost.count == 1 && lost[0].contains("slide 3 has a transition with a sound"), "\(run.messages)")
            let silent = try succeed(["deck", deck, folder / "silent.mkv"] + options)
            #expect(try Judge.audio(folder / "silent.mkv") == nil)
            let unheard = silent.messageLines.filter { $0.contains("(ding.wav), which is not heard") }
            #expect(unheard.count == 3)
            #expect(unheard.allSatisfy { $0.contains("give --slide-transitions from-deck") }, "\(silent.messages)")
            #expect(!lost[0].contains("--slide-transitions"), "it was given")
        }

        /// Pictures that a presentation links on the network or on this machine are neither fetched nor shown.
        @Test func linkedPicturesAreNotFetched() throws {
            let elsewhere = try TemporaryFolder()
            try Tool.ffmpeg("-f lavfi -i color=red:s=64x64 -frames:v 1 \(elsewhere / "red.png")")
            let listener = try Listener()
            let network = "http://127.0.0.1:\(listener.port)/a.png"
            let deck = folder / "deck.odp"
            try DeckFiles.zip(
                DeckFiles.openDocument([
                    DeckFiles.picture(at: network), DeckFiles.picture(at: "file://" + elsewhere / "red.png"), "HIDDEN",
                ])
            ).write(to: deck)
            let run = try succeed(
                "deck \(deck) \(folder / "out.nut") --hold 1f --transition cut --size 320x180 --background #ffffff",
                "--video-codec rawvideo --pix-fmt gbrp")
            #expect(!listener.wasCalled, "the network was asked")
            #expect(run.messages.contains("slide 1 links a picture (\(network))"), "\(run.story)")
            #expect(run.messages.contains("slide 3 is hidden"), "\(run.story)")
            let pictures = try Judge.pictures(folder / "out.nut", pixelFormat: "gbrp", width: 320, height: 180)
            #expect(pictures.count == 2)
            // The planes are green, blue and red: a red pixel has little green.
            let isRed = pictures.map { zip($0.planes[0], $0.planes[2]).contains { $0 < 128 && $1 > 128 } }
            // LibreOffice cannot read the machine's own files only if bubblewrap confines it, and then a warning says
            // so.
            let isConfined = try Tool.run("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"]).status == 0
            #expect(isRed == [false, !isConfined])
            #expect(run.messages.contains("red.png), which is not read") == isConfined, "\(run.story)")
        }
    }
}
