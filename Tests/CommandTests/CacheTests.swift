import TestSupport
import Testing

extension CommandTests {
    /// `--cache`: what an earlier run has made is found again, and nothing else is.
    @Suite(.serialized) struct CacheTests {
        let folder = TemporaryFolder.make()

        /// A page of one color with a note that is spoken.
        struct Page {
            var color: Int
            var note: String

            var entry: String {
                let hex = note.utf16.map { String(String(Int($0) + 0x10000, radix: 16).suffix(4)) }.joined()
                return
                    "/Annots [<< /Type /Annot /Subtype /Text /F 2 /Rect [0 0 0 0] /Contents <FEFF\(hex)> >>]"
            }

            /// The color's red, green and blue, 0...255, from 4 levels of each.
            var samples: [Int] { [color / 16 % 4, color / 4 % 4, color % 4].map { $0 * 80 + 8 } }
        }

        private func write(_ pages: [Page], _ name: String = "deck.pdf") throws {
            let objects = pages.map { page in
                let fill = page.samples.map { "\(Double($0) / 255)" }.joined(separator: " ")
                let content = fill + " rg 0 0 320 180 re f 1 1 1 rg 20 20 \(40 + page.color) 30 re f"
                return "<< /Length \(content.utf8.count) >> stream\n\(content)\nendstream"
            }
            let entries = pages.indices.map { "/Contents \(pages.count + 3 + $0) 0 R \(pages[$0].entry)" }
            try DeckFiles.pdf(pages: entries, objects: objects).write(to: folder / name)
        }

        /// Runs the program on the deck with a cache of its own name.
        /// - Returns: the report.
        @discardableResult
        private func make(_ output: String, cache: String, limit: String = "1G", _ options: [String] = []) throws
            -> JSONValue
        {
            let run = try CommandTests.run(
                "deck \(folder / "deck.pdf") \(folder / output) -y --cache \(limit) --report \(folder / "report")",
                "--size 160x90 --preset ultrafast \(options)", environment: ["XDG_CACHE_HOME": folder / cache])
            try #require(run.status == 0 && !run.messages.contains("silent"), "\(run.story)")
            return try JSONValue(Data(contentsOf: folder / "report"))
        }

