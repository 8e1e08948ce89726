import FlipBase

extension VideoConform {
    /// A frame of nothing but the background.
    package func blankFrame() throws(MediaError) -> VideoFrame {
        let frame = try FramePool(width: width, height: height, pixelFormat: pixelFormat, color: color).make()
        Background(self).fill(frame.memory)
        return VideoFrame(frame.frame)
    }
}

extension PictureGrid {
    /// Returns the frame with `pictures` placed row by row. There are as many as cells, each of the cell's size and
    /// format.
    package func compose(_ pictures: [VideoFrame]) throws(MediaError) -> VideoFrame {
        let pool = try FramePool(width: width, height: height, pixelFormat: cell.pixelFormat, color: cell.color)
        let frame = try pool.make()
        place(pictures.map(\.memory), in: frame.memory)
        return frame
    }
}
