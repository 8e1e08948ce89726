import FlipGeometry

/// Draws a part of a picture as a frame (EFFECTS 12). The part may lie anywhere, in fractions of a sample.
///
/// Each sample of the frame is a mean of the picture's samples around it, with weights that fall off linearly to zero at the
/// distance of one sample of the frame. At the picture's own size this is what area sampling gives. Where the picture is
/// reduced, the mean over a sample's area would keep a line finer than a sample within one sample and let it jump to the next;
/// these weights move its light evenly, to within 0.05 samples.
package final class PictureZoom {
    /// A part of a picture, in fractions of the picture's width and height.
    package struct Part: Sendable, Hashable {
        package var x: Double
        package var y: Double
        package var width: Double
        package var height: Double

        package init(x: Double, y: Double, width: Double, height: Double) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }

    private var format: PictureFormat
    private let picture: (width: Int, height: Int)
    private let frame: (width: Int, height: Int)
    /// The taps of full planes, and of chroma planes if these are smaller.
    private let full: Taps
    private let chroma: Taps?
    /// Two rows of the frame before and after they are averaged along the row.
    private let lines = Scratch<Int16>()
    private let averages = Scratch<Int16>()
    private let rows = Scratch<UnsafePointer<UInt8>?>()
    private let weights = Scratch<Int16>()
    private let kernels: KernelTable

    /// The weights along both axes.
    private struct Taps {
        let columns: AxisTaps
        let rows: AxisTaps
        /// The columns' weights for the kernels.
        let line = ColumnTaps()
    }

    /// - Parameters:
    ///   - picture: the picture's size in pixels, at least that of the frame.
    ///   - frame: the frame's size in pixels.
    ///   - level: the version of the innermost loops, which must be available.
    package init(
        _ format: PictureFormat, picture: (width: Int, height: Int), frame: (width: Int, height: Int),
        level: KernelLevel = .best
    ) {
        precondition(picture.width >= frame.width && picture.height >= frame.height)
        guard let kernels = level.kernels else { preconditionFailure("this machine can't run \(level)") }
        (self.format, self.picture, self.frame) = (format, picture, frame)
        // A part of a picture has the picture's pixels, whatever their shape.
        self.format.pixelAspect = 1
        self.kernels = kernels
        let taps = { (plane: Int) in
            let (source, target) = (
                format.planeSize(plane, width: picture.width, height: picture.height),
                format.planeSize(plane, width: frame.width, height: frame.height)
            )
            return Taps(
                columns: AxisTaps(length: source.width, count: target.width),
                rows: AxisTaps(length: source.height, count: target.height))
        }
        full = taps(0)
        chroma = format.chromaStepX == 1 && format.chromaStepY == 1 ? nil : taps(1)
    }

    /// Draws `part` of `source` into `target`. Both have the format and the sizes that were given.
    package func draw(_ part: Part, of source: PictureView, into target: PictureView) {
        // Pixels of the picture for each pixel of the frame.
        let scaleX = part.width * Double(picture.width) / Double(frame.width)
        let scaleY = part.height * Double(picture.height) / Double(frame.height)
        let (x, y) = (part.x * Double(picture.width), part.y * Double(picture.height))
        full.columns.place(from: x, step: scaleX)
        full.rows.place(from: y, step: scaleY)
        if let chroma {
            // A chroma sample need not lie in the middle of the pixels that it stands for.
            let site = { [format] (axis: Orientation, extent: Int) in
                Grid(axis, plane: 1, format: format, extent: extent).origin
            }
            chroma.columns.place(
                from: (x + (scaleX - 1) * site(.horizontal, frame.width)) / Double(format.chromaStepX), step: scaleX)
            chroma.rows.place(
                from: (y + (scaleY - 1) * site(.vertical, frame.height)) / Double(format.chromaStepY), step: scaleY)
        }
        for taps in [full, chroma].compactMap(\.self) { taps.line.plan(taps.columns, depth: Self.lineDepth) }
        for plane in 0..<format.planeCount {
            draw(source[plane], into: target[plane], format.isChroma(plane: plane) ? chroma ?? full : full)
        }
    }

    /// The depth of averaged rows, in bits.
    private static let lineDepth = 15

    private func draw(_ source: PlaneView, into target: PlaneView, _ taps: Taps) {
        // Columns may be averaged beyond the end of a short row.
        let stride = source.width + taps.line.shortestRow
        let lines = lines.reserve(2 * stride)
        lines.update(repeating: 0, count: 2 * stride)
        let columns = taps.line.taps(depth: Self.lineDepth)
        let averages = averages.reserve(2 * taps.line.columns)
        for row in Swift.stride(from: 0, to: target.height, by: 2) {
            // Two rows at a time, so that the columns' taps are loaded once for both.
            let count = min(2, target.height - row)
            for index in 0..<count { average(source, taps.rows, row + index, into: lines + index * stride) }
            kernels.average(lines, lines + stride, Self.lineDepth, columns, averages)
            for index in 0..<count {
                let line = target.base + (row + index) * target.stride
                store(averages + index * taps.line.columns, target.width, into: line)
            }
        }
    }

    /// Averages the picture's rows that row `row` of the frame sees.
    private func average(_ source: PlaneView, _ axis: AxisTaps, _ row: Int, into line: UnsafeMutablePointer<Int16>) {
        let (rows, weights) = (rows.reserve(axis.taps + 1), weights.reserve(axis.taps + 1))
        var used = 0
        for tap in 0..<axis.taps where axis.weights[row * axis.taps + tap] != 0 {
            rows[used] = UnsafePointer(
                (source.base + (axis.first[row] + tap) * source.stride).assumingMemoryBound(to: UInt8.self))
            weights[used] = axis.weights[row * axis.taps + tap]
            used += 1
        }
        (rows[used], weights[used]) = (rows[used - 1], 0)
        let bias = Averages.bias(mixed: 0, depth: format.depth)
        kernels.sum(
            Averages.Rows(count: used, rows: rows, weights: weights, bias: bias, depth: format.depth), source.width,
            line)
    }

    /// Rounds averages to samples.
    private func store(_ line: UnsafePointer<Int16>, _ count: Int, into target: UnsafeMutableRawPointer) {
        if format.depth == 16 {
            let samples = target.assumingMemoryBound(to: UInt16.self)
            for x in 0..<count { samples[x] = Averages.wide(line[x]) }
            return
        }
        let shift = UInt16(Self.lineDepth - format.depth)
        let half: UInt16 = shift == 0 ? 0 : 1 << (shift - 1)
        if format.depth > 8 {
            let samples = target.assumingMemoryBound(to: UInt16.self)
            for x in 0..<count { samples[x] = (UInt16(bitPattern: line[x]) &+ half) &>> shift }
        } else {
            let samples = target.assumingMemoryBound(to: UInt8.self)
            for x in 0..<count {
                samples[x] = UInt8(truncatingIfNeeded: (UInt16(bitPattern: line[x]) &+ half) &>> shift)
            }
        }
    }
}
