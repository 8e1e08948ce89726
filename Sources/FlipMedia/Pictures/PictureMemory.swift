/// A picture in memory that somebody else owns and keeps.
package struct PictureMemory {
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// The address of the first row of each plane, in libav's order (Y, Cb, Cr; G, B, R; alpha last), and the stride: the
    /// bytes from one row to the next, which may be negative.
    package let planes: [(base: UnsafeMutableRawPointer, stride: Int)]

    package init(width: Int, height: Int, planes: [(base: UnsafeMutableRawPointer, stride: Int)]) {
        (self.width, self.height, self.planes) = (width, height, planes)
    }
}
