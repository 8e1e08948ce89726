import FlipBatch
import FlipFiles
import TestSupport
import Testing

/// Manifests are read as requests, without running a program.
@Suite struct BatchManifestTests {
    let folder = TemporaryFolder.make()
    private static let flag = CommandSchema.Option(isFlag: true, isRepeating: false, isPath: false)
    private static let value = CommandSchema.Option(isFlag: false, isRepeating: false, isPath: false)
    private static let list = CommandSchema.Option(isFlag: false, isRepeating: true, isPath: false)
    private static let commands = [
        CommandSchema(name: "join", options: ["crf": value, "chapters": flag, "transition": list]),
        CommandSchema(name: "deck", options: ["crf": value, "hold": value, "no-chapters": flag]),
    ]

    private func read(
        _ text: String, lines: Bool = false, set: [String] = []
    ) throws -> (requests: [JobRequest], errors: [String]) {
        var manifest = try BatchManifest(commands: Self.commands, overrides: set)
        let data = Data(text.utf8)
        let requests =
            lines
            ? try manifest.requests(jsonLines: data, path: "m") : try manifest.requests(yaml: data, path: "m")
        return (requests, ManifestErrors(manifest.errors)?.errors.map(\.message) ?? [])
    }

    private func arguments(_ text: String, set: [String] = []) throws -> [String] {
        let (requests, errors) = try read(text, set: set)
        #expect(errors == [] && requests.count == 1)
        return requests.first?.arguments ?? []
    }

