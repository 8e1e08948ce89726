import FlipGeometry

/// What all workers read while a frame is drawn.
struct FrameContext: @unchecked Sendable {
    let plan: FramePlan
    let format: PictureFormat
    /// The planes of the pictures and of the frame, without alpha.
    let outgoing: PictureView
    let incoming: PictureView
    let target: PictureView
    let background: EncodedColor
    let shadow: EncodedColor
    /// A bent sheet's paper, and the white of its gloss.
    let paper: EncodedColor
    let white: EncodedColor
    let rounding: OpaqueRounding

    func source(_ picture: Picture, plane index: Int) -> PlaneView {
        picture == .outgoing ? outgoing[index] : incoming[index]
    }

    /// The colors of the light in plane `index`.
    func colors(plane index: Int) -> LightColors {
        LightColors(shadow: shadow[plane: index], paper: paper[plane: index], white: white[plane: index])
    }

    /// Whether there is a soft shadow that can be seen in plane `index`. On a background of its own color it can't.
    func showsShadow(plane index: Int) -> Bool {
        plan.spans.softShadow != nil && shadow[plane: index] != background[plane: index]
    }

    /// The depth whose precision blends need.
    var blendDepth: Int { rounding == .direct ? format.depth : 16 }

    /// Where and how the rows of plane `index` are stored.
    func store(plane index: Int) -> PlaneStore {
        PlaneStore(
            base: target[index].base, stride: target[index].stride, height: target[index].height, depth: format.depth,
            dividedBlack: rounding == .divided ? format.wideBlack(plane: index) : nil)
    }
}

/// Stores wide samples as a plane's samples.
struct PlaneStore {
    fileprivate let base: UnsafeMutableRawPointer
    fileprivate let stride: Int
    fileprivate let height: Int
    fileprivate let depth: Int
    /// The wide sample of black if samples are rounded as `OpaqueRounding.divided` says; otherwise nil.
    fileprivate let dividedBlack: Int?

    /// Prefetches the memory of `count` samples of `row`, from sample `start` on, which will be stored soon.
    @inline(__always)
    func prefetch(count: Int, row: Int, from start: Int) {
        if row < height { Prefetch.row(base + row * stride, start..<(start + count), depth: depth) }
    }

    /// Rounds `count` wide samples and stores them in `row`, from sample `start` on.
    @inline(__always)
    func callAsFunction(
        _ line: UnsafePointer<UInt16>, count: Int, row: Int, from start: Int, _ kernels: KernelTable
    ) {
        if let dividedBlack {
            Wide.storeDivided(
                line, count: count, black: dividedBlack, depth: depth, into: base + row * stride, from: start)
        } else {
            kernels.store(line, count, depth, base + (row * stride + start * (depth > 8 ? 2 : 1)))
        }
    }
}
