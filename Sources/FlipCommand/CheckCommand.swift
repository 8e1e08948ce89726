import ArgumentParser
import FlipBase
import FlipFiles
import FlipMedia
import FlipProject
import FlipRender
import FlipSplice
import Foundation

/// Judges a joined film against its sources.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Compare a joined film, made by any program, with its sources.",
        usage: "fliptransition check <film> <source>... [options]")

    @Argument(
        help: .option("The film to judge, then the files that it was made of, in order.", "file"), completion: .file())
    var files: [String]
    @Flag(help: .option("Sources must be there from the first to the last frame."))
    var whole = false
    @Flag(help: .option("Print JSON."))
    var json = false
    @Option(
        help: .detail("Refuse files outside this folder in projects.", "dir"), completion: .directory)
    var root: String?
    @Option(
        parsing: .unconditional,
        help: .detail("Threads to use.", values: "\(Limits.threads)", default: "one per processor", "n"))
    var threads: String?
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup var messages: MessageOptions

    func run() throws {
        try messages.apply()
        try limits.apply()
        let threads = try threads.map(OutputValue.threads) ?? OutputValue.defaultThreads
        guard files.count > 1 else {
            throw MediaError(.usage, "give the film and the files that it was made of: fliptransition check OUT IN...")
        }
        let sources = try files.dropFirst().map(inputs)
        let report = try FilmCheck.report(
            on: files[0], sources.flatMap(\.films), made: sources.flatMap(\.made), wantsWhole: whole, threads: threads)
        if json { try JSONOutput.print(Headed(report)) } else { print(Self.text(report)) }
        if !report.findings.isEmpty { throw ExitCode(EX_DATAERR) }
    }

    /// What a source stands for: a part of a film, or all that the project of an editor shows of films, and the frames that it makes.
    private func inputs(of file: String) throws -> (films: [FilmCheck.Input], made: [Range<Int>]) {
        guard MLTProject.isProject(file) else {
            let spec = try ClipSpec(parsing: file)
            return ([FilmCheck.Input(path: spec.path, part: spec.part)], [])
        }
        guard files.count == 2 else {
            throw MediaError(.usage, "'\(file)' describes a whole film, so it is the only source that can be given")
        }
        var settings = OutputSettings(path: files[0])
        settings.render = .auto
        var composition = try MLTProject(path: file, root: try root.map { try RootFolder($0) }, settings: settings)
            .composition
        composition.output.overwrites = true
        composition.output.render = .full
        let plan = try Planner.plan(composition)
        var (films, made): ([FilmCheck.Input], [Range<Int>]) = ([], [])
        for (clip, place) in zip(plan.clips, plan.timeline.clips) {
            if let info = clip.info, info.made == nil {
                films.append(FilmCheck.Input(path: info.path, part: clip.shownPart))
            } else {
                made.append(place.start..<place.end)
            }
        }
        guard !films.isEmpty else {
            throw MediaError(.badInput, "'\(file)' shows no film unchanged, so there is nothing to compare")
        }
        return (films, made)
    }

    private static func text(_ report: CheckReport) -> String {
        var lines = report.findings.map { "\($0.kind.rawValue): \($0.message)" }
        lines += report.notes.map { "note: \($0)" }
        let encoded = report.parts.filter { $0.kind == .encoded }
        let least = encoded.compactMap(\.minPSNR).min()
        lines.append(
            "\(report.path): \(report.frames) frames, \(report.copied) copied, \(report.encoded) encoded"
                + (encoded.isEmpty ? "" : " in \(encoded.count) place\(encoded.count == 1 ? "" : "s")")
                + (least.map { " (at least \(Int($0)) dB from the source)" } ?? "") + ", "
                + (report.findings.isEmpty
                    ? "nothing wrong" : "\(report.findings.count) finding\(report.findings.count == 1 ? "" : "s")"))
        return lines.joined(separator: "\n")
    }
}

extension RenderPlan.Clip {
    /// The part of the film that is shown.
    fileprivate var shownPart: ClipPart {
        let span = use.span
        return ClipPart(start: max(span.start, .zero), end: span.end)
    }
}
