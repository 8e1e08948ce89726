/// The samples of a piece of a row that are drawn together: where their windows are, and what is mixed over them.
final class BentRowBuffers {
    /// The most samples in a piece.
    static let capacity = 256

    /// For each sample: the window's first sample, as column and row, and the place of its weights.
    let columns = UnsafeMutablePointer<Int32>.allocate(capacity: capacity)
    let rows = UnsafeMutablePointer<Int32>.allocate(capacity: capacity)
    let places = UnsafeMutablePointer<Int32>.allocate(capacity: capacity)
    /// For each sample: the parts of the texture, the paper, the shadow color and paper white (`BentRay`).
    let keep = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
    let paper = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
    let shadow = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
    let gloss = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
    /// For each sample of each of up to three planes: its wide value.
    let line = UnsafeMutablePointer<UInt16>.allocate(capacity: 3 * capacity)

    deinit {
        for buffer in [columns, rows, places] { buffer.deallocate() }
        for buffer in [keep, paper, shadow, gloss] { buffer.deallocate() }
        line.deallocate()
    }
}

/// A color in the components of wide samples, as floating-point numbers.
struct WideColors {
    let paper: Float
    let shadow: Float
    let white: Float
    let background: Float
}
