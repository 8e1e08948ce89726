import TestSupport
import Testing

extension CommandTests {
    /// The preview, driven in Chromium as a user does it (Tests/Tools/preview_cases.py), and attacked
    /// (Tests/Tools/preview_attacks.py).
    @Suite(.serialized) struct PreviewTests {
        private static let clips = ["bunny.mp4", "flower.mp4", "bunny.mp4"].map { Places.package + "/Media/" + $0 }

        /// Runs a case of a script, which says what is wrong.
        private func run(_ script: String, _ name: String, _ clips: [String]) throws {
            let run = try Tool.run(
                "python3", "\(Places.package)/Tests/Tools/\(script).py \(name) \(clips)", timeout: 120,
                environment: [
                    "FLIPTRANSITION_PROGRAM": try Places.program(), "FLIPTRANSITION_CHROMIUM": Browser.path ?? "",
                    "PYTHONDONTWRITEBYTECODE": "1",
                ])
            #expect(run.status == 0, "\(run.story)")
        }

        @Test(
            .enabled(if: Browser.path != nil, "\(Browser.isMissing)"),
            arguments: Places.some(
                [
                    "load", "timeline", "slow_drag", "fast_drag", "short_drag", "rubber_band", "pinch", "keyboard",
                    "narrow", "looks", "gesture", "access", "exported", "jump", "faults", "timing", "reload", "film",
                    "closed", "layout", "long_recording",
                ], every: 21))
        func thePageWorks(name: String) throws { try run("preview_cases", name, Self.clips) }

        @Test(
            arguments: Places.some(
                [
                    "hosts", "tokens", "origins", "paths", "bodies", "idlers", "pages", "waits", "files", "sources",
                    "opens", "ends", "blurs", "books",
                ], every: 14))
        func theServerHolds(name: String) throws { try run("preview_attacks", name, Array(Self.clips.prefix(2))) }

        @Test func mistakesAreSentences() throws {
            let clip = Self.clips[0]
            let folder = try TemporaryFolder()
            let page = folder / "page.html"
            try "old".write(to: page)
            for (arguments, status, words) in [
                ([], 64, "clips are needed"), ([clip], 64, "needs two clips or more"),
                ([clip, "none.mp4"], 66, "none.mp4"), ([clip, clip, "--port", "70000"], 64, "1...65535"),
                ([clip, clip, "--idle", "soon"], 64, "10s, 90m, or off"),
                ([clip, clip, "--export", "page.mp4"], 64, ".html"), ([clip, clip, "--export", page], 73, "page.html"),
                ([clip, clip, "--save-gesture", page], 73, "page.html"),
                ([clip, clip, "--host", "203.0.113.77"], 73, "203.0.113.77"),
                ([clip, clip, "--save-gesture", clip, "-y"], 64, "bunny.mp4"),
            ] as [([String], Int32, String)] {
                try expectExit(["preview"] + arguments, status, saying: words, lines: 1)
            }
            #expect(try String(contentsOf: page) == "old")
        }
    }
}
