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
        let inputs = try files.dropFirst().flatMap(inputs)
        let report = try FilmCheck.report(
            on: files[0], inputs, wantsWhole: whole, threads: threads)
        if json { try JSONOutput.print(Headed(report)) } else { print(Self.text(report)) }
        if !report.findings.isEmpty { throw ExitCode(EX_DATAERR) }
    }

    /// What the source that is given as `file` stands for: a part of a film, or all that an editor's project shows of films.
    private func inputs(of file: String) throws -> [FilmCheck.Input] {
        guard MLTProject.isProject(file) else {
            let spec = try ClipSpec(parsing: file)
            return [FilmCheck.Input(path: spec.path, part: spec.part)]
        }
        var settings = OutputSettings(path: files[0])
        settings.render = .auto
        let composition = try MLTProject(path: file, root: try root.map { try RootFolder($0) }, settings: settings)
            .composition
        let inputs: [FilmCheck.Input] = composition.inputs.compactMap { spec in
            guard spec.kind == .file, spec.made == nil, let timing = spec.timing,
                let rate = composition.output.frameRate
            else {
                return nil
            }
            let end = timing.start + Rational(timing.frames) / rate
            return FilmCheck.Input(path: spec.path, part: ClipPart(start: max(timing.start, .zero), end: end))
        }
        guard !inputs.isEmpty else {
            throw MediaError(.badInput, "'\(file)' shows no film unchanged, so there is nothing to compare")
        }
        return inputs
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
