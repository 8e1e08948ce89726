import Dispatch
import FlipGeometry
import FlipRaster

extension Reference {
    /// The frame of a curl: each sample is the mean of `samplesPerAxis`² rays through its footprint.
    static func curl(
        look: Look, background: Color, progress: Double, from a: TestPicture, to b: TestPicture, samplesPerAxis n: Int,
        part: (columns: Range<Int>, rows: Range<Int>)?, gloss: Color?
    ) -> TestPicture {
        let isVertical = look.orientation == .vertical
        let (width, height) = (a.format.extent(of: a, isVertical: false), a.format.extent(of: a, isVertical: true))
        let curl = ReferenceCurl(
            look: look, progress: progress, length: isVertical ? height : width, breadth: isVertical ? width : height)
        let format = a.format
        let colors = [background, look.paper, look.shadowColor, gloss ?? .white].map(format.encode)
        var result = a
        for plane in a.planes.indices {
            let size = a.planeSize(plane)
            let columns = Axis(format.footprints(plane: plane, isVertical: false), count: size.width, frame: width)
            let rows = Axis(format.footprints(plane: plane, isVertical: true), count: size.height, frame: height)
            let drawn = a.samples(ofPlane: plane, in: part)
            let painter = CurlPainter(
                curl: curl, columns: columns, rows: rows, outgoing: a.planes[plane], incoming: b.planes[plane],
                background: colors[0][plane], paper: colors[1][plane], shadow: colors[2][plane],
                white: gloss == nil ? nil : colors[3][plane], rays: n)
            result.planes[plane].withUnsafeMutableBufferPointer { output in
                nonisolated(unsafe) let output = output
                DispatchQueue.concurrentPerform(iterations: drawn.rows.count) { index in
                    let row = drawn.rows.lowerBound + index
                    for column in drawn.columns {
                        output[row * size.width + column] = UInt16(painter.sample(column, row).rounded())
                    }
                }
            }
        }
        return result
    }
}

/// The footprints of a plane's samples along x or y.
private struct Axis {
    let start: Double
    let step: Double
    let count: Int
    let frame: Double

    init(_ footprints: (start: Double, step: Double), count: Int, frame: Double) {
        (start, step) = footprints
        self.count = count
        self.frame = frame
    }

    /// The position of the ray that has the fraction `part` of footprint `index` before it, within the frame.
    func position(_ index: Int, _ part: Double) -> Double {
        let low = max(0, start + Double(index) * step)
        return low + part * (min(frame, start + Double(index + 1) * step) - low)
    }

    /// The sample at `position`; positions outside belong to the outermost samples.
    func index(_ position: Double) -> Int { min(max(Int(((position - start) / step).rounded(.down)), 0), count - 1) }
}

private struct CurlPainter: Sendable {
    let curl: ReferenceCurl
    let columns: Axis
    let rows: Axis
    let outgoing: [UInt16]
    let incoming: [UInt16]
    let background: Double
    let paper: Double
    let shadow: Double
    /// The color of gloss; nil for no gloss.
    let white: Double?
    /// The rays per axis. They form a grid that also has rays² distinct positions along each axis.
    let rays: Int

    func sample(_ column: Int, _ row: Int) -> Double {
        let count = rays * rays
        var sum = 0.0
        for k in 0..<count {
            let x = columns.position(column, (Double(k) + 0.5) / Double(count))
            let y = rows.position(row, (Double(k % rays * rays + k / rays) + 0.5) / Double(count))
            sum += value(x, y)
        }
        return sum / Double(count)
    }

    private func value(_ x: Double, _ y: Double) -> Double {
        let isVertical = curl.look.orientation == .vertical
        let isBackward = curl.look.direction == .backward
        let (along, across) = isVertical ? (y, x) : (x, y)
        let sight = curl.sight(isBackward ? curl.length - along : along, across)
        var value = background
        if let isOutgoing = sight.isOutgoing {
            let u = isBackward ? curl.length - sight.point.u : sight.point.u
            let (column, row) = isVertical ? (sight.point.v, u) : (u, sight.point.v)
            let place = rows.index(row) * columns.count + columns.index(column)
            value = Double(isOutgoing ? outgoing[place] : incoming[place])
        }
        for index in 0..<sight.layers.count {
            let layer = sight.layers[index]
            let tint =
                switch layer.tint {
                case .paper: paper
                case .shadow: shadow
                case .white: white ?? value
                }
            value = value * (1 - layer.part) + tint * layer.part
        }
        return value
    }
}
