import FlipGeometry
import FlipMedia

/// Contact sheets: transitions over time in one picture.
package enum SheetRenderer {
    /// Frames of a row that can be asked for.
    package static let columns = 2...20
    /// Width of a cell where no size is asked for, in pixels; the height follows the first clip's shape.
    package static let cellWidth = 320

    /// Writes one row for each of `looks`, of `columns` frames at t = (i + 1) / (columns + 1), between the first clip's
    /// last frame and the second's first. The plan's frames are the cells. Throws `MediaError`.
    package static func write(_ plan: RenderPlan, looks: [StyledLook], columns: Int) throws {
        let grid = try PictureGrid(columns: columns, rows: looks.count, cell: plan.frames)
        var video = plan.video
        (video.width, video.height) = (grid.width, grid.height)
        try Encoders.check(video, in: plan.container)
        let ends = try TransitionEnds(plan)
        var cells: [VideoFrame] = []
        for look in looks {
            for column in 0..<columns {
                let progress = look.look.easing(Double(column + 1) / Double(columns + 1))
                cells.append(try ends.draw(look, progress: progress))
            }
        }
        try plan.write(try grid.compose(cells), as: video)
    }
}
