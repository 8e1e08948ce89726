/// How the planes of a picture lie one after another in a block of memory.
package struct PlaneLayout: Sendable {
    /// Every plane and every row begins at a multiple of this, in bytes.
    package static let alignment = 64

    /// The strides of the planes in bytes.
    package let strides: [Int]
    /// Where the planes start, in bytes from the start of the block.
    package let offsets: [Int]
    /// The size of all planes together, in bytes.
    package let byteCount: Int

    /// - Parameter format: a planar native format.
    package init(_ format: PixelFormat, width: Int, height: Int) {
        var strides: [Int] = []
        var offsets: [Int] = []
        var end = 0
        for plane in 0..<format.planeCount {
            let size = format.planeSize(plane, width: width, height: height)
            let bytes = size.width * format.bytesPerSample
            let stride = (bytes + Self.alignment - 1) / Self.alignment * Self.alignment
            strides.append(stride)
            offsets.append(end)
            end += stride * size.height
        }
        (self.strides, self.offsets) = (strides, offsets)
        byteCount = end
    }
}
