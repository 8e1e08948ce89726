import ArgumentParser
import FlipDeck
import FlipFiles
import FlipGeometry
import FlipMedia

/// Shows what the program runs with: FFmpeg and its encoders, the programs that it calls, each with what it is for, and whether
/// there is a font.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Show which encoders and helper programs are there, and what brings the others.",
        shouldDisplay: false)

    /// What `--version` prints: the version alone in the first line.
    static var version: String {
        "\(ProductVersion.text)\nwith FFmpeg \(LibraryVersions.all["ffmpeg"] ?? "") (\(LibraryVersions.license)); "
            + "'fliptransition doctor' shows its encoders and what else is installed"
    }

    /// A use of helper programs, of which it needs all.
    private struct Use {
        var name: String
        var helpers: [HelperProgram]

        static let all = [
            Use(name: "PDF files", helpers: [.pdfinfo, .pdftoppm, .pdftotext, .pdffonts, .qpdf]),
            Use(name: "PowerPoint and OpenDocument files", helpers: [.soffice, .bsdtar]),
            Use(name: "slides as web pages", helpers: [.chromium, .bubblewrap]),
            Use(name: "projects of Kdenlive, Shotcut and Flowblade", helpers: [.melt]),
            Use(name: "documents in a sandbox", helpers: [.bubblewrap]),
            Use(name: "names of fonts that are missing", helpers: InstalledFonts.helpers),
            Use(name: "HEIC pictures", helpers: [.heifInfo, .heifConvert]),
            Use(name: "clusters", helpers: [.sbatch]),
        ]
    }

    /// The encoders that are shown: those of the containers and presets, and the usual ones besides.
    private static let encoders =
        Set(Container.all.flatMap { [$0.defaultVideoCodec, $0.defaultAudioCodec].compactMap(\.self) })
        .union([
            "libx265", "libsvtav1", "libvpx", "prores_ks", "ffv1", "dnxhd", "libmp3lame", "eac3",
        ])
        .subtracting(["wrapped_avframe"]).sorted()

    func run() throws {
        let libraries = LibraryVersions.all.filter { $0.key != "ffmpeg" }.sorted { $0.key < $1.key }
        print("fliptransition \(ProductVersion.text), for \(LibraryVersions.processor)")
        print("FFmpeg \(LibraryVersions.all["ffmpeg"] ?? ""), \(LibraryVersions.license)")
        print("  " + libraries.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
        let isThere = { (name: String) in Encoders.codec(of: name) != nil }
        print("encoders: " + Self.encoders.filter(isThere).joined(separator: " "))
        let lacking = Self.encoders.filter { !isThere($0) }
        if !lacking.isEmpty { print("not in this FFmpeg: " + lacking.joined(separator: " ")) }
        print("helper programs:")
        var packages: Set<String> = []
        for use in Use.all {
            let missing = use.helpers.filter { !$0.isInstalled }
            packages.formUnion(missing.map(\.package))
            print(
                "  \(use.name): "
                    + (missing.isEmpty ? "ready" : missing.map { "\($0.name) is missing" }.joined(separator: ", ")))
        }
        if !CaptionFilter.hasFont { packages.insert(CaptionFilter.fontPackage) }
        print("  texts and captions: " + (CaptionFilter.hasFont ? "ready" : "there is no font"))
        if packages.isEmpty { return }
        print("Debian and Ubuntu have what is missing:\n  sudo apt install " + packages.sorted().joined(separator: " "))
    }
}
