import FlipGeometry

/// The parts of the pictures that are read, and of the frame that are written, if all planes have the same size.
extension FramePlan {
    /// The columns (motion along x) or rows (motion along y) of `picture` that jobs other than flat ones read; nil if
    /// there are none.
    func drawnPart(of picture: Picture) -> Range<Int>? {
        let layout = layouts[0]
        var part: Range<Int>?
        func add(_ span: Int, _ footprints: Range<Int>) {
            for layer in spans.spans[span].layers {
                let panel = spans.projection(ofLayer: layer).panel
                if panel.picture != picture { continue }
                var seen = footprints
                if !panel.isFlat {
                    // The cut may end within a sample, and averages reach to the next sample.
                    let first = Int(panel.cut.lowerBound.rounded(.down)) - 1
                    let end = Int(panel.cut.upperBound.rounded(.up)) + 1
                    seen = max(first, 0)..<min(end, layout.along.count)
                }
                part =
                    part.map {
                        min($0.lowerBound, seen.lowerBound)..<max($0.upperBound, seen.upperBound)
                    } ?? seen
            }
        }
        for run in layout.slices.runs {
            switch run.kind {
            case .flat: break
            case .whole(let span): add(span, run.footprints)
            case .mixed:
                for slice in layout.slices.slices[run.slices] {
                    add(slice.span, slice.footprint..<(slice.footprint + 1))
                }
            }
        }
        return part
    }

    /// The samples that a job writes; nil if it has no slices.
    func bounds(of job: Job) -> Job.Bounds? {
        let layout = layouts[job.layout]
        let (along, across) = (layout.along.count, layout.across.count)
        switch job.kind {
        case .flat(_, let bounds): return bounds
        case .columns(let slices, _), .mixedColumns(let slices):
            guard let first = slices.first, let last = slices.last else { return nil }
            let all = layout.slices.slices
            return Job.Bounds(columns: all[first].footprint..<(all[last].footprint + 1), rows: 0..<across)
        case .rows(_, let footprints): return Job.Bounds(columns: 0..<across, rows: footprints)
        case .crossFade(let rows, _):
            return Job.Bounds(columns: 0..<(orientation == .horizontal ? along : across), rows: rows)
        }
    }
}
