import FlipGeometry
import TestSupport
import Testing

extension CommandTests {
    /// The completion scripts, run by the shells that they are for.
    @Suite(.serialized) struct CompletionTests {
        /// A folder with two clips, a subfolder, and the script for `shell` as the file `name`.
        private func stage(_ shell: String, as name: String) throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            try folder.makeFolder("clips/inner")
            for clip in ["first.mp4", "fist.mkv", "notes.txt"] { try Data().write(to: folder / "clips/\(clip)") }
            let script = try succeed(["--generate-completion-script", shell]).output
            try script.write(to: folder / name)
            return folder
        }

        /// What bash offers for the last of `words`, which follow the program's name.
        private func bash(_ words: [String]) throws -> Set<String> {
            let folder = try stage("bash", as: "completion")
            // The function that bash itself would call, with the variables that it would set.
            let call = """
                . "$1/completion"; cd "$1/clips"; shift
                function=$(complete -p fliptransition); function=${function##*-F }; function=${function%% *}
                COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
                "$function" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            let run = try Tool.succeed("bash", ["-c", call, "bash", folder.path, Places.program()] + words)
            return Set(run.text.split(separator: "\n").map(String.init))
        }

        @Test(
            arguments: Places.some(
                [
                    // Files, with and without the default subcommand, which stands for `join`.
                    (["join", "fi"], ["first.mp4", "fist.mkv"]), (["fi"], ["first.mp4", "fist.mkv"]),
                    (["first.mp4", "fi"], ["first.mp4", "fist.mkv"]), (["still", "first.mp4", "no"], ["notes.txt"]),
                    (["probe", "fist"], ["fist.mkv"]), (["deck", "inn"], ["inner"]),
                    (["first.mp4", "--root", ""], ["inner"]),
                    (["st"], ["still", "styles"]),
                    // Values.
                    (["a.mp4", "b.mp4", "--overlap", ""], ["play", "freeze", "handles"]),
                    (["deck", "--orientation", ""], ["horizontal", "vertical"]),
                    (["plan", "--render", "s"], ["smart"]), (["sheet", "--fit", "c"], ["crop"]),
                    (["--easing", "page-turn"], ["page-turn", "page-turn-in", "page-turn-out"]),
                    (["--video-codec", "libx264"], ["libx264", "libx264rgb"]),
                    (["--audio-codec", "libop"], ["libopus"]),
                    (["--background", "darko"], ["darkolivegreen", "darkorange", "darkorchid"]),
                    (["batch", "--progress", ""], ["plain", "json"]), (["-f", "matro"], ["matroska"]),
                    // Options.
                    (["deck", "slides.pdf", "--sty"], ["--style"]),
                    (["a.mp4", "--no-"], ["--no-overwrite", "--no-audio", "--no-chapters"]),
                    (["a.mp4", "--hold"], []),
                ] as [([String], [String])], every: 4))
        func bashOffersFilesAndValues(words: [String], offers: [String]) throws {
            #expect(try bash(words) == Set(offers))
        }

        @Test func bashOffersTheCatalogue() throws {
            #expect(try bash(["--style", ""]) == Set(Styles.all.map(\.name)))
            #expect(try bash(["--look", ""]) == Set(Looks.all.map(\.name)))
            #expect(try bash(["--easing", ""]) == Set(Easing.named.map(\.name)))
            #expect(try bash(["--transition", ""]) == Set(Styles.all.map(\.name) + ["cut"]))
        }

        /// Completes in a pseudoterminal, since zsh offers nothing without one. The list ends with the next prompt.
        private static let zshDriver = """
            zmodload zsh/zpty
            export TERM=dumb
            cd $1/clips
            zpty z zsh -f -i
            zpty -w z "PS1=READY; PROMPT_EOL_MARK=; unset zle_bracketed_paste; LISTMAX=10000; setopt no_beep; \\
            fpath=($1 \\$fpath); autoload -U compinit; compinit -u -D; echo LOADED"
            zpty -r -m z seen '*LOADED*READY*'
            zpty -w -n z "$2"$'\\t'
            zpty -r -m z seen '*READY*'
            print -r -- "$seen"
            zpty -d z
            """

        private static let hasZsh = (try? Tool.run("zsh", ["-c", ":"]).status) == 0

        @Test(
            .enabled(if: hasZsh, "zsh is missing"),
            arguments: Places.some(
                [
                    ("a.mp4 b.mp4 --overlap ", ["play", "freeze"]), ("deck a.pdf --style f", ["flip", "fold"]),
                    ("first.mp4 fi", ["first.mp4", "fist.mkv"]), ("fi", ["first.mp4", "fist.mkv"]),
                    ("--video-codec libx26", ["libx264", "libx265"]), ("st", ["still", "styles"]),
                ] as [(String, [String])], every: 3))
        func zshOffersFilesAndValues(line: String, offers: [String]) throws {
            let folder = try stage("zsh", as: "_fliptransition")
            let program = URL(fileURLWithPath: try Places.program()).deletingLastPathComponent().path
            let run = try Tool.run(
                "zsh", ["-f", "-c", Self.zshDriver, "zsh", folder.path, "fliptransition " + line], timeout: 60,
                environment: ["PATH": program + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")])
            // The first line is what was typed.
            let list = run.text.split(whereSeparator: \.isNewline).dropFirst().joined(separator: " ")
            let words = Set(list.split { $0.isWhitespace }.map(String.init))
            for offer in offers { #expect(words.contains(offer), "\(offer): \(run.story)\(run.text)") }
            #expect(!words.contains("notes.txt"), "\(run.text)")
        }
    }
}