    @Test func jobsAreCommandLines() throws {
        let text = "defaults: {crf: 9}\njobs: [{output: o, join: [a, -b], chapters: true, transition: [x, y]}]"
        #expect(
            try arguments(text) == [
                "join", "--crf=9", "--chapters", "--transition=x", "--transition=y", "--", "a", "-b",
            ])
        #expect(
            try arguments("defaults: {crf: 9}\njobs: [{output: o, deck: a, crf: 4}]") == ["deck", "--crf=4", "--", "a"])
        #expect(try arguments("defaults: {crf: 9}\njobs: [{output: o, deck: a, crf: }]") == ["deck", "--", "a"])
    }

    /// Settings on the command line override those in the manifest, like git's -c.
    @Test func theCommandLineHasTheLastWord() throws {
        let text = "defaults: {crf: 9, chapters: true}\njobs: [{output: o, join: [a, b], crf: 4}]"
        #expect(try arguments(text, set: ["crf=1"]) == ["join", "--chapters", "--crf=1", "--", "a", "b"])
        #expect(try arguments(text, set: ["crf=1", "crf=2"]) == ["join", "--chapters", "--crf=2", "--", "a", "b"])
        #expect(try arguments(text, set: ["chapters=false"]) == ["join", "--crf=4", "--", "a", "b"])
        #expect(
            try arguments("jobs: [{output: o, join: [a, b], chapters: false}]", set: ["chapters=true"])
                == ["join", "--chapters", "--", "a", "b"])
        #expect(
            try arguments("jobs: [{output: o, join: [a, b], transition: z}]", set: ["transition=x", "transition=y"])
                == ["join", "--transition=x", "--transition=y", "--", "a", "b"])
        for wrong in ["chapters=yes", "chapters=", "wobble=3", "output=x", "overwrite=true", "crf", "=3"] {
            #expect(throws: (any Error).self, "\(wrong)") { try read(text, set: [wrong]) }
        }
    }

    @Test func allErrorsAreKeptInOrder() throws {
        let (requests, errors) = try read(
            """
            defaults: {report: x, wobble: 1}
            jobs:
              - {output: a, join: [a, b], crf: [1, 2], chapters: maybe}
              - {output: b}
              - {join: [a, b], hold: 3}
              - {output: c, join: [a, b]}
              - x
            """)
        let places = errors.map { $0.split(separator: ":").prefix(3).joined(separator: ":") }
        #expect(places == ["m:1:12", "m:1:23", "m:3:36", "m:3:54", "m:4:5", "m:5:5", "m:5:20", "m:7:5"], "\(errors)")
        #expect(requests.map(\.output) == ["a", "c"], "what can be checked further is")
    }

    /// JSON lines are read as JSON: surrogate pairs, escaped slashes and numbers as JSON writers make them.
    @Test func linesAreJSON() throws {
        let (requests, errors) = try read(
            #"{"output": "\ud83d\ude00 \u00fc\/x.mp4", "join": ["a", "b"], "crf": 18.0, "chapters": true}"# + "\n\n"
                + #"{"output": "p", "deck": "s.pdf", "hold": 2.5, "crf": null}"#, lines: true)
        #expect(errors == [])
        #expect(requests.map(\.output) == ["\u{1F600} \u{FC}/x.mp4", "p"])
        #expect(requests[0].arguments == ["join", "--crf=18", "--chapters", "--", "a", "b"])
        #expect(requests[1].arguments == ["deck", "--hold=2.5", "--", "s.pdf"])
        let wrong = try read(
            #"{"output": "o", "join": ["a", "b"]"# + "\n" + #"{"output": "o", "output": "p", "deck": "s"}"# + "\n"
                + #"{output: o, deck: s}"# + "\n" + #"{"output": "q", "deck": "s", "chapters": true}"#, lines: true)
        let places = wrong.errors.map { $0.split(separator: ":").prefix(3).joined(separator: ":") }
        #expect(places == ["m:1:35", "m:2:17", "m:3:2", "m:4:30"], "\(wrong.errors)")
    }

    // MARK: Folders

    private func decks(_ names: [String], outputs: String, in folder: TemporaryFolder) throws -> [String] {
        for name in names {
            if name.hasSuffix("/") {
                try folder.makeFolder(name)
            } else {
                try Data().write(to: folder / name)
            }
        }
        let manifest = try BatchManifest(commands: Self.commands)
        return try manifest.requests(
            folder: folder.path, documents: ["pdf", "pptx", "pps", "odp"], outputs: folder / outputs, ending: "mp4"
        ).map {
            "\($0.inputs[0].word.dropFirst(folder.path.count + 1)) \($0.output.dropFirst(folder.path.count + 1))"
        }
    }

    /// An output that a running job puts in its place while the next plan is made is the directory's own; another file
    /// there is not.
    @Test(arguments: [true, false]) func whatAppearsWhilePlanningMayBeOwn(isOwn: Bool) throws {
        for name in ["a", "b"] { try name.write(to: folder / name) }
        let directory = JobDirectory(folder / "m.jobs")
        try directory.create()
        let (requests, errors) = try read(
            "jobs: [{output: \(folder / "o.mp4"), join: [\(folder / "a"), \(folder / "b")]}]")
        #expect(errors == [] && requests.count == 1)
        let planner = try BatchPlanner(
            directory: directory, root: nil, overwrites: false, threads: 1,
            references: { _ in
                let made = isOwn ? directory.outputs + "/made.mp4" : folder / "made.mp4"
                try "film".write(to: made)
                if isOwn, let file = FileIdentity(path: made) {
                    // A job's report is there before its output is put in place.
                    let record = JobRecord(bytes: 4, modified: file.modified, sha256: "", frames: 1)
                    try JSONEncoder().encode(["output": record]).write(to: directory.reports + "/made.json")
                }
                try Publishing.place(made, at: folder / "o.mp4", replacing: false)
                return []
            })
        let (jobs, refusals) = planner.jobs(for: requests, manifest: nil)
        #expect(jobs.count == 1 && refusals.count == (isOwn ? 0 : 1), "\(refusals)")
    }

    @Test func outputsAreNoDecks() throws {
        #expect(
            try decks(["a.pdf", "b/", "notes.txt", "videos/"], outputs: "videos", in: folder)
                == ["a.pdf videos/a.mp4", "b videos/b.mp4"])
        #expect(try decks(["videos/2024/"], outputs: "videos/2024", in: folder).count == 2)
    }

    @Test func documentsOfOneNameHaveVideosOfTheirOwn() throws {
        #expect(
            try decks(["a.pdf", "a.pptx", "b.pdf"], outputs: "o", in: folder)
                == ["a.pdf o/a.pdf.mp4", "a.pptx o/a.pptx.mp4", "b.pdf o/b.mp4"])
    }
}
