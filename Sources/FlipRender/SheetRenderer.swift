import FlipBase
import FlipGeometry
import FlipMedia

/// Renders contact sheets, which show transitions over time in one picture.
package enum SheetRenderer {
    /// The range of the number of frames in a row.
    package static let columns = 2...20
    /// The default width of a cell in pixels; the height follows from the first clip's aspect ratio.
    package static let cellWidth = 320

    /// Writes a sheet with one row for each of `specs`, none of which is a cut: `columns` frames at t = (i + 1) / (columns + 1), between the
    /// first clip's last frame and the second's first. A cell has the size of the plan's frames. Throws `MediaError`.
    package static func write(_ plan: RenderPlan, specs: [TransitionSpec], columns: Int) throws {
        let grid = try PictureGrid(columns: columns, rows: specs.count, cell: plan.frames)
        var video = plan.video
        (video.width, video.height) = (grid.width, grid.height)
        try Encoders.check(video, in: plan.container)
        let ends = try TransitionEnds(plan)
        var cells: [VideoFrame] = []
        for spec in specs {
            guard let look = spec.look else { throw MediaError(.usage, "a cut has no frames of its own") }
            for column in 0..<columns {
                cells.append(try ends.draw(look, spec, at: TransitionTime.ofFrame(column, in: columns)))
            }
        }
        try plan.write(try grid.compose(cells), as: video)
    }
}
