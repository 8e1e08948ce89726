import FlipBase
import FlipFiles
import FlipRender

/// The files that a run writes beside its output: the chapters and the report. Both are checked before anything is rendered,
/// and written when the output is there.
struct SideFiles {
    private let chapters: (file: SideOutput, path: String)?
    private let report: SideOutput?

    /// - Throws: `usage` if two of the files, or one of them and the output, are the same.
    init(of composition: Composition, chapters: String? = nil, report: String? = nil) throws(MediaError) {
        var outputs = [composition.output.path]
        let check = { (path: String, name: String) throws(MediaError) -> SideOutput in
            let file = try SideOutput(
                path, name: name, overwrites: composition.output.overwrites, inputs: composition.files,
                outputs: outputs)
            outputs.append(path)
            return file
        }
        self.chapters = try chapters.map { path throws(MediaError) in (try check(path, "list of chapters"), path) }
        self.report = try report.map { path throws(MediaError) in try check(path, "report") }
    }

    /// What is wrong with the chapters that the plan gives, one sentence each. Nothing is known yet of a live plan.
    /// - Throws: `usage` if there are none.
    func warnings(_ plan: RenderPlan) throws(MediaError) -> [String] {
        guard let chapters, plan.unfinished == nil else { return [] }
        guard !plan.chapters.isEmpty else {
            throw MediaError(
                .usage,
                "there are no chapters for \(chapters.path) (give --chapters, and an output that holds chapters, such as "
                    + ".mp4)")
        }
        let warnings = ChapterFile(plan.chapters, length: plan.seconds, path: chapters.path).warnings
        try Strictness.check(warnings, isStrict: plan.isStrict)
        return warnings
    }

    /// - Parameter plan: the plan that was carried out.
    func write(_ plan: RenderPlan, _ report: RenderReport) throws {
        if let chapters {
            let text = ChapterFile(plan.chapters, length: plan.seconds, path: chapters.path).text
            try chapters.file.write(Array(text.utf8))
        }
        try writeReport(report)
    }

    func writeReport(_ report: some Encodable) throws { try self.report?.write(try JSONOutput.encode(Headed(report))) }
}
