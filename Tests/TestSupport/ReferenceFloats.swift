import FlipGeometry

/// A picture of floating-point pixels owned by a test, R, G, B and alpha each, row after row from the top. Colors aren't
/// multiplied by alpha.
package struct FloatTestPicture: Sendable, Equatable {
    package let width: Int
    package let height: Int
    package var samples: [Float]

    package init(width: Int, height: Int, _ sample: (_ x: Int, _ y: Int, _ channel: Int) -> Float) {
        (self.width, self.height) = (width, height)
        samples = []
        for y in 0..<height { for x in 0..<width { for channel in 0..<4 { samples.append(sample(x, y, channel)) } } }
    }

    /// Opaque noise in -0.5...1.5.
    package init(noise seed: UInt64, width: Int, height: Int) {
        var random = SplitMix64(seed: seed)
        self.init(width: width, height: height) { _, _, channel in
            channel == 3 ? 1 : Float(random.next() % (1 << 20)) / Float(1 << 19) - 0.5
        }
    }

    package subscript(_ x: Int, _ y: Int, _ channel: Int) -> Double {
        Double(samples[(y * width + x) * 4 + channel])
    }
}

extension Reference {
    /// The exact frame of a style made of flat surfaces, seen without perspective, between opaque pictures: no rays, but
    /// the lengths of what every sample sees, in double precision.
    ///
    /// The filter is the program's: along the motion, the mean over the footprint of what is seen, each of the texture's
    /// samples in the light on the middle of its part; across it, the mean over the footprint, of the whole of which a
    /// sheet that covers a part of it has the mean, with the sheet's outermost samples repeated. Rounded corners and the
    /// book's soft shadow are left out.
    package static func exact(
        style: String, look: Look, background: Color, progress: Double, from a: FloatTestPicture,
        to b: FloatTestPicture
    ) -> [Double] {
        precondition(look.perspective == 0 && look.cornerRadius == 0)
        let isVertical = look.orientation == .vertical
        let (length, breadth) = isVertical ? (a.height, a.width) : (a.width, a.height)
        let scene = ReferenceScene(
            style: style, look: look, progress: progress, length: Double(length), breadth: Double(breadth))
        let scale = style == "card" ? 1 : 1 - (1 - look.pullBack) * sineSquared(.pi * progress)
        let painter = ExactPainter(
            scene: scene, look: look, scale: scale, length: length, breadth: breadth, isVertical: isVertical, a: a,
            b: b,
            background: [background.red, background.green, background.blue, 1])
        var result = [Double](repeating: 0, count: a.samples.count)
        for line in 0..<length {
            let values = painter.paint(line)
            for other in 0..<breadth {
                let place = isVertical ? line * a.width + other : other * a.width + line
                for channel in 0..<4 { result[place * 4 + channel] = values[other * 4 + channel] }
            }
        }
        return result
    }

    private static func sineSquared(_ angle: Double) -> Double {
        // The half-angle formula needs one sine less, and no library of functions: a series is exact enough.
        var (term, sum, square) = (angle, angle, angle * angle)
        for index in 1..<20 {
            term *= -square / Double((2 * index) * (2 * index + 1))
            sum += term
        }
        square = sum * sum
        return square
    }
}

private struct ExactPainter {
    let scene: ReferenceScene
    let look: Look
    let scale: Double
    let length: Int
    let breadth: Int
    let isVertical: Bool
    let a: FloatTestPicture
    let b: FloatTestPicture
    let background: [Double]

    /// The scene's coordinate that is seen at `position` in a frame of this extent.
    private func seen(_ position: Double, _ extent: Int) -> Double {
        Double(extent) / 2 + (position - Double(extent) / 2) / scale
    }

