import TestSupport
import Testing

extension CommandTests {
    /// Decks of PDF documents that need a password.
    @Suite(.serialized) struct PasswordTests {
        let folder = TemporaryFolder.make()
        private static let secret = "opensesame-4711"
        private static let options = [
            "--hold", "0.2", "--size", "160x90", "--video-codec", "rawvideo", "--pix-fmt", "gbrp", "--transition",
            "cut",
        ]

        /// Two pages, the first of which lies on its side, as `plain.pdf` and, locked by qpdf, as `locked.pdf`.
        private func documents(bits: [String] = ["256"]) throws -> (plain: String, locked: String) {
            let content = "1 0 0 rg 0 0 100 180 re f 0 0 1 rg 200 90 60 60 re f"
            let pdf = DeckFiles.pdf(pages: ["/Rotate 90 /Dur 2", "/Dur 3"], content: content)
            let (plain, locked) = (folder / "plain.pdf", folder / "locked.pdf")
            try pdf.write(to: plain)
            try Tool.succeed("qpdf", ["--encrypt", Self.secret, "owner-word"] + bits + ["--", plain, locked])
            try "\(Self.secret)\nand a second line\n".write(to: folder / "secret.txt")
            return (plain, locked)
        }

        @Test(arguments: Places.some([["256"], ["128", "--use-aes=y"], ["40", "--allow-weak-crypto"]], every: 3))
        func aLockedDocumentShowsTheSame(bits: [String]) throws {
            // qpdf takes its own option before those of the encryption.
            let weak = bits.contains("--allow-weak-crypto")
            let (plain, locked) = try documents(bits: weak ? ["256"] : bits)
            if weak {
                try Tool.succeed(
                    "qpdf", "--allow-weak-crypto --encrypt \(Self.secret) owner-word 40 -- \(plain) \(locked)")
            }
            try succeed(["deck", plain, folder / "plain.nut"] + Self.options)
            let meant = try Judge.frameHashes(folder / "plain.nut")
            #expect(Set(meant).count == 2, "the pages differ")
            for (index, password) in [
                ["--password-file", folder / "secret.txt"], ["--password", Self.secret], ["--password=owner-word"],
            ].enumerated() {
                let run = try succeed(["deck", locked, folder / "\(index).nut"] + Self.options + password)
                #expect(try Judge.frameHashes(folder / "\(index).nut") == meant, "\(password)")
                #expect(run.messages.isEmpty, "\(run.story)")
            }
            // The pages' own times are read as well.
            let plan = try succeed("plan \(locked) \(folder / "o.mp4") --json --password-file \(folder / "secret.txt")")
            #expect(try JSONValue(plan.output).numbers(under: "seconds") == [5])
        }

        /// A plan doesn't store a password, whichever command makes it.
        @Test func noPlanHasAPassword() throws {
            let (_, locked) = try documents()
            try "clips: [{file: \(locked)}]\n".write(to: folder / "p.yaml")
            let words = [folder / "p.yaml", folder / "o.mp4", "--password", Self.secret]
            for command in [["--plan-only", "--job-dir", folder / "jobs"], ["--engine", "local"]] {
                try expectExit(command + words, 64, saying: "--password can't be combined")
            }
            let found = try Tool.run("grep", ["-rl", Self.secret, folder.path])
            #expect(found.text == folder / "secret.txt\n")
        }

        @Test func wrongAndMissingPasswordsAreSaid() throws {
            let (plain, locked) = try documents()
            let deck = { (options: [String]) in try run(["deck", locked, folder / "o.mp4"] + options) }
            let missing = try deck([])
            #expect(missing.status == 65 && missing.messages.contains("--password-file"), "\(missing.story)")
            let wrong = try deck(["--password", "guess-1"])
            #expect(wrong.status == 65 && wrong.messages.contains("locked.pdf'"), "\(wrong.story)")
            for run in [missing, wrong] {
                #expect(run.messageLines.count == 1 && !run.messages.contains("guess-1"), "\(run.story)")
            }
            #expect(try deck(["--password-file", folder / "none.txt"]).status == 66)
            #expect(try deck(["--password", "a", "--password-file", folder / "secret.txt"]).status == 64)
            #expect(try deck(["--password", ""]).status == 64)
            try Data().write(to: folder / "empty.txt")
            let empty = try deck(["--password-file", folder / "empty.txt"])
            #expect(empty.status == 65 && empty.messages.contains("empty.txt"), "\(empty.story)")
            let unused = try succeed(["plan", plain, folder / "o.mp4", "--password", "guess-1"])
            #expect(unused.text.contains("warning: a password was given, and no PDF needs one"), "\(unused.text)")
            #expect(try !folder.names.contains("o.mp4"))
        }

        @Test func thePasswordIsWrittenNowhere() throws {
            let locked = try documents().locked
            let report = folder / "report.json"
            let run = try succeed(
                ["deck", locked, folder / "o.nut", "--report", report, "--password", Self.secret, "--verbose"]
                    + Self.options)
            let plan = try succeed(["plan", locked, folder / "p.mp4", "--json", "--password", Self.secret])
            #expect(try !String(contentsOf: report).contains(Self.secret))
            #expect(!plan.text.contains(Self.secret) && !run.messages.contains(Self.secret))
        }

        @Test func batchesTakeOnlyAPasswordFile() throws {
            _ = try documents()
            let job = "jobs:\n  - output: out.mp4\n    deck: locked.pdf\n    hold: 0.2\n    preset: ultrafast\n"
            let write = { (text: String) in try text.write(to: folder / "m.yaml") }
            try write(job + "    password: \(Self.secret)\n")
            let refused = try expectExit(["batch", folder / "m.yaml"], 65, saying: "m.yaml:6:5: 'password'")
            try write(job)
            let set = try expectExit(["batch", folder / "m.yaml", "--set", "password=\(Self.secret)"], 64)
            for run in [refused, set] { #expect(!run.messages.contains(Self.secret), "\(run.story)") }
            #expect(try !folder.names.contains("m.jobs"))

            try write(job + "    password-file: secret.txt\n")
            try succeed(["batch", folder / "m.yaml", "--inputs-by", "sha256"])
            // 2 pages of 0.2 s at 25 fps.
            #expect(try Judge.video(folder / "out.mp4").frameCount == 10)
            let found = try Tool.run("grep", ["-rl", Self.secret, folder / "m.jobs"])
            #expect(found.status == 1, "\(found.text)")
            // Neither is a hash of it, by which it could be guessed.
            let hash = try Tool.succeed("sha256sum", [folder / "secret.txt"]).text.prefix(64)
            #expect(try Tool.run("grep", ["-rl", String(hash), folder / "m.jobs"]).status == 1)
        }
    }
}
