import FlipGeometry

/// A part of a frame that one thread draws at one go. Jobs write to different samples, so a frame does not depend on
/// their order or on the number of threads.
struct Job {
    /// A rectangle of samples.
    struct Bounds {
        let columns: Range<Int>
        let rows: Range<Int>
    }

    enum Kind {
        /// Part of a flat panel; `layer` is an index into the span plan's projections.
        case flat(layer: Int, Bounds)
        /// Motion along x: slices of one span, one to a footprint.
        case columns(slices: Range<Int>, span: Int)
        /// Motion along x: whole footprints of several slices each.
        case mixedColumns(slices: Range<Int>)
        /// Motion along y: whole footprints of any number of slices.
        case rows(slices: Range<Int>, footprints: Range<Int>)
    }

    /// Index into the frame plan's layouts.
    let layout: Int
    let kind: Kind

    /// Rows of a flat panel or of composed pixels in a job.
    private static let rowsPerJob = 32
    private var isFlat: Bool {
        if case .flat = kind { true } else { false }
    }

    /// All jobs of a frame, the long ones first, so that threads come to their end together.
    static func jobs(for plan: FramePlan) -> [Job] {
        var jobs: [Job] = []
        for (index, layout) in plan.layouts.enumerated() {
            for run in layout.slices.runs {
                if plan.orientation == .horizontal {
                    appendColumns(run, index, layout, plan, to: &jobs)
                } else {
                    appendRows(run, index, layout, plan, to: &jobs)
                }
            }
        }
        return jobs.filter { !$0.isFlat } + jobs.filter(\.isFlat)
    }

    /// The flat panel that a run shows and nothing else, if there is one that can be drawn by rows.
    private static func flatLayer(_ run: SlicePlan.Run, _ plan: FramePlan) -> Int? {
        guard case .whole(let span) = run.kind, let layer = plan.spans.spans[span].layers.first else { return nil }
        let panel = plan.spans.projections[layer].panel
        let isPlain = panel.isFlat && (plan.orientation == .vertical || panel.shade.uniformValue != nil)
        return isPlain ? layer : nil
    }

    private static func appendColumns(
        _ run: SlicePlan.Run, _ index: Int, _ layout: FramePlan.PlaneLayout, _ plan: FramePlan, to jobs: inout [Job]
    ) {
        if let layer = flatLayer(run, plan) {
            for rows in pieces(0..<layout.across.count, of: rowsPerJob) {
                jobs.append(Job(layout: index, kind: .flat(layer: layer, Bounds(columns: run.footprints, rows: rows))))
            }
            return
        }
        let columns = MappedColumns.width
        switch run.kind {
        case .whole(let span):
            for slices in pieces(run.slices, of: columns) {
                jobs.append(Job(layout: index, kind: .columns(slices: slices, span: span)))
            }
        case .mixed:
            var start = run.slices.lowerBound
            for slice in run.slices {
                let isEnd = slice + 1 == run.slices.upperBound
                let startsFootprint =
                    isEnd || layout.slices.slices[slice + 1].footprint != layout.slices.slices[slice].footprint
                if startsFootprint && (isEnd || slice + 1 - start >= columns) {
                    jobs.append(Job(layout: index, kind: .mixedColumns(slices: start..<(slice + 1))))
                    start = slice + 1
                }
            }
        }
    }

    private static func appendRows(
        _ run: SlicePlan.Run, _ index: Int, _ layout: FramePlan.PlaneLayout, _ plan: FramePlan, to jobs: inout [Job]
    ) {
        if let layer = flatLayer(run, plan) {
            for rows in pieces(run.footprints, of: rowsPerJob) {
                let bounds = Bounds(columns: 0..<layout.across.count, rows: rows)
                jobs.append(Job(layout: index, kind: .flat(layer: layer, bounds)))
            }
            return
        }
        var next = run.slices.lowerBound
        for footprints in pieces(run.footprints, of: rowsPerJob) {
            let start = next
            while next < run.slices.upperBound && footprints.contains(layout.slices.slices[next].footprint) {
                next += 1
            }
            jobs.append(Job(layout: index, kind: .rows(slices: start..<next, footprints: footprints)))
        }
    }

    private static func pieces(_ range: Range<Int>, of size: Int) -> [Range<Int>] {
        stride(from: range.lowerBound, to: range.upperBound, by: size).map { $0..<min($0 + size, range.upperBound) }
    }
}
