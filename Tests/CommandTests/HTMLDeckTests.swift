import TestSupport
import Testing

private enum SandboxedBrowser {
    static let isPossible =
        Places.has("chromium")
        && (try? Tool.run("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"]).status) == 0
}

extension CommandTests {
    /// Slides of web pages, which Chromium prints in a sandbox.
    @Suite(
        .serialized, .enabled(if: SandboxedBrowser.isPossible, "needs chromium and bubblewrap (scripts/setup --tests)"))
    struct HTMLDeckTests {
        let folder = TemporaryFolder.make()

        private static let plain = [
            "--transition", "cut", "--hold", "1", "--size", "160x90", "--preset", "ultrafast", "--crf", "0", "--fps",
            "10",
        ]

        /// The colors in the middle of four columns of a frame, each channel on or off.
        private func seen(_ path: String, at seconds: Double) throws -> String {
            let picture = try Tool.ffmpeg(
                "-ss \(seconds) -i \(path) -frames:v 1 -vf scale=160:90,format=rgb24 -f rawvideo -"
            ).output
            return (0..<4).map { column in
                let place = (45 * 160 + column * 40 + 20) * 3
                return picture.dropFirst(place).prefix(3).map { $0 > 127 ? "f" : "0" }.joined()
            }.joined(separator: " ")
        }

        /// A column of a slide of reveal.js, which is 1280x720.
        private static func column(_ index: Int, _ color: String, _ fragment: String = "") -> String {
            "<div class='\(fragment)' style='position: absolute; top: 0; width: 320px; height: 720px; left: \(320 * index)px; "
                + "background: \(color)'></div>"
        }

        private func write(_ name: String, _ head: String = "", body: String) throws -> String {
            try
                "<!doctype html><html lang='de'><head><meta charset='utf-8'><title>Wellen</title>\(head)</head>\(body)</html>"
                .write(to: folder / name)
            return folder / name
        }

        /// The deck of reveal.js: a slide, one of three fragments, two below each other with a hidden one between them.
        private func reveal() throws -> String {
            let code = try #require(Python.revealFolder)
            try folder.add(code, as: "reveal")
            let fragments =
                Self.column(0, "#f00", "fragment") + Self.column(1, "#0f0", "fragment")
                + Self.column(2, "#00f", "fragment fade-out")
            return try write(
                "talk.html",
                "<meta name='author' content='A. Muster'><link rel='stylesheet' href='reveal/dist/reveal.css'>",
                body: """
                    <body><div class="reveal"><div class="slides">
                    <section><h1>Eins</h1>\(Self.column(3, "#f0f"))<aside class="notes">Guten &amp; Tag.
                      Noch ein <b>Satz</b>.<p>Zweiter Absatz.</p></aside></section>
                    <section data-notes="Aus dem Attribut."><h2>Zwei</h2>\(fragments)</section>
                    <section><section><h2>Drei</h2>\(Self.column(0, "#0ff"))</section>
                    <section data-visibility="hidden">\(Self.column(0, "#fff"))</section>
                    <section data-autoslide="2000">\(Self.column(1, "#0ff"))</section></section>
                    </div></div>
                    <script src="reveal/dist/reveal.js"></script>
                    <script>Reveal.initialize({width: 1280, height: 720, margin: 0, center: false, backgroundColor: "#000"});
                    document.body.style.background = "#000";</script></body>
                    """)
        }

