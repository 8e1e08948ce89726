import TestSupport
import Testing

extension CommandTests {
    /// Misspelled names are answered with the name that was probably meant.
    @Suite(.serialized) struct SuggestionTests {
        let folder = TemporaryFolder.make()

        @Test(
            arguments: [
                (["--style", "none"], "unknown style 'none', did you mean the transition 'cut'?"),
                (["--transition", "none"], "did you mean the transition 'cut'?"),
                (["--otio", "t.otio"], "fliptransition export"),
                (["--transition", "doors:duration=0.4"], "(write doors=duration=0.4)"),
                (
                    ["--pages", "1-3"],
                    "there is no option '--pages' (pages of a document are named after it, as in deck.pdf#page="
                ),
                (["--voice", "en"], "there is no option '--voice' (the command of --speak names the voice"),
                (["--style", "flipp"], "unknown style 'flipp', did you mean 'flip'?"),
                (["--look", "papr"], "unknown look 'papr', did you mean 'paper'?"),
                (["--easing", "cubic-uot"], "unknown easing 'cubic-uot', did you mean 'cubic-out'?"),
                (["--easing", "cubic-bezir(0,0,1,1)"], "did you mean 'cubic-bezier'?"),
                (
                    ["--transition", "fold=crease=2"],
                    "unknown option 'crease' in transition 'fold=crease=2', did you mean"
                ),
                (["--transition", "fold=mode=cubic:duratoin=1"], "did you mean 'duration'?"),
                (["--video-options", "tuen=film"], "has no option 'tuen', did you mean 'tune'?"),
                (["--background", "bleu"], "invalid color 'bleu', did you mean 'blue'?"),
                (["--format", "matrsoka"], "unknown format 'matrsoka', did you mean 'matroska'?"),
                (["--shadw", "none"], "Did you mean '--shadow'?"),
            ] as [([String], String)])
        func aMisspelledOptionIsAnswered(options: [String], answer: String) throws {
            let clip = try clips().pattern("suggestion", frames: 20)
            try expectExit([clip, clip, folder / "out.mp4"] + options, 64, saying: answer, lines: 1)
            #expect(try folder.names == [])
        }

        @Test func aMisspelledEncoderIsAnswered() throws {
            let clip = try clips().pattern("suggestion-loud", frames: 20, sound: true)
            for (option, typed, meant) in [("--video-codec", "libx246", "libx264"), ("--audio-codec", "acc", "aac")] {
                try expectExit(
                    [clip, clip, folder / "out.mp4", option, typed], 69, saying: "'\(typed)', did you mean '\(meant)'?")
            }
        }

        @Test func aMisspelledSubcommandIsAnswered() throws {
            let clip = try clips().pattern("suggestion", frames: 20)
            try expectExit(["stil", clip, clip, folder / "out.png"], 64, saying: "'stil', did you mean 'still'?")
            // A file of that name is a clip.
            try folder.add(clip, as: "stil")
            try Tool.succeed(
                "sh",
                [
                    "-c", "cd \"$1\" && \"$2\" stil \"$3\" out.mp4 --transition cut", "", folder.path, Places.program(),
                    clip,
                ])
        }

        @Test func misspelledKeysOfFilesAreAnswered() throws {
            let clip = try clips().pattern("suggestion", frames: 20)
            try "clips: [\(clip)]\ntransitoin: flip\n".write(to: folder / "p.yaml")
            try expectExit(["render", folder / "p.yaml", folder / "out.mp4"], 65, saying: "did you mean 'transition'?")
            let jobs = "jobs: [{output: o.mp4, join: [\(clip), \(clip)], stlye: fold}]\n"
            try jobs.write(to: folder / "m.yaml")
            try expectExit(["batch", folder / "m.yaml"], 65, saying: "did you mean 'style'?")
            try expectExit(["batch", folder / "m.yaml", "--set", "durtion=1"], 64, saying: "did you mean 'duration'?")
        }
    }
}
