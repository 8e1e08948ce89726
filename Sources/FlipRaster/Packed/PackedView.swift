/// A picture that somebody else owns, pixel by pixel: R', G', B' and alpha, a byte each, in this order in memory. Colours
/// are not multiplied by alpha, which is 0 for transparent and 255 for opaque.
package struct PackedView: @unchecked Sendable {
    package var base: UnsafeMutableRawPointer
    /// Bytes from one row to the next, a multiple of 4; at least the bytes of a row.
    package var stride: Int
    /// Pixels.
    package var width: Int
    package var height: Int

    package init(base: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int) {
        self.base = base
        self.stride = stride
        self.width = width
        self.height = height
    }

    /// A pixel's bytes.
    static let pixelBytes = 4
    /// The planes of G', B', R' and alpha pictures in which a pixel's bytes stand, in their order.
    static let planes = [2, 0, 1, 3]

    /// Where pixel `column` of row `row` begins.
    func pixel(_ column: Int, _ row: Int) -> UnsafeMutableRawPointer {
        base + (row * stride + column * PackedView.pixelBytes)
    }
}