        @Test(.turn(0, of: 2), .enabled(if: Python.revealFolder != nil, Comment(rawValue: Python.revealIsMissing)))
        func fragmentsAreSteps() throws {
            let talk = try reveal()
            let out = folder / "out.mkv"
            let run = try succeed(
                ["deck", talk, out, "--hold", "2", "--captions-from", "notes", "--captions-out", folder / "lines.srt"]
                    + Self.plain.filter { !["--hold", "1"].contains($0) })
            #expect(
                CommandTests.warnings(run).allSatisfy { $0.contains("too long") || $0.contains("letters") },
                "\(run.story)")
            #expect(try Judge.chapters(out).map(\.title).prefix(3) == ["Eins", "Zwei", "Drei"])
            #expect(try Judge.chapters(out).map(\.start) == [0, 2, 4, 6])
            let tags = try DocumentTagTests.tags(out)
            #expect(tags["title"] == "Wellen" && tags["artist"] == "A. Muster", "\(tags)")
            // Two seconds for each slide, of which the second one has four steps.
            let colors = try [1, 2.2, 2.7, 3.2, 3.7, 5, 7].map { try seen(out, at: $0).split(separator: " ") }
            #expect(colors[0][3] == "f0f")
            #expect(colors[1].prefix(3).map { $0 == "f00" || $0 == "0f0" } == [false, false, false])
            #expect(colors[1][2] == "00f" && colors[2].prefix(3) == ["f00", colors[1][1], "00f"])
            #expect(colors[3].prefix(3) == ["f00", "0f0", "00f"])
            #expect(colors[4].prefix(2) == ["f00", "0f0"] && colors[4][2] != "00f")
            #expect(colors[5][0] == "0ff" && colors[6][1] == "0ff" && colors[6][0] != "fff")
            let lines = try String(contentsOf: folder / "lines.srt")
            for text in ["Guten & Tag.", "Noch ein Satz.", "Zweiter Absatz.", "Aus dem Attribut."] {
                #expect(lines.contains(text), "\(lines)")
            }
            // All at once.
            try succeed(["deck", talk, out, "-y", "--builds", "off"] + Self.plain)
            #expect(try seen(out, at: 1.5).hasPrefix("f00 0f0"))
            // The slides' own times; a page of the deck.
            let plan = try succeed(
                ["plan", talk + "#page=4", out, "--json"] + Self.plain.filter { !["--hold", "1"].contains($0) })
            #expect(try JSONValue(plan.output).numbers(under: "seconds") == [2])
        }

        /// Marp's export has a graphic for each slide, and notes by their number.
        @Test(.turn(1, of: 2)) func notesOfMarpAreRead() throws {
            let slides = ["#f00", "#0f0", "#00f"].enumerated().map { index, color in
                "<svg data-marpit-svg='' viewBox='0 0 1280 720'><foreignObject width='1280' height='720'><section "
                    + "style='height: 720px; background: \(color)'><h1>T\(index)</h1>\(index == 2 ? Self.fragments : "")"
                    + "</section></foreignObject></svg>"
            }
            let talk = try write(
                "marp.html",
                "<style>@page { size: 1280px 720px; margin: 0 } body { margin: 0 } svg { display: block; width: 1280px; height: 720px; "
                    + "break-after: page; break-inside: avoid }</style>",
                body: "<body>" + slides.joined() + "<div class='bespoke-marp-note' data-index='1'><p>Gelesen.</p></div>"
                    + "<style>.bespoke-marp-note { display: none }</style></body>")
            try succeed(
                ["deck", talk, folder / "out.mkv", "--captions-from", "notes", "--captions-out", folder / "lines.srt"]
                    + Self.plain)
            #expect(try Judge.chapters(folder / "out.mkv").map(\.title) == ["T0", "T1", "T2"])
            let middle = try [0.5, 1.5, 2.5].map { try seen(folder / "out.mkv", at: $0).suffix(3) }
            #expect(middle == ["f00", "0f0", "00f"])
            let lines = try String(contentsOf: folder / "lines.srt")
            #expect(lines.contains("Gelesen.") && lines.contains("00:00:01,000 --> "), "\(lines)")
            // The last slide stays for a second, in three steps, of which the second brings the left column.
            for (time, columns) in [(2.1, ["00f", "00f"]), (2.5, ["f00", "00f"]), (2.9, ["f00", "0f0"])] {
                let colors = try seen(folder / "out.mkv", at: time).split(separator: " ").map(String.init)
                #expect(Array(colors.prefix(2)) == columns, "\(time) s: \(colors)")
            }
            let whole = folder / "whole.mkv"
            try succeed(["deck", talk, whole, "--builds", "off"] + Self.plain)
            #expect(try seen(whole, at: 2.1).hasPrefix("f00 0f0"))
        }

