import FlipGeometry

/// The samples of a picture that one slice of a sheet averages along the motion, and the part of each.
///
/// A sample's part is the width of its footprint on the screen, so that the mean is taken over the screen and not over
/// the texture. Samples are shaded before they are averaged.
struct SliceTaps {
    /// Where a slice lies on the picture.
    struct Extent: BitwiseCopyable {
        /// The indices of the first and the last sample.
        let first: Int
        let last: Int
        fileprivate let textureAtLower: Double
        fileprivate let textureAtUpper: Double

        init(_ slice: Slice, of projection: Projection, grid: Grid) {
            textureAtLower = projection.texture(slice.lower)
            textureAtUpper = projection.texture(slice.upper)
            let low = min(textureAtLower, textureAtUpper)
            let high = max(textureAtLower, textureAtUpper)
            first = grid.sample(at: low)
            // A slice that ends exactly where a sample begins doesn't see that sample.
            let end = Int(min(max((grid.samples(high) - SpanPlan.narrowest).rounded(.down), 0), Double(grid.count - 1)))
            last = max(first, end)
        }

        /// The number of samples.
        var count: Int { last - first + 1 }
    }

    let extent: Extent
    private let projection: Projection
    private let grid: Grid
    private let slice: Slice

    init(_ slice: Slice, _ extent: Extent, of projection: Projection, grid: Grid) {
        (self.extent, self.projection, self.grid, self.slice) = (extent, projection, grid, slice)
    }

    /// The texture coordinate in the middle of the slice.
    var middle: Double { projection.texture((slice.lower + slice.upper) / 2) }

    /// Calls `body` with each sample's index and its part of the slice in the light. Returns the parts of the light's
    /// colors; all parts add up to 1.
    func forEach(_ body: (_ index: Int, _ part: Double) -> Void) -> Light {
        var sum = Light(keep: 0)
        forEachLit { index, part, light in
            body(index, part * light.keep)
            sum.add(light, part: part)
        }
        return sum
    }

    /// Calls `body` with each sample's index, its part of the slice, and the light on it. The parts add up to 1.
    @inline(__always)
    private func forEachLit(_ body: (_ index: Int, _ part: Double, _ light: Light) -> Void) {
        let finish = projection.finish
        guard let shade = finish.shadeAlone else { return forEach(body) { finish(texture: $0, screen: $1) } }
        if let uniform = shade.uniformValue { return forEach(body) { _, _ in .shade(uniform) } }
        return forEach(body) { texture, _ in .shade(shade(texture)) }
    }

    @inline(__always)
    private func forEach(
        _ body: (_ index: Int, _ part: Double, _ light: Light) -> Void,
        light: (_ texture: Double, _ screen: Double) -> Light
    ) {
        let (textureAtLower, textureAtUpper) = (extent.textureAtLower, extent.textureAtUpper)
        let isAscending = textureAtLower <= textureAtUpper
        let width = slice.upper - slice.lower
        var position = isAscending ? slice.lower : slice.upper
        var texture = isAscending ? textureAtLower : textureAtUpper
        for index in extent.first...extent.last {
            let isLast = index == extent.last
            let nextTexture = isLast ? (isAscending ? textureAtUpper : textureAtLower) : grid.edge(index + 1)
            let end = isAscending ? slice.upper : slice.lower
            let edge = isLast ? end : min(max(projection.screen(nextTexture), slice.lower), slice.upper)
            let part = abs(edge - position) / width
            let light = light((texture + nextTexture) / 2, (position + edge) / 2)
            body(index, part, light)
            position = edge
            texture = nextTexture
        }
    }
}
