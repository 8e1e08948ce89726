import TestSupport
import Testing

extension CommandTests {
    /// Cuts where clips are brief (`--cut-below`), and cut lists in projects, batches and decks.
    @Suite(.serialized) struct CutBelowTests {
        private func film() throws -> String { try clips().pattern("cuts-pattern", frames: 100, sound: true) }

        /// A folder with the film and a list of the parts 10..<40, 50..<60, 70..<100.
        private func stage() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            try folder.add(film(), as: "film.mkv")
            try "file,start,end\nfilm.mkv,0.4,1.6\nfilm.mkv,2,2.4\nfilm.mkv,2.8,\n"
                .write(to: folder / "cuts.csv")
            return folder
        }

        private func joins(_ arguments: [String]) throws -> [[String: Any]] {
            try planRows("joins", arguments)
        }

        @Test(.turn(1, of: 2)) func joinsOfBriefClipsAreCuts() throws {
            let folder = try stage()
            let source = try Judge.frameHashes(film())
            let kept = Array(source[10..<40]) + source[50..<60] + source[70..<100]
            let out = folder / "out.mkv"
            // The middle part lasts 10 frames, 0.4 s; only less than the limit is too brief.
            for (limit, isCut) in [
                ("500ms", true), ("0.41", true), ("11f", true), ("10f", false), ("0.4", false), ("0", false),
            ] {
                let arguments = [folder / "cuts.csv", "--duration", "4f", "--cut-below", limit]
                let joins = try joins(arguments + [out])
                #expect(
                    joins.map { $0["style"] as? String } == (isCut ? ["cut", "cut"] : ["flip", "flip"]), "\(limit)")
                #expect(joins.map { $0["frames"] as? Int } == (isCut ? [0, 0] : [4, 4]), "\(limit)")
                try succeed(arguments + ["--video-codec", "ffv1", "-y", "--report", folder / "report.json", out])
                let hashes = try Judge.frameHashes(out)
                #expect((hashes == kept) == isCut && hashes.count == kept.count, "\(limit)")
                let report = try String(contentsOf: folder / "report.json")
                #expect(report.contains("\"cut\"") == isCut)
            }
            // Clips that no list names are cut as well, and their output is longer for it.
            let parts = [folder / "film.mkv#t=0.4,1.6", folder / "film.mkv#t=2,2.4", folder / "film.mkv#t=2.8"]
            try succeed("\(parts) --duration 4f --cut-below 0.5 --video-codec ffv1 -y --sound page \(out)")
            #expect(try Judge.frameHashes(out) == kept)
            try succeed(parts + ["--duration", "4f", "--video-codec", "ffv1", "-y", out])
            #expect(try Judge.video(out).frameCount == 70 - 8)
        }

        @Test(.turn(0, of: 2)) func projectsHaveCutLists() throws {
            let folder = try stage()
            try "0.4,1.6\n2,2.4\n2.8,\n".write(to: folder / "plain.csv")
            let source = try Judge.frameHashes(film())
            let render = { (text: String) throws in
                try text.write(to: folder / "project.yaml")
                try succeed(
                    "render \(folder / "project.yaml") --video-codec ffv1 --root \(folder.path)",
                    "-y \(folder / "out.mkv")")
                return try Judge.frameHashes(folder / "out.mkv")
            }
            let kept = Array(source[10..<40]) + source[50..<60] + source[70..<100]
            for cuts in ["cuts: cuts.csv", "file: film.mkv\n    cuts: plain.csv"] {
                let list = "clips:\n  - \(cuts)\n"
                #expect(try render("transition: cut\n" + list) == kept)
                #expect(try render("transition: flip=duration=4f\ncut-below: 500ms\n" + list) == kept)
                let turned = try render("transition: flip=duration=4f\n" + list)
                #expect(turned.count == 70 && turned != kept)
                #expect(try render("transition: flip=duration=4f:overlap=play\n" + list).count == 62)
                // The entry's own transition follows each of its parts.
                #expect(try render(list + "    transition: cut\n  - film.mkv\n") == kept + source)
            }
            for (text, words) in [
                ("clips:\n  - cuts: cuts.csv\n    start: 1\n", "bad.yaml:3:5"),
                ("clips:\n  - file: cuts.csv\n", "cuts: cuts.csv"), ("clips:\n  - cuts.csv\n", "bad.yaml:2:5"),
                ("clips:\n  - cuts: plain.csv\n", "line 1"),
            ] {
                try text.write(to: folder / "bad.yaml")
                try expectExit(["render", folder / "bad.yaml", folder / "bad.mkv"], 65, saying: words, lines: 1)
            }
            try "clips:\n  - cuts: no.csv\n".write(to: folder / "bad.yaml")
            #expect(try run(["render", folder / "bad.yaml", folder / "bad.mkv"]).status == 66)
        }

        /// A sound of a project begins with an entry, however many parts the entries before it have.
        @Test func soundsBeginWithEntries() throws {
            let folder = try stage()
            let click = try clips().make(
                "cuts-click.wav", "-f lavfi -i aevalsrc='0.9*between(t,0.0995,0.1005)':s=48000:d=0.3 -c:a pcm_s16le")
            try """
            transition: cut
            clips: [{cuts: cuts.csv, mute: true}, {file: film.mkv, mute: true}]
            sounds: [{file: \(click), clip: 2}]
            """.write(to: folder / "project.yaml")
            try succeed(["render", folder / "project.yaml", "--audio-codec", "pcm_s16le", folder / "out.mkv"])
            try expectClicks(Sound(folder / "out.mkv"), [70.0 / 25 + 0.1])
        }

        @Test func batchesAndDecksReadCutLists() throws {
            let folder = try stage()
            let source = try Judge.frameHashes(film())
            let kept = Array(source[10..<40]) + source[50..<60] + source[70..<100]
            try "0.4,1.6\n2,2.4\n2.8,\n".write(to: folder / "plain.csv")
            try """
            defaults: {duration: 4f, cut-below: 0.5, video-codec: ffv1}
            jobs:
              - {output: one.mkv, join: [cuts.csv]}
              - {output: two.mkv, join: ["film.mkv#cuts=plain.csv"]}
            """.write(to: folder / "manifest.yaml")
            try Tool.succeed(
                "sh", ["-c", "cd '\(folder.path)' && '\(try Places.program())' batch manifest.yaml"], timeout: 100)
            for name in ["one.mkv", "two.mkv"] { #expect(try Judge.frameHashes(folder / name) == kept) }
            // In a deck, parts are slides, whose time begins with the transition to them.
            let deck = ["deck", folder / "cuts.csv", "--video-codec", "ffv1", "--fps", "25", "-y", folder / "deck.mkv"]
            try succeed(deck + ["--duration", "4f"])
            #expect(try Judge.video(folder / "deck.mkv").frameCount == 62)
            try succeed(deck + ["--duration", "4f", "--cut-below", "0.5"])
            #expect(try Judge.frameHashes(folder / "deck.mkv") == kept)
        }

        /// A page has the pictures between which the joins of a list turn. Half of the 4 frames of a join lie before the cut and half
        /// behind it, so the part that leaves has two frames more, and the one that arrives begins two frames earlier.
        @Test func previewsShowTheJoinsOfLists() throws {
            let folder = try stage()
            try succeed("preview \(folder / "cuts.csv") --duration 4f --export \(folder / "page.html")")
            let page = try String(contentsOf: folder / "page.html")
            let data = try #require(
                page.firstMatch(of: #/<script type="application/json" id="content">(.*?)</script>/#)?.1)
            let content = try #require(JSONValue(String(data)).value as? [String: Any])
            let seams = try #require(content["seams"] as? [[String: Any]])
            let pictures = try seams.map { try #require($0["pictures"] as? [String]) }
            try #require(pictures.count == 2)
            let frames = try ["41", "48", "61", "68"].map { index in
                let path = folder / "\(index).png"
                try Tool.ffmpeg("-i \(film()) -vf select=eq(n\\,\(index)) -frames:v 1 \(path)")
                return path
            }
            for (index, text) in pictures.flatMap({ [$0.first, $0.last] }).enumerated() {
                let path = folder / "picture\(index).jpg"
                try #require(text.flatMap { Data(base64Encoded: $0) }).write(to: path)
                // Of the four frames, the one that is expected is the nearest by far; JPEG takes half of the chroma, which is strong.
                let distances = try frames.map { frame in try Self.psnr(path, frame) }
                let best = try #require(distances.max())
                #expect(distances.firstIndex(of: best) == index && best > 25, "picture \(index): \(distances)")
            }
        }

        /// The PSNR of a picture scaled to the size of another, in dB.
        private static func psnr(_ picture: String, _ reference: String) throws -> Double {
            let run = try Tool.run(
                "ffmpeg", "-nostdin -i \(picture) -i \(reference) -lavfi",
                "[0]format=rgb24[a];[1]format=rgb24[b];[a][b]scale2ref[c][d];[c][d]psnr -f null -")
            let average = try #require(run.messages.firstMatch(of: /average:([0-9.]+|inf)/)?.1)
            return Double(average) ?? .infinity
        }
    }
}
