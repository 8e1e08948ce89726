import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Pictures in the layouts of other programs must give the same frames as planar ones.
@Suite struct LayoutTests {
    private static let (width, height) = (37, 21)

    @Test(arguments: PixelLayout.names) func framesAreThoseOfThePlanes(name: String) throws {
        let layout = try #require(PixelLayout(named: name) ?? PixelLayout(named: name + "le"))
        let from = Pattern.noise.picture(layout.format, width: Self.width, height: Self.height, seed: 1)
        let to = Pattern.natural.picture(layout.format, width: Self.width, height: Self.height, seed: 2)
        for (style, progress) in [("flip", 0.3), ("card", 0.6), ("dissolve", 0.5), ("slide", 0.4), ("wipe", 0.6)] {
            let look = try StyledLook.named(style)
            let background = Color(red: 0.2, green: 0.5, blue: 0.9, alpha: layout.format.hasAlpha ? 0.5 : 1)
            let expected = try drawn(look, progress: progress, from: from, to: to, background: background)
            let renderer = TransitionRenderer(
                layout: layout, width: Self.width, height: Self.height, background: background, threads: 2)
            let (first, second) = (LaidOut(from, layout), LaidOut(to, layout))
            let result = LaidOut(TestPicture(format: layout.format, width: Self.width, height: Self.height), layout)
            renderer.render(look, progress: progress, from: first.view, to: second.view, into: result.view)
            #expect(result.picture == expected, "\(style)")
            #expect(first.picture == from && second.picture == to)
            #expect(result.padding == [(1 << layout.format.depth) - 1] || result.padding.isEmpty, "\(result.padding)")

            renderer.render(look, progress: 0, from: first.view, to: second.view, into: result.view)
            #expect(result.bytes == first.bytes)
            renderer.render(look, progress: 1, from: first.view, to: second.view, into: result.view)
            #expect(result.bytes == second.bytes)
            // This check follows all drawing, because a view doesn't keep its memory alive.
            for lent in [first, second, result] { #expect(lent.isIntact) }
        }
    }

    @Test func namesAreFFmpegs() throws {
        let list = try Tool.succeed("ffmpeg", ["-hide_banner", "-pix_fmts"]).text
        let known = Set(
            list.split(separator: "\n").compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) })
        for name in PixelLayout.names {
            let layout = try #require(PixelLayout(named: name) ?? PixelLayout(named: name + "le"))
            #expect(known.contains(layout.format.depth > 8 ? name + "le" : name), "\(name)")
        }
        for name in known where PixelLayout(named: name) != nil {
            #expect(!["be", "p8"].contains { name.hasSuffix($0) })
        }
        for name in ["yuv420p8", "yuv420ple", "rgb24le", "rgbale", "gray8", "yuv420p11", "", "nv"] {
            #expect(PixelLayout(named: name) == nil, "\(name)")
        }
    }
}

/// A picture stored in a layout, written sample by sample, with padded rows and guards between and around them.
private final class LaidOut {
    private let layout: PixelLayout
    private let size: (width: Int, height: Int)
    private let format: PictureFormat
    private var memory: [GuardedSamples<UInt8>] = []
    /// For each plane in memory: the bytes of a row without padding, the stride in bytes, and the number of rows.
    private var rows: [(bytes: Int, stride: Int, count: Int)] = []

    private static let mark: UInt8 = 0x5A

    init(_ picture: TestPicture, _ layout: PixelLayout) {
        self.layout = layout
        self.size = (picture.width, picture.height)
        format = picture.format
        for (index, turns) in layout.memory.enumerated() {
            let count = layout.planeSize(index, width: size.width, height: size.height).height
            let bytes = layout.rowBytes(index, width: size.width)
            rows.append((bytes, bytes + 10, count))
            memory.append(GuardedSamples([UInt8](repeating: Self.mark, count: (bytes + 10) * count), offset: 2))
            forEachSample(index) { row, x, turn, place in
                guard let plane = turns[turn] else { return }
                let width = picture.planeSize(plane).width
                store(picture.planes[plane][row * width + x], at: place, index)
            }
        }
    }

    private func forEachSample(_ index: Int, _ body: (_ row: Int, _ x: Int, _ turn: Int, _ place: Int) -> Void) {
        let turns = layout.memory[index].count
        let samples = rows[index].bytes / format.bytesPerSample
        for row in 0..<rows[index].count {
            for sample in 0..<samples {
                body(row, sample / turns, sample % turns, row * rows[index].stride + sample * format.bytesPerSample)
            }
        }
    }

    private func store(_ sample: UInt16, at place: Int, _ index: Int) {
        memory[index].start[place] = UInt8(truncatingIfNeeded: sample)
        if format.bytesPerSample == 2 { memory[index].start[place + 1] = UInt8(sample >> 8) }
    }

    private func load(_ place: Int, _ index: Int) -> UInt16 {
        let low = UInt16(memory[index].start[place])
        return format.bytesPerSample == 2 ? low | UInt16(memory[index].start[place + 1]) << 8 : low
    }

    var view: PictureView {
        let views = layout.memory.indices.map { index in
            let own = layout.planeSize(index, width: size.width, height: size.height)
            return PlaneView(
                base: UnsafeMutableRawPointer(memory[index].start), stride: rows[index].stride, width: own.width,
                height: own.height)
        }
        let others = (1...3).map { $0 < views.count ? views[$0] : nil }
        return PictureView(views[0], others[0], others[1], others[2])
    }

    /// The picture that is stored, plane by plane.
    var picture: TestPicture {
        var picture = TestPicture(format: format, width: size.width, height: size.height)
        for (index, turns) in layout.memory.enumerated() {
            forEachSample(index) { row, x, turn, place in
                guard let plane = turns[turn] else { return }
                picture[plane: plane, x: x, y: row] = load(place, index)
            }
        }
        return picture
    }

    /// The values of unused components, such as the 0 in bgr0.
    var padding: Set<Int> {
        var values: Set<Int> = []
        for (index, turns) in layout.memory.enumerated() {
            forEachSample(index) { _, _, turn, place in if turns[turn] == nil { values.insert(Int(load(place, index))) }
            }
        }
        return values
    }

    var bytes: [[UInt8]] { memory.map(\.numbers) }

    /// Whether nothing was written outside the rows.
    var isIntact: Bool {
        memory.indices.allSatisfy { index in
            memory[index].isIntact
                && memory[index].numbers.enumerated().allSatisfy { place, byte in
                    place % rows[index].stride < rows[index].bytes || byte == Self.mark
                }
        }
    }
}
