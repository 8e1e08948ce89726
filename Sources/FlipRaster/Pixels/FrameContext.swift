import FlipGeometry

/// What all workers read while a frame is drawn.
struct FrameContext: @unchecked Sendable {
    let plan: FramePlan
    let format: PictureFormat
    let outgoing: PictureView
    let incoming: PictureView
    let target: PictureView
    let background: EncodedColor
    let shadow: EncodedColor

    func source(_ picture: Picture, plane index: Int) -> PlaneView {
        picture == .outgoing ? outgoing[index] : incoming[index]
    }

    /// Draws the samples `columns` of a row of a flat panel, shaded by `a`, 0...1; copies them if `a` is 0.
    func drawFlat(_ panel: Panel, plane index: Int, row: Int, columns: Range<Int>, shade a: Double) {
        let from = source(panel.picture, plane: index)
        let to = target[index]
        let sourceRow = from.base + row * from.stride
        let targetRow = to.base + row * to.stride
        if a == 0 {
            let start = columns.lowerBound * format.bytesPerSample
            (targetRow + start).copyMemory(from: sourceRow + start, byteCount: columns.count * format.bytesPerSample)
        } else {
            Wide.shade(
                sourceRow, into: targetRow, columns: columns, depth: format.depth, by: a, to: shadow[plane: index])
        }
    }
}