    /// The samples of a line across the motion, four values each.
    func paint(_ line: Int) -> [Double] {
        let (low, high) = (seen(Double(line), length), seen(Double(line + 1), length))
        var cuts = [low, high]
        for surface in scene.surfaces where surface.step.m != 0 {
            // Where the surface ends, and where its texture's samples do.
            let ends = [surface.textureHinge, surface.textureHinge + surface.textureStep * surface.length]
            let textures = (0...length).map(Double.init).filter { $0 > ends.min()! && $0 < ends.max()! } + ends
            for texture in textures {
                let distance = (texture - surface.textureHinge) / surface.textureStep
                let m = surface.hinge.m + surface.step.m * distance
                if m > low && m < high { cuts.append(m) }
            }
        }
        cuts.sort()
        var result = [Double](repeating: 0, count: breadth * 4)
        for (start, end) in zip(cuts, cuts.dropFirst()) where end > start {
            let part = (end - start) / (high - low)
            for (index, value) in column((start + end) / 2).enumerated() { result[index] += part * value }
        }
        return result
    }

    /// What is seen along the line through `m`, which all its samples see alike.
    private func column(_ m: Double) -> [Double] {
        var hits: [(z: Double, surface: Surface, distance: Double)] = []
        for surface in scene.surfaces where surface.step.m != 0 {
            let distance = (m - surface.hinge.m) / surface.step.m
            if distance < 0 || distance > surface.length { continue }
            hits.append((surface.hinge.z + surface.step.z * distance, surface, distance))
        }
        // From the nearest to the farthest; of surfaces at the same height, the first in the scene is in front.
        let order = hits.indices.sorted {
            let (left, right) = (hits[$0], hits[$1])
            if left.surface.isOnTop != right.surface.isOnTop { return left.surface.isOnTop }
            return left.z != right.z ? left.z > right.z : $0 < $1
        }
        let shadow = [look.shadowColor.red, look.shadowColor.green, look.shadowColor.blue]
        var result = [Double](repeating: 0, count: 4 * breadth)
        // How much of each footprint nothing covers yet. All surfaces lie about the middle, so of two that cover a part of a
        // footprint, the larger one covers all that the other one does.
        var free = [Double](repeating: 1, count: breadth)
        for index in order {
            let (_, surface, distance) = hits[index]
            let texture = surface.textureHinge + surface.textureStep * distance
            let sample = min(max(Int(texture.rounded(.down)), 0), length - 1)
            let shade = min(max(surface.shade(distance) * look.shadowStrength, 0), 1)
            for other in 0..<breadth where free[other] > 0 {
                let (means, coverage) = across(other, surface, sample)
                let part = max(coverage - (1 - free[other]), 0)
                if part == 0 { continue }
                free[other] -= part
                for channel in 0..<4 {
                    let lit = channel == 3 ? 1 : means[channel] * (1 - shade) + shadow[channel] * shade
                    result[other * 4 + channel] += lit * part
                }
            }
        }
        for other in 0..<breadth {
            for channel in 0..<4 { result[other * 4 + channel] += background[channel] * free[other] }
        }
        return result
    }

    /// The means of a texture's line over the footprint of sample `other`, and the part of it that the surface covers.
    private func across(_ other: Int, _ surface: Surface, _ sample: Int) -> ([Double], Double) {
        let middle = Double(breadth) / 2
        func texture(_ position: Double) -> Double {
            middle + (seen(position, breadth) - middle) / surface.acrossScale
        }
        let (low, high) = (texture(Double(other)), texture(Double(other + 1)))
        let covered = min(high, Double(breadth)) - max(low, 0)
        if covered <= 0 { return ([], 0) }
        var means = [0.0, 0, 0, 0]
        for index in Int(low.rounded(.down))...Int(high.rounded(.down)) {
            let part = (min(high, Double(index + 1)) - max(low, Double(index))) / (high - low)
            if part <= 0 { continue }
            let row = min(max(index, 0), breadth - 1)
            let picture = surface.isOutgoing ? a : b
            for channel in 0..<4 {
                means[channel] += part * (isVertical ? picture[row, sample, channel] : picture[sample, row, channel])
            }
        }
        return (means, min(covered / (high - low), 1))
    }
}
