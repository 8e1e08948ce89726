import TestSupport
import Testing

/// A folder with inputs of any number and length, in small pictures at 10 frames a second: for tests of how the program's
/// costs grow.
struct GrowthFolder {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The path of a name that is not taken.
    func fresh(_ name: String) -> String { folder / "\(UUID().uuidString)-\(name)" }

    private func write(_ text: String, _ name: String) throws -> String {
        try CommandTests.DeckTests.write(text, folder / name)
        return folder / name
    }

    /// A film with sound.
    func film(
        _ seconds: Int, _ ending: String = "mp4", video: [String] = ["libx264", "-preset", "ultrafast", "-g", "20"],
        audio: String = "aac"
    ) throws -> String {
        try CommandTests.clips().make(
            "growth-\(seconds).\(ending)", "-f lavfi -i testsrc2=s=64x36:r=10:d=\(seconds)",
            "-f lavfi -i sine=f=440:r=48000:d=\(seconds) -pix_fmt yuv420p -c:a \(audio) -ac 2 -c:v \(video)")
    }

    /// A tone in a file of the kind that `ending` says.
    func tone(_ seconds: Int, _ ending: String) throws -> String {
        try CommandTests.clips().make(
            "growth-tone-\(seconds).\(ending)", ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=\(seconds)", "-ac", "2"])
    }

    /// Where part `index` of a film of 20 s starts. Parts last for 2 s, or 20 frames.
    private func start(_ index: Int) -> Int { index % 18 }

    func parts(_ count: Int) throws -> [String] {
        let film = try film(20)
        return (0..<count).map { "\(film)#t=\(start($0)),\(start($0) + 2)" }
    }

    /// Films of 2 s, each a file of its own.
    func films(_ count: Int) throws -> [String] {
        let film = try film(2)
        return try (0..<count).map { index in
            let path = folder / "film-\(index).mp4"
            if !FileManager.default.fileExists(atPath: path) {
                try FileManager.default.linkItem(atPath: film, toPath: path)
            }
            return path
        }
    }

    /// Pictures, of which no two neighbors are alike.
    func stills(_ count: Int) throws -> [String] {
        if !FileManager.default.fileExists(atPath: folder / "001.png") {
            try CommandTests.DeckTests.pictures(20, folder)
        }
        return (0..<count).map { folder / String(format: "%03d.png", $0 % 20 + 1) }
    }

    func document(pages: Int) throws -> String {
        let path = folder / "\(pages).pdf"
        try DeckFiles.pdf(pages: Array(repeating: "", count: pages), width: 64, height: 36).write(to: path)
        return path
    }

    /// A project of clips, each a line in YAML, with transitions of 3 frames; `more` are further lines.
    func project(_ clips: [String], _ more: [String] = []) throws -> String {
        let lines = clips.map { "  - {\($0)}" } + more
        return try write("transition: flip=duration=3f\nclips:\n" + lines.joined(separator: "\n") + "\n", "p.yaml")
    }

    func project(parts count: Int) throws -> String {
        let film = try film(20)
        return try project((0..<count).map { "file: \(film), start: \(start($0)), end: \(start($0) + 2)" })
    }

    /// A project with sounds that follow each other in a film that is long enough.
    func project(sounds count: Int) throws -> String {
        let (film, tone) = try (film(600), tone(2, "wav"))
        return try project(
            ["file: \(film)"], ["sounds:"] + (0..<count).map { "  - {file: \(tone), at: \($0 * 3 % 590)}" })
    }

    /// A timeline in OpenTimelineIO, as the program writes it.
    func timeline(parts count: Int) throws -> String {
        let path = folder / "\(count).otio"
        if !FileManager.default.fileExists(atPath: path) {
            try CommandTests.succeed("export \(list(parts(count))) --duration 3f \(path)")
        }
        return path
    }

    /// A list of inputs. The parser of arguments takes quadratic time for thousands of words.
    func list(_ inputs: [String]) throws -> String {
        try "@" + write(inputs.joined(separator: "\n") + "\n", "list.txt")
    }

    /// The film of 20 s as an input, with a table of parts.
    func cuts(_ count: Int) throws -> String {
        let rows = (0..<count).map { "\(start($0)),\(start($0) + 2)\n" }
        return try "\(film(20))#cuts=\(write(rows.joined(), "cuts.csv"))"
    }

    /// A manifest of joins.
    func manifest(jobs count: Int) throws -> String {
        let film = try film(2)
        let jobs = (0..<count).map { "  - {output: \(count)-\($0).mp4, join: [\(film), \(film)], crf: \($0 % 40)}\n" }
        return try write("defaults: {duration: 3f, preset: ultrafast}\njobs:\n" + jobs.joined(), "\(count).yaml")
    }

    /// Captions of a twentieth of a second, ten in a second.
    func captions(_ count: Int) throws -> String {
        let time = { (number: Int, milliseconds: Int) in
            String(
                format: "%02d:%02d:%02d,%03d", number / 36000, number / 600 % 60, number / 10 % 60,
                number % 10 * 100 + milliseconds)
        }
        let entries = (0..<count).map { "\($0 + 1)\n\(time($0, 0)) --> \(time($0, 50))\nText\n\n" }
        return try write(entries.joined(), "captions.srt")
    }
}
