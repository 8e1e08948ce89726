/// A picture of packed pixels in memory that the view doesn't own: R', G', B' and alpha, one byte each, in this order.
/// Colors aren't premultiplied; alpha is 0 for transparent and 255 for opaque.
package struct PackedView: @unchecked Sendable {
    package var base: UnsafeMutableRawPointer
    /// Bytes from one row to the next: a multiple of 4, at least as many as a row has.
    package var stride: Int
    /// The picture's size in pixels.
    package var width: Int
    package var height: Int

    package init(base: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int) {
        self.base = base
        self.stride = stride
        self.width = width
        self.height = height
    }

    /// Bytes per pixel.
    static let pixelBytes = 4
    /// For each byte of a pixel, the index of its plane in pictures with planes of G', B', R' and alpha.
    static let planes = [2, 0, 1, 3]

    /// The address of pixel `column` in row `row`.
    func pixel(_ column: Int, _ row: Int) -> UnsafeMutableRawPointer {
        base + (row * stride + column * PackedView.pixelBytes)
    }
}
