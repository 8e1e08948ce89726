#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Pictures of one size in rows and columns, with the background around each, as one frame.
package struct PictureGrid: Sendable {
    /// Pixels between the cells and around them; a little more where a cell is no whole number of steps.
    package static let gap = 8
    /// Cells start on multiples of this, so that chroma samples of any format belong to one cell.
    private static let step = 4

    package let columns: Int
    package let rows: Int
    private let cell: VideoConform

    /// Room for `columns` x `rows` pictures conformed to `cell`. Throws `usage` where they make a frame of more than
    /// 16384 pixels a side.
    package init(columns: Int, rows: Int, cell: VideoConform) throws(MediaError) {
        precondition(columns > 0 && rows > 0)
        self.columns = columns
        self.rows = rows
        self.cell = cell
        guard width <= 16384 && height <= 16384 else {
            throw MediaError(
                .usage,
                "a sheet of \(columns) by \(rows) cells would be \(width)x\(height) (expected at most 16384 a side: give "
                    + "fewer columns or smaller cells with --size)")
        }
    }

    /// Pixels from one cell to the next.
    private var pitch: (x: Int, y: Int) { (Self.pitch(cell.width), Self.pitch(cell.height)) }

    private static func pitch(_ size: Int) -> Int { (size + gap + step - 1) / step * step }

    /// Pixels of the whole frame.
    package var width: Int { Self.gap + columns * pitch.x }
    package var height: Int { Self.gap + rows * pitch.y }

    /// The frame, with `pictures` row by row; as many as there are cells, each of the cell's size and format.
    package func compose(_ pictures: [VideoFrame]) throws(MediaError) -> VideoFrame {
        precondition(pictures.count == columns * rows)
        let pool = try FramePool(
            width: width, height: height, pixelFormat: cell.pixelFormat, colour: cell.colour)
        let frame = try pool.make()
        Background(cell).fill(frame)
        for (index, picture) in pictures.enumerated() {
            place(picture, at: (Self.gap + index % columns * pitch.x, Self.gap + index / columns * pitch.y), in: frame)
        }
        return frame
    }

    private func place(_ picture: VideoFrame, at corner: (x: Int, y: Int), in frame: VideoFrame) {
        let format = cell.pixelFormat
        for index in 0..<format.planeCount {
            let isChroma = format.components == .yuv && (1...2).contains(index)
            let x = corner.x / (isChroma ? format.chromaStepX : 1)
            let y = corner.y / (isChroma ? format.chromaStepY : 1)
            let size = format.planeSize(index, width: picture.width, height: picture.height)
            let (source, sourceStride) = picture.plane(index)
            let (target, stride) = frame.plane(index)
            for row in 0..<size.height {
                memcpy(
                    target + (y + row) * stride + x * format.bytesPerSample, source + row * sourceStride,
                    size.width * format.bytesPerSample)
            }
        }
    }
}
