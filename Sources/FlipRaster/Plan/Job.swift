import FlipGeometry

/// A part of a frame that one thread draws in one piece. Jobs write to different samples, so a frame does not depend on
/// their order or on the number of threads.
package struct Job {
    /// A rectangle of samples.
    package struct Bounds {
        let columns: Range<Int>
        let rows: Range<Int>
    }

    package enum Kind {
        /// A part of a flat sheet; `layer` is an index into the span plan's layers.
        case flat(layer: Int, Bounds)
        /// Motion along x: slices of one span, one per footprint.
        case columns(slices: Range<Int>, span: Int)
        /// Motion along x: complete footprints of several slices each.
        case mixedColumns(slices: Range<Int>)
        /// Motion along y: complete footprints of any number of slices each.
        case rows(slices: Range<Int>, footprints: Range<Int>)
        /// Rows of a frame with a bent sheet.
        case bent(rows: Range<Int>)
        /// Rows in which both pictures are mixed; `part` is the weight of the incoming one, 0...1.
        case crossFade(rows: Range<Int>, part: Double)
        /// A part of a frame in which the weight of the incoming picture depends on the position along the motion.
        case ramp(Fade.Ramp, Bounds)
        /// A part of a fade in which only one picture is seen.
        case copy(Picture, Bounds)
    }

    /// The index of the layout whose planes are drawn, in the frame plan's layouts.
    let layout: Int
    package let kind: Kind

    /// The maximum number of rows in any job with rows but a `bent` one.
    private static let rowsPerJob = 32
    /// The maximum number of rows in a `bent` job. Their costs differ, so there are more of them.
    private static let rowsPerBentJob = 16

    /// Adds all jobs of a frame. Those that compose sheets take long, so they come before those that copy flat sheets;
    /// that way the threads finish at about the same time.
    static func append(for plan: FramePlan, to jobs: inout [Job]) {
        for (index, layout) in plan.layouts.enumerated() {
            for run in layout.slices.runs {
                if plan.orientation == .horizontal {
                    appendColumns(run, index, layout, to: &jobs)
                } else {
                    appendRows(run, index, layout, to: &jobs)
                }
            }
        }
        appendFlat(for: plan, to: &jobs)
    }

    /// Adds the jobs of a frame that draw flat sheets.
    static func appendFlat(for plan: FramePlan, to jobs: inout [Job]) {
        for (index, layout) in plan.layouts.enumerated() {
            for run in layout.slices.runs {
                guard case .flat(let layer) = run.kind else { continue }
                forEachPart(run.footprints, layout, plan.orientation) { bounds in
                    jobs.append(Job(layout: index, kind: .flat(layer: layer, bounds)))
                }
            }
        }
    }

    /// Adds the jobs of a fade.
    static func append(_ fade: Fade, for plan: FramePlan, to jobs: inout [Job]) {
        if let ramp = fade.ramp { return append(ramp, for: plan, to: &jobs) }
        for (index, layout) in plan.layouts.enumerated() {
            let rows = plan.orientation == .horizontal ? layout.across.count : layout.along.count
            forEachPiece(0..<rows, of: rowsPerJob) { rows in
                jobs.append(Job(layout: index, kind: .crossFade(rows: rows, part: fade.part)))
            }
        }
    }

    /// Adds the jobs of a fade with a ramp, and then those that copy what lies beside it.
    private static func append(_ ramp: Fade.Ramp, for plan: FramePlan, to jobs: inout [Job]) {
        for (index, layout) in plan.layouts.enumerated() {
            let footprints = layout.along.footprints(beside: ramp.extent).within
            forEachPart(footprints.clamped(to: plan.drawnFootprints(layout)), layout, plan.orientation) { bounds in
                jobs.append(Job(layout: index, kind: .ramp(ramp, bounds)))
            }
        }
        for (index, layout) in plan.layouts.enumerated() {
            let footprints = layout.along.footprints(beside: ramp.extent)
            let drawn = plan.drawnFootprints(layout)
            forEachPart(footprints.before.clamped(to: drawn), layout, plan.orientation) { bounds in
                jobs.append(Job(layout: index, kind: .copy(ramp.isRising ? .outgoing : .incoming, bounds)))
            }
            forEachPart(footprints.after.clamped(to: drawn), layout, plan.orientation) { bounds in
                jobs.append(Job(layout: index, kind: .copy(ramp.isRising ? .incoming : .outgoing, bounds)))
            }
        }
    }

    /// Adds the jobs of a frame with a bent sheet.
    static func append(bent layouts: [BentLayout], to jobs: inout [Job]) {
        for (index, layout) in layouts.enumerated() {
            forEachPiece(0..<layout.rows.count, of: rowsPerBentJob) { rows in
                jobs.append(Job(layout: index, kind: .bent(rows: rows)))
            }
        }
    }

    private static func appendColumns(
        _ run: SlicePlan.Run, _ index: Int, _ layout: FramePlan.PlaneLayout, to jobs: inout [Job]
    ) {
        let columns = MappedColumns.width
        switch run.kind {
        case .flat: break
        case .whole(let span):
            forEachPiece(run.slices, of: columns) { slices in
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
        _ run: SlicePlan.Run, _ index: Int, _ layout: FramePlan.PlaneLayout, to jobs: inout [Job]
    ) {
        if case .flat = run.kind { return }
        var next = run.slices.lowerBound
        forEachPiece(run.footprints, of: rowsPerJob) { footprints in
            let start = next
            while next < run.slices.upperBound && footprints.contains(layout.slices.slices[next].footprint) {
                next += 1
            }
            jobs.append(Job(layout: index, kind: .rows(slices: start..<next, footprints: footprints)))
        }
    }

    /// Calls `body` with parts of the samples that lie in `footprints` along the motion.
    private static func forEachPart(
        _ footprints: Range<Int>, _ layout: FramePlan.PlaneLayout, _ orientation: Orientation, _ body: (Bounds) -> Void
    ) {
        if footprints.isEmpty { return }
        let isHorizontal = orientation == .horizontal
        forEachPiece(isHorizontal ? 0..<layout.across.count : footprints, of: rowsPerJob) { rows in
            body(Bounds(columns: isHorizontal ? footprints : 0..<layout.across.count, rows: rows))
        }
    }

    private static func forEachPiece(_ range: Range<Int>, of size: Int, _ body: (Range<Int>) -> Void) {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(start + size, range.upperBound)
            body(start..<end)
            start = end
        }
    }
}