        /// Two columns, which come one after the other.
        private static let fragments = [("#f00", 1), ("#0f0", 2)].enumerated().map { index, fragment in
            column(index, fragment.0, "' data-marpit-fragment='\(fragment.1)")
        }.joined()

        /// Without its scripts, a deck of reveal.js is a page like any other, and a warning says so.
        @Test(.turn(2, of: 3)) func missingScriptsAreSaid() throws {
            let talk = try write(
                "bare.html",
                body: "<body><div class='reveal'><div class='slides'><section>1</section></div></div>"
                    + "<script src='https://unpkg.com/reveal.js/dist/reveal.js'></script></body>")
            let run = try succeed(["plan", talk, folder / "o.mkv"] + Self.plain)
            let warnings = run.text.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
            #expect(warnings.count == 1 && warnings[0].contains("are its scripts on the network"), "\(run.story)")
        }

        /// Browsers load no modules from files, so a page of nothing else would be empty.
        @Test func pagesOfServersAreRefused() throws {
            try "document.body.innerHTML = '<h1>Shown</h1>'".write(to: folder / "module.js")
            let talk = try write(
                "served.html", "<script type='module' crossorigin src='./module.js'></script>",
                body: "<body><div id='app'></div></body>")
            try expectExit(["plan", talk, folder / "o.mkv"], 65, saying: "shows nothing")
        }

        /// Any page is shown as it is printed; what lies beside its folder, and the network, are out of reach.
        @Test func onlyThePagesFolderIsRead() throws {
            let inner = folder / "inner"
            try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
            for (name, color) in [("secret.png", "red"), ("inner/own.png", "lime")] {
                try Tool.ffmpeg("-f lavfi -i color=\(color):s=320x720 -frames:v 1 \(folder / name)")
            }
            try FileManager.default.createSymbolicLink(
                atPath: inner + "/link.png", withDestinationPath: folder / "secret.png")
            let images = ["own.png", "../secret.png", "link.png", "file://" + (folder / "secret.png")].enumerated()
                .map {
                    "<img style='position: absolute; top: 0; width: 320px; height: 720px; left: \(320 * $0)px' src='\($1)'>"
                }
            let talk = try write(
                "inner/page.html",
                body: "<body style='background: black'>\(images.joined())<script>alert(1); confirm(2)</script></body>")
            try succeed(["deck", talk, folder / "out.mkv"] + Self.plain)
            let colors = try seen(folder / "out.mkv", at: 0.5)
            #expect(colors.hasPrefix("0f0 ") && !colors.contains("f00"), "\(colors)")
            // A page that lies among everybody's files isn't opened.
            let shared = try run(["deck", talk, folder / "no.mkv"] + Self.plain, environment: ["TMPDIR": inner])
            #expect(shared.status == 65 && shared.messages.contains("a folder of its own"), "\(shared.story)")
        }

        @Test func whatIsMissingIsNamed() throws {
            let page = try write("page.html", body: "<body>1</body>")
            let (none, rest, program) = (try TemporaryFolder(), try TemporaryFolder(), try Places.program())
            for (names, word) in [([], "chromium"), (["chromium"], "bubblewrap"), (["bwrap"], "sandbox")] {
                for name in names { try "#!/bin/sh\nexit 1\n".write(to: none / name); chmod(none / name, 0o755) }
                let run = try Tool.run(
                    "/usr/bin/env",
                    ["PATH=" + none.path, "TMPDIR=" + rest.path, program, "deck", page, folder / "o.mp4"])
                #expect(run.status == 69 && run.messageLines.count == 1 && run.messages.contains(word), "\(run.story)")
            }
            #expect(try rest.names.isEmpty)
            try expectExit(["deck", folder / "none.html", folder / "o.mp4"], 66, saying: "none.html")
            #expect(try !folder.names.contains("o.mp4"))
        }
    }
}
