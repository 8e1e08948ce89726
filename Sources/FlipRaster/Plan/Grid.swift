import FlipGeometry

/// The samples of a plane along one axis, and the footprint of each, in luma pixels (EFFECTS 1). Where pixels aren't square,
/// these are heights of luma pixels along both axes.
package struct Grid: Equatable {
    /// Where the footprint of sample 0 begins; negative where chroma is sited on the first luma pixel.
    let origin: Double
    /// The length of a footprint, and the distance from one to the next.
    let pitch: Double
    /// The number of samples.
    let count: Int
    /// The frame's extent along the axis.
    let extent: Double

    /// Creates the grid of the columns (`.horizontal`) or rows (`.vertical`) of plane `index`, in a frame that measures
    /// `extent` pixels along `axis`. The footprint of a field's line is two lines high, and its middle is that of its own line,
    /// so that the lines of both fields lie where they lie in the frame.
    package init(_ axis: Orientation, plane index: Int, format: PictureFormat, extent: Int) {
        let isChroma = format.isChroma(plane: index)
        let step = !isChroma ? 1 : axis == .horizontal ? format.chromaStepX : format.chromaStepY
        let pixel = axis == .horizontal ? format.pixelAspect : 1
        let lines = axis == .vertical ? format.lineStep : 1
        pitch = Double(step * lines) * pixel
        count = (extent + step - 1) / step
        self.extent = Double(extent * lines) * pixel
        let first: Double? =
            switch (axis, format.chromaLocation) {
            case (.horizontal, .left), (.horizontal, .topLeft), (.horizontal, .bottomLeft): 0.5
            case (.vertical, .topLeft), (.vertical, .top): 0.5
            case (.vertical, .bottomLeft), (.vertical, .bottom): Double(step) - 0.5
            case (.horizontal, .center), (.horizontal, .top), (.horizontal, .bottom): nil
            case (.vertical, .left), (.vertical, .center): nil
            }
        let shift =
            switch axis == .vertical ? format.field : nil {
            case nil: 0.0
            case .top: -Double(step) / 2
            case .bottom: Double(step) / 2
            }
        origin = ((first ?? Double(step) / 2) - Double(step) / 2 + shift) * pixel
    }

    /// The footprint of sample `index`, clipped to the frame.
    package func footprint(_ index: Int) -> (lower: Double, upper: Double) {
        let lower = origin + Double(index) * pitch
        return (max(lower, 0), min(lower + pitch, extent))
    }

    /// The middle of the clipped footprint of sample `index`.
    func middle(_ index: Int) -> Double {
        let (lower, upper) = footprint(index)
        return (lower + upper) / 2
    }

    /// Whether the frame's border clips the footprint of sample `index`.
    func isClipped(_ index: Int) -> Bool {
        let lower = origin + Double(index) * pitch
        return lower < 0 || lower + pitch > extent
    }

    /// The samples whose footprints overlap `lower...upper`.
    package func footprints(touching lower: Double, _ upper: Double) -> Range<Int> {
        guard max(lower, 0) < min(upper, extent) else { return 0..<0 }
        let first = sample(at: lower)
        let end = Int(min(max(samples(upper).rounded(.up), 1), Double(count)))
        return first..<max(end, first + 1)
    }

    /// The samples whose clipped footprints lie completely inside `lower...upper`.
    func footprints(inside lower: Double, _ upper: Double) -> Range<Int> {
        let first = lower <= 0 ? 0 : Int(min(samples(lower).rounded(.up), Double(count)))
        let end = upper >= extent ? count : Int(max(samples(upper).rounded(.down), 0))
        return first..<max(end, first)
    }

    /// The samples before `extent`, those that it touches, and those after it.
    func footprints(beside extent: ClosedRange<Double>) -> (before: Range<Int>, within: Range<Int>, after: Range<Int>) {
        let before = footprints(inside: -.infinity, extent.lowerBound)
        let after = footprints(inside: extent.upperBound, .infinity)
        let start = max(before.upperBound, after.lowerBound)
        return (before, before.upperBound..<start, start..<count)
    }

    /// Converts the position `x` to samples: k...k+1 is the footprint of sample k.
    func samples(_ x: Double) -> Double { (x - origin) / pitch }

    /// Where sample `index` begins in the picture's texture, not clipped to the frame.
    func edge(_ index: Int) -> Double { origin + Double(index) * pitch }

    /// The sample that contains position `x` of the texture; the outermost samples extend beyond the frame.
    func sample(at x: Double) -> Int { Int(min(max(samples(x), 0), Double(count - 1))) }
}
