import TestSupport
import Testing

extension CommandTests {
    /// What the program says of the machine that it runs on.
    @Suite struct DoctorTests {
        /// Where nothing is in PATH, every helper is missing, and the packages that it names are Debian's: they are installed here.
        @Test(.enabled(if: Places.has("dpkg-query"), "there is no dpkg"))
        func missingHelpersAreNamedWithTheirPackages() throws {
            let run = try Tool.succeed(Places.program(), ["doctor"], environment: ["PATH": "/nowhere"])
            for name in ["pdftoppm", "qpdf", "soffice", "bwrap", "bsdtar", "heif-info", "fc-list", "sbatch"] {
                #expect(run.text.contains("\(name) is missing"), "\(run.story)")
            }
            let line = try #require(run.text.split(separator: "\n").last { $0.contains("apt install ") })
            let packages = line.split(separator: " ").drop { $0 != "install" }.dropFirst().map(String.init)
            #expect(packages.count > 5)
            for package in packages {
                let known = try Tool.run("dpkg-query", ["-W", "-f", "${Package}", package])
                #expect(known.status == 0 && known.text == package, "\(package)")
            }
        }

        @Test func whatIsThereIsReady() throws {
            let run = try succeed(["doctor"])
            let lines = run.text.split(separator: "\n").map(String.init)
            let tools = ["pdfinfo", "pdftoppm", "pdftotext", "pdffonts", "qpdf"]
            #expect(lines.contains("  PDF files: ready") == tools.allSatisfy(Places.has))
            let ffmpeg = try Tool.succeed("ffmpeg", ["-v", "error", "-encoders"]).text
            let named = try #require(lines.first { $0.hasPrefix("encoders: ") }).split(separator: " ").dropFirst()
            #expect(named.contains("libx264") && named.allSatisfy { ffmpeg.contains(" \($0) ") }, "\(named)")
        }

        /// The first line is the version alone, as scripts compare it; the second says which FFmpeg it is.
        @Test(.usesSystemLibraries) func theVersionNamesFFmpeg() throws {
            let lines = try succeed(["--version"]).text.split(separator: "\n").map(String.init)
            #expect(lines.count == 2 && lines[0].wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
            let ffmpeg = try Tool.succeed("ffmpeg", ["-version"]).text.split(separator: " ")
            #expect(lines[1].hasPrefix("with FFmpeg \(ffmpeg[2]) ("), "\(lines)")
        }
    }
}