        private func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder / name) }

        private func files(_ cache: String, _ kind: String) throws -> [String] {
            let place = folder / "\(cache)/fliptransition/\(kind)"
            return try FileManager.default.contentsOfDirectory(atPath: place).sorted().map { place + "/" + $0 }
        }

        private static let voice = ["--speak", "espeak-ng -w {out} -f {in}"]
        private static let hasVoice = Places.has("espeak-ng")
        private static let voiceIsMissing: Comment = "needs espeak-ng: scripts/setup --tests installs it"

        private static let pages = (0..<8).map { Page(color: 7 * $0 + 3, note: "This is note number \($0).") }

        /// The color in the middle of each slide, of which frame `starts[n]` is the first.
        private func colors(_ name: String, _ starts: [Int]) throws -> [[Int]] {
            let frames = try Judge.frames(folder / name, filter: "crop=8:8:140:10,scale=1:1", format: "rgb24")
            return starts.map { start in (0..<3).map { Int(frames[3 * start + $0]) } }
        }

        /// Of eight spoken slides, a changed note costs no encoding, and a changed page costs two stretches: its own and that
        /// of the transition from it. All bytes are those of a run without anything kept.
        @Test(.enabled(if: hasVoice, voiceIsMissing)) func onlyChangesAreEncoded() throws {
            var pages = Self.pages
            try write(pages)
            let cold = try make("a.mp4", cache: "one", Self.voice)
            let total = try #require(cold.numbers(under: "frames").max())
            #expect(cold.numbers(under: "framesEncoded") == [total] && cold.numbers(under: "framesReused") == [0])
            #expect(try Double(Judge.video(folder / "a.mp4").frameCount) == total)
            #expect(try files("one", "segments").count == 8 && files("one", "pages").count == 8)

            let same = try make("b.mp4", cache: "one", Self.voice)
            #expect(same.numbers(under: "framesEncoded") == [0] && same.numbers(under: "framesReused") == [total])
            #expect(try bytes("a.mp4") == bytes("b.mp4"))

            pages[3].note = "Now this is quite another note."
            try write(pages)
            let noted = try make("c.mp4", cache: "one", Self.voice)
            #expect(noted.numbers(under: "framesEncoded") == [0])
            try make("d.mp4", cache: "two", Self.voice)
            #expect(try bytes("c.mp4") == bytes("d.mp4") && bytes("c.mp4") != bytes("a.mp4"))

            pages[5].color = 63
            try write(pages)
            let painted = try make("e.mp4", cache: "one", Self.voice)
            let plan = (painted.value as? [String: Any])?["plan"] as? [String: Any]
            let lengths = (plan?["renderSegments"] as? [[String: Any]] ?? []).compactMap { $0["frames"] as? Int }
            try #require(lengths.count == 8)
            #expect(painted.numbers(under: "framesEncoded") == [Double(lengths[5] + lengths[6])])
            try make("f.mp4", cache: "three", Self.voice)
            #expect(try bytes("e.mp4") == bytes("f.mp4"))
            #expect(try Judge.complaints(folder / "e.mp4").isEmpty)
            let starts = lengths.indices.map { lengths[..<$0].reduce(0, +) + lengths[$0] - 2 }
            for (page, seen) in zip(pages, try colors("e.mp4", starts)) {
                let isSame = zip(page.samples, seen).allSatisfy { abs($0 - $1) < 8 }
                #expect(isSame, "\(page.samples) is shown as \(seen)")
            }
        }

        /// What is damaged is made again, and what was made doesn't depend on it.
        @Test func damageIsNoticed() throws {
            try write(Self.pages)
            let first = try make("a.mkv", cache: "one", ["--hold", "1"])
            let total = first.numbers(under: "framesEncoded")
            for kind in ["segments", "outputs", "pages"] {
                for (number, path) in try files("one", kind).enumerated() {
                    var data = try Data(contentsOf: path)
                    if number % 3 == 0 { data = data.dropLast(1) } else { data[data.count * (number % 3) / 3] ^= 4 }
                    try data.write(to: path)
                }
            }
            let second = try make("b.mkv", cache: "one", ["--hold", "1"])
            #expect(second.numbers(under: "framesEncoded") == total)
            #expect(try bytes("a.mkv") == bytes("b.mkv"))
            #expect(try make("b.mkv", cache: "one", ["--hold", "1"]).numbers(under: "framesEncoded") == [0])
        }

        /// The limit holds after each run; two runs at once use one cache.
        @Test func theCacheIsBoundedAndShared() async throws {
            try write(Self.pages)
            try make("a.mp4", cache: "one", limit: "20k", ["--hold", "1"])
            let sizes = try ["segments", "pages", "outputs"].flatMap { kind in
                try ((try? files("one", kind)) ?? []).map { try Data(contentsOf: $0).count }
            }
            #expect(!sizes.isEmpty && sizes.reduce(0, +) <= 20_000)
            let cold = try bytes("a.mp4")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in ["b", "c"] {
                    group.addTask {
                        let run = try CommandTests.run(
                            "deck \(folder / "deck.pdf") \(folder / "\(name).mp4") --cache 20k --size 160x90",
                            "--preset ultrafast --hold 1", environment: ["XDG_CACHE_HOME": folder / "one"])
                        #expect(run.status == 0, "\(run.story)")
                    }
                }
                try await group.waitForAll()
            }
            #expect(try bytes("b.mp4") == cold && bytes("c.mp4") == cold)
        }

        /// Whatever changes, the result is that of a run that finds nothing.
        @Test(.enabled(if: hasVoice, voiceIsMissing), arguments: Places.some(Array(1...40), every: 40))
        func randomEditsGiveTheBytesOfColdRuns(seed: UInt64) throws {
            var random = SplitMix64(seed: seed)
            var pages = Self.pages
            var options = ["--style": "flip", "--duration": "0.4", "--crf": "30"]
            var flags: [String: [String]] = [:]
            var reused = 0.0
            for round in 0..<5 {
                let index = random.integer(in: 0...pages.count - 1)
                // After the first round, what is reused is all but a page.
                switch round == 1 ? 0 : random.integer(in: 0...11) {
                case 0, 1, 2: pages[index].note = "Another note, made in round \(round)."
                case 3: pages[index].color = random.integer(in: 0...63)
                case 4: pages.insert(Page(color: random.integer(in: 0...63), note: "New \(round)."), at: index)
                case 5: if pages.count > 3 { pages.remove(at: index) }
                case 6: pages.swapAt(index, 0)
                case 7: options["--style"] = random.pick(["flip", "curl", "dissolve", "cube"])
                case 8: options["--duration"] = random.pick(["0.4", "0.5", "1"])
                case 9: options["--crf"] = random.pick(["28", "30"])
                case 10:
                    flags["numbers"] = random.pick([[], ["--slide-numbers", "bottom-right"], ["--fade-in", "2"]])
                default:
                    flags["captions"] = random.pick([
                        [], ["--captions-from", "notes"], ["--captions-from", "notes", "--burn-captions", "outline"],
                    ])
                }
                try write(pages)
                let name = random.pick(["out.mp4", "out.mkv"])
                let all =
                    Self.voice + options.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
                    + flags.sorted { $0.key < $1.key }.flatMap(\.value)
                let warm = try make(name, cache: "warm", all)
                reused += warm.numbers(under: "framesReused").reduce(0, +)
                let found = try bytes(name)
                try? folder.remove("cold/fliptransition/segments")
                try? folder.remove("cold/fliptransition/outputs")
                try? folder.remove("cold/fliptransition/pages")
                #expect(try make(name, cache: "cold", all).numbers(under: "framesReused") == [0])
                #expect(try bytes(name) == found, "round \(round): \(all)")
            }
            #expect(reused > 0)
        }

        /// LibreOffice reads a document again if a slide has changed, and not if a note has.
        @Test(
            .turn(1, of: 2), .enabled(if: Places.has("soffice"), "needs LibreOffice"),
            .enabled(if: canIsolate, "needs bubblewrap, and a system that allows it"))
        func notesAreNotConverted() throws {
            let deck = { (color: String, note: String, saved: String) in
                let relation = DeckFiles.relationType("notesSlide")
                var members = DeckFiles.powerPoint(
                    [DeckFiles.slide(color: "ff0000"), DeckFiles.slide(color: color)],
                    relations: [
                        2: #"<Relationship Id="n" Type="\#(relation)" Target="../notesSlides/notesSlide1.xml"/>"#
                    ], properties: "<dc:title>Waves</dc:title><c:revision>\(saved)</c:revision>")
                members.append(DeckFiles.powerPointNotes(1, "<a:p><a:r><a:t>\(note)</a:t></a:r></a:p>"))
                try DeckFiles.zip(members).write(to: folder / "deck.pptx")
            }
            let run = { (name: String) in
                let run = try CommandTests.run(
                    "deck \(folder / "deck.pptx") \(folder / name) -y --cache 1G --size 160x90 --hold 1",
                    "--captions-from notes --transition cut", environment: ["XDG_CACHE_HOME": folder / "one"])
                try #require(run.status == 0, "\(run.story)")
            }
            try deck("0000ff", "First.", "1")
            try run("a.mkv")
            #expect(try files("one", "documents").count == 1)
            try deck("0000ff", "Second.", "2")
            try run("b.mkv")
            #expect(try files("one", "documents").count == 1)
            #expect(try NoteSlides.captions(folder / "a.mkv").map(\.text) == ["First."])
            #expect(try NoteSlides.captions(folder / "b.mkv").map(\.text) == ["Second."])
            try deck("00ff00", "Second.", "2")
            try run("c.mkv")
            #expect(try files("one", "documents").count == 2)
            let last = try Judge.frames(folder / "c.mkv", filter: "select=eq(n\\,45),scale=1:1", format: "rgb24")
            #expect(last[1] > 240 && last[0] < 16 && last[2] < 16)
        }

        private static let canIsolate =
            (try? Tool.run("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"]).status) == 0

        @Test func valuesAreChecked() throws {
            try write(Self.pages)
            let deck = ["deck", folder / "deck.pdf", folder / "out.mp4"]
            try expectExit(deck + ["--cache", "much"], 64, saying: "invalid cache 'much'")
            let manifest = "jobs:\n  - output: out.mp4\n    deck: deck.pdf\n    cache: 1G\n"
            try manifest.write(to: folder / "m.yaml")
            try expectExit(["batch", folder / "m.yaml"], 65, saying: "m.yaml:4:12: 'cache' says how much of the disk")
            let run = try CommandTests.run(
                deck + ["--cache", "1G"], environment: ["XDG_CACHE_HOME": folder / "deck.pdf"])
            #expect(run.status == 73 && run.messages.contains("cannot make the folder"), "\(run.story)")
            #expect(try !folder.names.contains("out.mp4"))
        }
    }
}
