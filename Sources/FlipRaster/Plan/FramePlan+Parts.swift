import FlipGeometry

/// The parts of the pictures that are read, and of the frame that are written.
extension FramePlan {
    /// The samples of `picture`, in the planes of layout `index`, that jobs compose: all rows of some columns (motion
    /// along x), or all columns of some rows. nil if there are none.
    func composedPart(of picture: Picture, layout index: Int) -> Job.Bounds? {
        let layout = layouts[index]
        if bent != nil { return whole(layout) }
        guard let part = footprints(of: picture, layout) else { return nil }
        let all = 0..<layout.across.count
        return orientation == .horizontal
            ? Job.Bounds(columns: part, rows: all) : Job.Bounds(columns: all, rows: part)
    }

    /// All samples of a layout's planes.
    private func whole(_ layout: PlaneLayout) -> Job.Bounds {
        let (along, across) = (0..<layout.along.count, 0..<layout.across.count)
        return orientation == .horizontal
            ? Job.Bounds(columns: along, rows: across) : Job.Bounds(columns: across, rows: along)
    }

    private func footprints(of picture: Picture, _ layout: PlaneLayout) -> Range<Int>? {
        var part: Range<Int>?
        func add(_ span: Int, _ footprints: Range<Int>) {
            for layer in spans.spans[span].layers {
                let projection = spans.projection(ofLayer: layer)
                if projection.picture != picture { continue }
                var seen = footprints
                if !projection.isFlat {
                    // The cut may end within a sample, and averages reach to the next sample.
                    let first = Int(layout.along.samples(projection.cut.lowerBound).rounded(.down)) - 1
                    let end = Int(layout.along.samples(projection.cut.upperBound).rounded(.up)) + 1
                    // A bent sheet may be longer than the picture on its back.
                    let low = min(max(first, 0), layout.along.count - 1)
                    seen = low..<max(min(end, layout.along.count), low + 1)
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

    /// The part of `picture` that must be opaque so that all planes of the frame can be composed without alpha, in luma
    /// pixels; nil if nothing is composed. Chroma samples see alpha in all of their footprint.
    func alphaPart(of picture: Picture) -> Job.Bounds? {
        if bent != nil { return whole(layouts[0]) }
        var part: Range<Int>?
        for layout in layouts {
            guard let seen = footprints(of: picture, layout) else { continue }
            let first = Int(layout.along.footprint(seen.lowerBound).lower.rounded(.down))
            let end = Int(layout.along.footprint(seen.upperBound - 1).upper.rounded(.up))
            part = part.map { min($0.lowerBound, first)..<max($0.upperBound, end) } ?? first..<end
        }
        let all = 0..<layouts[0].across.count
        return part.map {
            orientation == .horizontal ? Job.Bounds(columns: $0, rows: all) : Job.Bounds(columns: all, rows: $0)
        }
    }

    /// The luma pixels that a part of the planes of layout `index` sees.
    func lumaPart(_ bounds: Job.Bounds, layout index: Int) -> Job.Bounds {
        let layout = layouts[index]
        let (columns, rows) =
            orientation == .horizontal ? (layout.along, layout.across) : (layout.across, layout.along)
        let pixels = { (grid: Grid, part: Range<Int>) in
            Int(grid.footprint(part.lowerBound).lower)..<Int(grid.footprint(part.upperBound - 1).upper.rounded(.up))
        }
        return Job.Bounds(columns: pixels(columns, bounds.columns), rows: pixels(rows, bounds.rows))
    }

    /// The footprints of a layout that are drawn.
    func drawnFootprints(_ layout: PlaneLayout) -> Range<Int> {
        drawn.map { layout.along.footprints(beside: $0).within } ?? 0..<layout.along.count
    }

    /// The samples of layout `index` that are drawn.
    func drawnPart(layout index: Int) -> Job.Bounds {
        let layout = layouts[index]
        let (along, across) = (drawnFootprints(layout), 0..<layout.across.count)
        return orientation == .horizontal
            ? Job.Bounds(columns: along, rows: across) : Job.Bounds(columns: across, rows: along)
    }

    /// Whether the background can be seen anywhere.
    var showsBackground: Bool { bent.map { $0.scene.zoom != 1 } ?? spans.spans.contains(where: \.showsBackground) }
    /// The sources that are mixed in place; nil if there are none.
    var fade: Fade? { scene.fade }

    /// The samples that a job writes; nil if it has no slices.
    func bounds(of job: Job) -> Job.Bounds? {
        let layout = layouts[job.layout]
        let (along, across) = (layout.along.count, layout.across.count)
        switch job.kind {
        case .flat(_, let bounds), .ramp(_, let bounds), .copy(_, let bounds): return bounds
        case .columns(let slices, _), .mixedColumns(let slices):
            guard let first = slices.first, let last = slices.last else { return nil }
            let all = layout.slices.slices
            return Job.Bounds(columns: all[first].footprint..<(all[last].footprint + 1), rows: 0..<across)
        case .rows(_, let footprints): return Job.Bounds(columns: 0..<across, rows: footprints)
        case .crossFade(let rows, _), .bent(let rows):
            return Job.Bounds(columns: 0..<(orientation == .horizontal ? along : across), rows: rows)
        }
    }
}
