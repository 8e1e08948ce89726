import FlipGeometry

/// Draws a part of a picture as a frame. The part may lie anywhere, in fractions of a sample, and each sample of the frame
/// is the exact mean of the picture over the area that it covers. So a picture that moves slowly moves evenly.
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

    private let format: PictureFormat
    private let picture: (width: Int, height: Int)
    private let frame: (width: Int, height: Int)
    /// The taps of full planes, and of chroma planes if these are smaller.
    private let full: (columns: AxisTaps, rows: AxisTaps)
    private let chroma: (columns: AxisTaps, rows: AxisTaps)?
    /// The means of a row's columns, before they are averaged along the row.
    private let line: UnsafeMutablePointer<Float>

    /// - Parameters:
    ///   - picture: the picture's size in pixels, at least that of the frame.
    ///   - frame: the frame's size in pixels.
    package init(_ format: PictureFormat, picture: (width: Int, height: Int), frame: (width: Int, height: Int)) {
        precondition(picture.width >= frame.width && picture.height >= frame.height)
        (self.format, self.picture, self.frame) = (format, picture, frame)
        full = (
            AxisTaps(length: picture.width, count: frame.width), AxisTaps(length: picture.height, count: frame.height)
        )
        let (x, y) = (format.chromaStepX, format.chromaStepY)
        chroma =
            x == 1 && y == 1
            ? nil
            : (
                AxisTaps(length: (picture.width + x - 1) / x, count: (frame.width + x - 1) / x),
                AxisTaps(length: (picture.height + y - 1) / y, count: (frame.height + y - 1) / y)
            )
        line = .allocate(capacity: picture.width)
    }

    deinit { line.deallocate() }

    /// Draws `part` of `source` into `target`. Both have the format and the sizes that were given.
    package func draw(_ part: Part, of source: PictureView, into target: PictureView) {
        // Pixels of the picture for each pixel of the frame.
        let scaleX = part.width * Double(picture.width) / Double(frame.width)
        let scaleY = part.height * Double(picture.height) / Double(frame.height)
        let (x, y) = (part.x * Double(picture.width), part.y * Double(picture.height))
        full.columns.cover(from: x, step: scaleX)
        full.rows.cover(from: y, step: scaleY)
        if let chroma {
            // A chroma sample need not lie in the middle of the pixels that it stands for.
            let site = { [format] (axis: Orientation, extent: Int) in
                Grid(axis, plane: 1, format: format, extent: extent).origin
            }
            chroma.columns.cover(
                from: (x + (scaleX - 1) * site(.horizontal, frame.width)) / Double(format.chromaStepX), step: scaleX)
            chroma.rows.cover(
                from: (y + (scaleY - 1) * site(.vertical, frame.height)) / Double(format.chromaStepY), step: scaleY)
        }
        for plane in 0..<format.planeCount {
            let taps = format.isChroma(plane: plane) ? chroma ?? full : full
            if format.depth > 8 {
                draw(source[plane], into: target[plane], taps, UInt16.self)
            } else {
                draw(source[plane], into: target[plane], taps, UInt8.self)
            }
        }
    }

    @inline(__always)
    private func draw<Sample: FixedWidthInteger & UnsignedInteger>(
        _ source: PlaneView, into target: PlaneView, _ taps: (columns: AxisTaps, rows: AxisTaps), _ type: Sample.Type
    ) {
        let (columns, rows) = taps
        let most = Float((1 << format.depth) - 1)
        let left = columns.first[0]
        let right = columns.first[columns.count - 1] + columns.taps
        for row in 0..<rows.count {
            var isFirst = true
            for tap in 0..<rows.taps {
                let weight = rows.weights[row * rows.taps + tap]
                if weight == 0 { continue }
                let samples = (source.base + (rows.first[row] + tap) * source.stride).assumingMemoryBound(to: type)
                if isFirst {
                    for x in left..<right { line[x] = weight * Float(samples[x]) }
                } else {
                    for x in left..<right { line[x] += weight * Float(samples[x]) }
                }
                isFirst = false
            }
            let result = (target.base + row * target.stride).assumingMemoryBound(to: type)
            average(columns, most, into: result)
        }
    }

    /// Averages `line` along the row.
    @inline(__always)
    private func average<Sample: FixedWidthInteger & UnsignedInteger>(
        _ columns: AxisTaps, _ most: Float, into result: UnsafeMutablePointer<Sample>
    ) {
        let (first, weights, line) = (columns.first, columns.weights, line)
        switch columns.taps {
        case 2:
            for x in 0..<columns.count {
                let samples = line + first[x]
                let own = weights + 2 &* x
                let mean = own[0] * samples[0] + own[1] * samples[1]
                result[x] = Sample(truncatingIfNeeded: Int32(min(mean, most) + 0.5))
            }
        case 3:
            for x in 0..<columns.count {
                let samples = line + first[x]
                let own = weights + 3 &* x
                let mean = own[0] * samples[0] + own[1] * samples[1] + own[2] * samples[2]
                result[x] = Sample(truncatingIfNeeded: Int32(min(mean, most) + 0.5))
            }
        default:
            for x in 0..<columns.count {
                var mean: Float = 0
                for tap in 0..<columns.taps { mean += weights[x &* columns.taps &+ tap] * line[first[x] &+ tap] }
                result[x] = Sample(truncatingIfNeeded: Int32(min(mean, most) + 0.5))
            }
        }
    }
}
