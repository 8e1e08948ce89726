import FlipGeometry

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What is drawn for one frame, before any sample is touched: the spans, and for each kind of plane the slices.
struct FramePlan {
    let spans: SpanPlan
    let orientation: Orientation
    let softShadow: SoftShadow?
    /// One entry for each different grid: luma (or everything), then chroma.
    let layouts: [PlaneLayout]

    /// Planes that share their grids, and how the motion axis is cut for them.
    struct PlaneLayout {
        let planes: Range<Int>
        /// The samples along the motion axis.
        let along: Grid
        /// The samples across it.
        let across: Grid
        let slices: SlicePlan
    }

    init(_ scene: Scene, format: PictureFormat, width: Int, height: Int) {
        let spans = SpanPlan(scene)
        self.spans = spans
        orientation = scene.orientation
        softShadow = scene.softShadow
        let horizontal = scene.orientation == .horizontal
        let isSubsampled = format.components == .yuv && (format.chromaStepX > 1 || format.chromaStepY > 1)
        let groups = isSubsampled ? [0..<1, 1..<3] : [0..<format.planeCount]
        layouts = groups.map { planes in
            let columns = Grid(.horizontal, plane: planes.lowerBound, format: format, extent: width)
            let rows = Grid(.vertical, plane: planes.lowerBound, format: format, extent: height)
            let (along, across) = horizontal ? (columns, rows) : (rows, columns)
            return PlaneLayout(
                planes: planes, along: along, across: across, slices: SlicePlan(spans, along: along, across: across))
        }
    }
}

extension SoftShadow {
    /// The mean over an interval of the shadow's profile along one axis: a box blurred by a Gaussian, 0...1.
    private func mean(_ lower: Double, _ upper: Double, _ box: ClosedRange<Double>) -> Double {
        let scale = deviation * 2.0.squareRoot()
        // The antiderivative of erf.
        func integral(_ x: Double) -> Double { x * erf(x) + exp(-x * x) / Double.pi.squareRoot() }
        func rise(_ edge: Double) -> Double {
            scale * (integral((upper - edge) / scale) - integral((lower - edge) / scale)) / (upper - lower)
        }
        return (rise(box.lowerBound) - rise(box.upperBound)) / 2
    }

    /// The part of the shade that depends on the position along the motion, over an interval.
    func along(_ lower: Double, _ upper: Double) -> Double { opacity * mean(lower, upper, along) }

    /// The part of the shade that depends on the position across the motion, over an interval.
    func across(_ lower: Double, _ upper: Double) -> Double { mean(lower, upper, across) }
}
