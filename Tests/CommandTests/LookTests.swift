import FlipGeometry
import TestSupport
import Testing

extension CommandTests {
    /// The option `--look` on the command line.
    @Suite(.serialized) struct LookTests {
        private func inputs() throws -> [String] {
            try [
                clips().pattern("report-a", frames: 41, sound: true), clips().pattern("report-b", frames: 37, hue: 90),
            ]
        }

        private func plan(_ arguments: [String]) throws -> String {
            try succeed(["plan"] + inputs() + ["out.mp4"] + arguments).text
        }

        @Test(.turn(1, of: 2)) func aLookIsItsOptions() throws {
            for look in Places.some(Looks.all, every: 3) {
                let options = look.options.flatMap { ["--" + $0.option.rawValue, $0.value] }
                let spelled = try plan(["--style", look.style.name] + options)
                #expect(try plan(["--look", look.name]) == spelled)
                #expect(try plan(["--style", look.style.name, "--look", look.name]) == spelled)
                #expect(try plan(["--transition", "\(look.style.name)=look=\(look.name)"]) == spelled)
            }
        }

        @Test func explicitOptionsWinWhereverTheyStand() throws {
            let spelled = try plan(["--style", "flip", "--shadow", "solid", "--perspective", "3.125"])
            let flags = ["--shadow", "solid", "--easing", "page-turn"]
            #expect(try plan(flags + ["--look", "vctransitions"]) == spelled)
            #expect(try plan(["--look", "vctransitions"] + flags) == spelled)
            for spec in [
                "flip=look=vctransitions:shadow=solid:easing=page-turn",
                "flip=shadow=solid:easing=page-turn:look=vctransitions",
            ] { #expect(try plan(["--transition", spec]) == spelled) }
        }

        @Test func contradictionsAndUnknownNamesAreRefused() throws {
            for (arguments, words) in [
                (["--look", "paper", "--style", "fold"], ["paper", "fold"]),
                (["--look", "papyrus"], ["papyrus", "vctransitions"]),
                (["--look", "paper", "--creases", "2"], ["creases", "flip"]),
                (["--transition", "card=look=paper"], ["paper", "card"]),
                (["--transition", "flip", "--look", "paper"], ["--look", "--transition"]),
            ] {
                let run = try expectExit(["plan"] + inputs() + ["out.mp4"] + arguments, 64, lines: 1)
                for word in words { #expect(run.messages.contains(word), "\(run.messages)") }
            }
        }

        @Test func looksAreListed() throws {
            let json = try JSONValue(succeed(["styles", "--json"]).output)
            let text = try succeed(["styles"]).text
            #expect(try succeed(["join", "--help"]).text.contains("'fliptransition styles' lists"))
            for style in Styles.all { #expect(text.contains(style.name) && text.contains(style.summary)) }
            for look in Looks.all {
                #expect(json.strings.contains(look.name) && json.strings.contains(look.summary))
                #expect(text.contains("--look \(look.name): \(look.summary)"))
                for (option, value) in look.options { #expect(text.contains("--\(option.rawValue) \(value)")) }
            }
            for style in Styles.all { #expect(json.strings.contains(style.origin)) }
        }
    }
}
