import FlipRaster

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Kinds of test pictures, generated from a seed: the same seed gives the same picture in every format.
package enum Pattern: String, CaseIterable, Sendable {
    /// Gradients and a few soft blobs, with no detail smaller than a sixth of the frame.
    case smooth
    /// A slide: hard-edged boxes, rows of small rectangles that resemble text, thin lines, and a checkerboard.
    case slide
    /// Octaves of noise whose power decreases with frequency, as in photographs.
    case natural
    /// Independent random samples over the whole range of codes: the worst case for arithmetic.
    case noise

    /// A picture of this kind.
    package func picture(_ format: PictureFormat, width: Int, height: Int, seed: UInt64) -> TestPicture {
        var picture = TestPicture(format: format, width: width, height: height)
        for plane in picture.planes.indices {
            let size = picture.planeSize(plane)
            var random = SplitMix64(seed: seed &* 4 &+ UInt64(plane))
            if self == .noise {
                picture.planes[plane] = (0..<size.width * size.height).map { _ in
                    UInt16(random.integer(in: 0...picture.peak))
                }
                continue
            }
            let columns = format.footprints(plane: plane, isVertical: false)
            let rows = format.footprints(plane: plane, isVertical: true)
            let value = sampler(width: Double(width), height: Double(height), &random)
            let range = Pattern.codes(format, plane)
            picture.planes[plane] = (0..<size.width * size.height).map { index in
                let x = columns.start + (Double(index % size.width) + 0.5) * columns.step
                let y = rows.start + (Double(index / size.width) + 0.5) * rows.step
                let level = min(max(value(x, y), 0), 1)
                return UInt16((Double(range.lowerBound) + level * Double(range.count - 1)).rounded())
            }
        }
        return picture
    }

    /// The range of codes that pictures use: the format's nominal range.
    private static func codes(_ format: PictureFormat, _ plane: Int) -> ClosedRange<Int> {
        let unit = 1 << (format.depth - 8)
        if format.isFullRange || format.components == .gbr { return 0...(1 << format.depth - 1) }
        return format.isChroma(plane: plane) ? 16 * unit...240 * unit : 16 * unit...235 * unit
    }

    /// A function of luma coordinates whose values are roughly in 0...1.
    private func sampler(
        width: Double, height: Double, _ random: inout SplitMix64
    ) -> (_ x: Double, _ y: Double) -> Double {
        switch self {
        case .smooth: Pattern.smooth(width, height, &random)
        case .slide: Pattern.slide(width, height, &random)
        case .natural, .noise: Pattern.natural(min(width, height), &random)
        }
    }

    private static func smooth(
        _ width: Double, _ height: Double, _ random: inout SplitMix64
    ) -> (Double, Double) -> Double {
        let (acrossX, acrossY) = (random.number(in: -0.6...0.6), random.number(in: -0.6...0.6))
        let blobs = (0..<5).map { _ in
            (
                x: random.number(in: 0...1), y: random.number(in: 0...1), size: random.number(in: 0.17...0.4),
                level: random.number(in: -0.5...0.5)
            )
        }
        return { x, y in
            let (u, v) = (x / width, y / height)
            return blobs.reduce(0.5 + acrossX * (u - 0.5) + acrossY * (v - 0.5)) { sum, blob in
                let distance = ((u - blob.x) * (u - blob.x) + (v - blob.y) * (v - blob.y)) / (blob.size * blob.size)
                return sum + blob.level * exp(-distance)
            }
        }
    }

    private static func slide(
        _ width: Double, _ height: Double, _ random: inout SplitMix64
    ) -> (Double, Double) -> Double {
        let paper = random.number(in: 0...1)
        let ink = paper > 0.5 ? random.number(in: 0...0.2) : random.number(in: 0.8...1)
        let boxes = (0..<6).map { _ in
            let (left, top) = (random.number(in: 0...0.9) * width, random.number(in: 0...0.9) * height)
            return (
                x: left.rounded()..<(left + random.number(in: 0.02...0.5) * width).rounded() + 1,
                y: top.rounded()..<(top + random.number(in: 0.02...0.4) * height).rounded() + 1,
                level: random.number(in: 0...1)
            )
        }
        let lines = (0..<4).map { _ in (random.number(in: 0...1) * max(width, height)).rounded() }
        let letters = (0..<64).map { _ in random.oneIn(2) }
        let checkerSize = Double(random.integer(in: 1...3))
        return { x, y in
            let (column, row) = (x.rounded(.down), y.rounded(.down))
            if lines.contains(column) || lines.contains(row) { return ink }
            if column > width * 0.7 && row > height * 0.7 {
                let odd = (column / checkerSize).rounded(.down) + (row / checkerSize).rounded(.down)
                return odd.truncatingRemainder(dividingBy: 2) == 0 ? ink : paper
            }
            let letter = Int(column / 2) &* 7 &+ Int(row / 9) &* 13
            if Int(row) % 9 < 6 && column < width * 0.6 && letters[letter & 63] { return ink }
            return boxes.last { $0.x.contains(column) && $0.y.contains(row) }?.level ?? paper
        }
    }

    private static func natural(_ side: Double, _ random: inout SplitMix64) -> (Double, Double) -> Double {
        let key = random.next()
        let octaves = (0..<7).map { (scale: max(side, 8) / Double(3 << $0), level: 0.9 / Double(2 << $0)) }
        return { x, y in
            octaves.enumerated().reduce(0.5) { sum, octave in
                let (scale, level) = octave.element
                return sum + 2 * level * (lattice(x / scale, y / scale, key &+ UInt64(octave.offset)) - 0.5)
            }
        }
    }

    /// Value noise: random levels at integer coordinates, smoothly interpolated.
    private static func lattice(_ x: Double, _ y: Double, _ key: UInt64) -> Double {
        let (column, row) = (x.rounded(.down), y.rounded(.down))
        let level = { (dx: Double, dy: Double) -> Double in
            let place =
                UInt64(bitPattern: Int64(column + dx)) &* 0x1_0001_0003
                &+ UInt64(bitPattern: Int64(row + dy)) &* 0x2_0fb7_5ac1
            var random = SplitMix64(seed: place ^ (key &* 0x9e37_79b9))
            return random.number(in: 0...1)
        }
        let ease = { (t: Double) in t * t * (3 - 2 * t) }
        let (u, v) = (ease(x - column), ease(y - row))
        let top = level(0, 0) * (1 - u) + level(1, 0) * u
        let bottom = level(0, 1) * (1 - u) + level(1, 1) * u
        return top * (1 - v) + bottom * v
    }
}
