import FlipGeometry
import FlipMedia
import FlipRaster
import Foundation

/// A bound book at rest, as R'G'B' in interleaved bytes (EFFECTS 14): what lies open of it, on a plain ground.
package struct BookPicture {
    private let layout: BookLayout
    private let spread: BookLayout.Spread
    private var bytes: [UInt8]

    /// The book's ground with its shadow, blank pages and the edges of those under them.
    /// - Parameters:
    ///   - ground: the color beside the book.
    package init(_ layout: BookLayout, spread index: Int, ground: Color) {
        self.layout = layout
        spread = layout.spread(index)
        bytes = [UInt8](repeating: 255, count: 3 * layout.width * layout.height)
        fill(ground)
        for isBeyond in [false, true] { drawEdges(beyond: isBeyond) }
    }

    /// The page that lies on a side, and where in the frame its picture belongs; nil where there is none.
    package func place(beyond: Bool) -> (page: Int?, x: Int, y: Int)? {
        guard let side = beyond ? spread.beyond : spread.before else { return nil }
        let start = beyond ? spread.spine : spread.spine - layout.length
        let (x, y) = pixel(start, layout.across.lowerBound, length: layout.length)
        return (side.page, x, y)
    }

    /// The place in the frame of `length` pixels along the motion from `along` on, and of the pixel `across`.
    private func pixel(_ along: Int, _ across: Int, length: Int = 1) -> (x: Int, y: Int) {
        switch layout.form.binding {
        case .leftToRight: (along, across)
        case .rightToLeft: (layout.width - along - length, across)
        case .pad: (across, along)
        }
    }

    private mutating func fill(_ ground: Color) {
        let shape = layout.shadow(spread)
        let along = (0..<layout.extent.along).map { shape.along(Double($0), Double($0 + 1)) }
        let across = (0..<layout.extent.across).map { shape.across(Double($0), Double($0 + 1)) }
        let colors = [ground.red, ground.green, ground.blue]
        for (v, factor) in across.enumerated() {
            for (u, shade) in along.enumerated() {
                let a = min(shade * factor, 1)
                let (x, y) = pixel(u, v)
                for index in 0..<3 {
                    let value = colors[index] * (1 - a)
                    bytes[3 * (y * layout.width + x) + index] = UInt8(min(max(value * 255, 0), 255).rounded())
                }
            }
        }
        for isBeyond in [false, true] {
            guard let along = layout.along(spread, beyond: isBeyond) else { continue }
            for u in along.clamped(to: 0...layout.extent.along).dropLast() {
                for v in layout.across.dropLast() { set(u, v, 255) }
            }
        }
    }

    private mutating func set(_ along: Int, _ across: Int, _ value: UInt8) {
        let (x, y) = pixel(along, across)
        let place = 3 * (y * layout.width + x)
        for index in place..<place + 3 { bytes[index] = value }
    }

    /// The edges of pages, as fine lines: each pixel of them is a bundle of leaves.
    private mutating func drawEdges(beyond: Bool) {
        guard let along = layout.along(spread, beyond: beyond) else { return }
        let count = along.count - 1 - layout.length
        for edge in 0..<max(count, 0) {
            let u = beyond ? along.lowerBound + layout.length + edge : along.upperBound - layout.length - 1 - edge
            for v in layout.across.dropLast() { set(u, v, edge % 2 == 0 ? 200 : 232) }
        }
    }

    /// Puts the picture of a page, planar G'B'R' of a page's size, at `place`.
    package mutating func put(_ page: PictureMemory, at place: (x: Int, y: Int)) {
        for (plane, component) in [1, 2, 0].enumerated() {
            let (base, stride) = page.planes[plane]
            for y in 0..<page.height {
                let line = (base + y * stride).assumingMemoryBound(to: UInt8.self)
                let target = 3 * ((place.y + y) * layout.width + place.x) + component
                for x in 0..<page.width { bytes[target + 3 * x] = line[x] }
            }
        }
    }

    /// The whole picture as a PPM file.
    package mutating func ppm() -> [UInt8] {
        if layout.form.binding == .pad { drawHoles() } else { shadeGutter() }
        return Array("P6\n\(layout.width) \(layout.height)\n255\n".utf8) + bytes
    }

    /// How far the gutter's shade reaches from the spine, in page lengths, and how dark it is at the spine.
    private static let gutter = (width: 0.06, depth: 0.4)

    /// Darkens an open book's pages toward the spine, where they bend down.
    private mutating func shadeGutter() {
        guard spread.before != nil, spread.beyond != nil else { return }
        let width = Self.gutter.width * Double(layout.length)
        for offset in 0..<Int(width.rounded(.up)) {
            let part = max(1 - (Double(offset) + 0.5) / width, 0)
            let rest = 1 - Self.gutter.depth * part * part
            for u in [spread.spine - 1 - offset, spread.spine + offset] {
                for v in layout.across.dropLast() {
                    let (x, y) = pixel(u, v)
                    let place = 3 * (y * layout.width + x)
                    for index in place..<place + 3 { bytes[index] = UInt8((Double(bytes[index]) * rest).rounded()) }
                }
            }
        }
    }

    /// A pad's holes beside its spine, and the wire that goes through them.
    private mutating func drawHoles() {
        let pitch = min(max(layout.breadth / 40, 6), layout.length)
        let (radius, distance) = (Double(pitch) / 5, Double(pitch) / 2)
        for u in spread.spine..<spread.spine + pitch {
            for (index, v) in layout.across.dropLast().enumerated() {
                let side = Double(index % pitch) + 0.5 - Double(pitch) / 2
                let rise = Double(u - spread.spine) + 0.5 - distance
                let isHole = (side * side + rise * rise).squareRoot() < radius
                if isHole { set(u, v, 40) }
                if abs(side) < radius / 2, rise < 0 { set(u, v, 150) }
            }
        }
    }
}
