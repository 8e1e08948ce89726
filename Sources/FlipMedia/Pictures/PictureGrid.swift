import FlipBase

/// Pictures of one size in rows and columns, surrounded by the background, as one frame.
package struct PictureGrid: Sendable {
    /// Pixels between and around the cells; up to 3 more follow a cell whose size is not a multiple of `step`.
    package static let gap = 8
    /// Cells start on multiples of this, in pixels, so that a chroma sample of any format belongs to one cell only.
    private static let step = 4

    package let columns: Int
    package let rows: Int
    /// The format of the cells and of the whole frame.
    package let cell: VideoConform

    /// Creates a grid for `columns` x `rows` pictures conformed to `cell`. Throws `usage` if the frame would have more
    /// pixels a side than `Limits.sides` allows.
    package init(columns: Int, rows: Int, cell: VideoConform) throws(MediaError) {
        precondition(columns > 0 && rows > 0)
        (self.columns, self.rows, self.cell) = (columns, rows, cell)
        guard Limits.sides.contains(width), Limits.sides.contains(height) else {
            throw MediaError(
                .usage,
                "a sheet of \(columns) by \(rows) cells would be \(width)x\(height) (at most \(Limits.sides.upperBound) pixels a "
                    + "side are allowed: give fewer columns or smaller cells with --size)")
        }
    }

    /// The distance from one cell to the next, in pixels.
    private var pitch: (x: Int, y: Int) { (Self.pitch(cell.width), Self.pitch(cell.height)) }

    private static func pitch(_ size: Int) -> Int { (size + gap + step - 1) / step * step }

    /// The width of the whole frame, in pixels.
    package var width: Int { Self.gap + columns * pitch.x }
    /// The height of the whole frame, in pixels.
    package var height: Int { Self.gap + rows * pitch.y }

    /// Fills `frame`, which is of this size, with `pictures` row by row. There are as many as cells, each of the cell's
    /// size and format.
    package func place(_ pictures: [PictureMemory], in frame: PictureMemory) {
        precondition(pictures.count == columns * rows)
        let background = Background(cell)
        background.fill(frame)
        for (index, picture) in pictures.enumerated() {
            let corner = (x: Self.gap + index % columns * pitch.x, y: Self.gap + index / columns * pitch.y)
            background.place(picture, at: corner, in: frame)
        }
    }
}
