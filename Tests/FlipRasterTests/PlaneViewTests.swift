import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Views of planes in foreign memory.
@Suite struct PlaneViewTests {
    /// A plane of `rows` rows, `stride` bytes apart, that starts at byte `start` of memory that is never accessed.
    private func plane(_ start: Int, stride: Int, rows: Int) -> PlaneView {
        PlaneView(base: UnsafeMutableRawPointer(bitPattern: 1 << 20 + start)!, stride: stride, width: 1, height: rows)
    }

    /// Two planes share memory if any two of their rows do. The random planes are stored top down and bottom up.
    @Test func planesShareMemoryWhereTheirRowsDo() {
        var random = SplitMix64(seed: 1)
        var shared = 0
        for _ in 0..<20000 {
            let sides = (0..<2).map { _ in
                let bytes = random.integer(in: 1...12)
                let stride = random.pick([bytes, bytes + random.integer(in: 0...20), 24]) * (random.oneIn(2) ? 1 : -1)
                return (plane(random.integer(in: 0...120), stride: stride, rows: random.integer(in: 1...6)), bytes)
            }
            let rows = sides.map { plane, bytes in
                (0..<plane.height).map { row -> Range<Int> in
                    let start = Int(bitPattern: plane.base) + row * plane.stride
                    return start..<start + bytes
                }
            }
            let expected = rows[0].contains { row in rows[1].contains(where: row.overlaps) }
            shared += expected ? 1 : 0
            for (one, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                #expect(one.0.sharesMemory(rowBytes: one.1, with: other.0, rowBytes: other.1) == expected, "\(sides)")
            }
        }
        #expect((5000..<15000).contains(shared), "both outcomes were tried")
    }

    @Test func halvesAndFieldsShareNothing() {
        let left = plane(0, stride: 200, rows: 50)
        #expect(!left.sharesMemory(rowBytes: 100, with: plane(100, stride: 200, rows: 50), rowBytes: 100))
        #expect(left.sharesMemory(rowBytes: 101, with: plane(100, stride: 200, rows: 50), rowBytes: 100))
        let field = plane(0, stride: 200, rows: 25)
        #expect(!field.sharesMemory(rowBytes: 100, with: plane(100, stride: 200, rows: 25), rowBytes: 100))
        #expect(!field.sharesMemory(rowBytes: 100, with: plane(100 + 24 * 200, stride: -200, rows: 25), rowBytes: 100))
        #expect(left.sharesMemory(rowBytes: 100, with: left, rowBytes: 100))
    }

    /// Pictures that are stored bottom up are drawn like others.
    @Test(arguments: Styles.all.map(\.name)) func rowsMayLieBottomUp(style: String) throws {
        let format = PictureFormat(components: .yuv, depth: 10, chromaStepX: 2, chromaStepY: 2)
        let from = Pattern.noise.picture(format, width: 61, height: 43, seed: 1)
        let to = Pattern.natural.picture(format, width: 61, height: 43, seed: 2)
        let flipped = { (view: PictureView) -> PictureView in
            let planes = (0..<3).map { index in
                let plane = view[index]
                return PlaneView(
                    base: plane.base + (plane.height - 1) * plane.stride, stride: -plane.stride, width: plane.width,
                    height: plane.height)
            }
            return PictureView(planes[0], planes[1], planes[2])
        }
        for orientation in Orientation.allCases {
            let look = try StyledLook.named(style) { $0.orientation = orientation }
            let renderer = TransitionRenderer(format: format, width: 61, height: 43, background: .white, threads: 2)
            let expected = try renderer.drawn(look, progress: 0.4, from: from, to: to)
            var result = TestPicture(format: format, width: 61, height: 43)
            try from.mirroredTopBottom.withView { from in
                try to.withView { to in
                    try result.withMutableView { target in
                        renderer.render(look, progress: 0.4, from: flipped(from), to: to, into: flipped(target))
                    }
                }
            }
            #expect(result.mirroredTopBottom == expected, "\(look)")
        }
    }
}
