import FlipMedia
import FlipRaster

/// Draws pictures over frames of one format, in the frame's own planes. Colors are mixed as they are encoded, as players
/// and compositors do.
package struct OverlayBlender {
    private let format: PictureFormat

    /// - Parameter format: the planar native format of the frames.
    package init(_ format: PictureFormat) { self.format = format }

    /// Draws `picture` over `frame`.
    package func draw(_ picture: OverlayPicture, over frame: PictureMemory) {
        let alpha = format.hasAlpha ? AlphaPlane(frame, format) : nil
        for (index, plane) in picture.planes.enumerated() {
            plane.samples.withUnsafeBufferPointer { samples in
                plane.cover.withUnsafeBufferPointer { cover in
                    guard let samples = samples.baseAddress, let cover = cover.baseAddress else { return }
                    let part = Part(
                        plane: index, x: plane.x, y: plane.y, width: plane.width, height: plane.height,
                        cover: cover, coverStride: plane.width)
                    blend(samples, stride: plane.width, part, alpha, frame)
                }
            }
        }
        guard let alpha else { return }
        picture.cover.cover.withUnsafeBufferPointer { cover in
            guard let cover = cover.baseAddress else { return }
            let plane = picture.cover
            alpha.raise(
                x: plane.x, y: plane.y, width: plane.width, height: plane.height, cover, coverStride: plane.width)
        }
    }

    /// Draws a picture of the frame's format without alpha over `frame`.
    /// - Parameters:
    ///   - offset: where its upper left corner lies, at a whole number of chroma samples.
    ///   - opacity: how much of the frame it covers, up to `OverlayPicture.opaque`.
    package func draw(
        _ picture: PictureMemory, at offset: (x: Int, y: Int), opacity: UInt16, over frame: PictureMemory
    ) {
        let alpha = format.hasAlpha ? AlphaPlane(frame, format) : nil
        let line = [UInt16](repeating: opacity, count: picture.width)
        line.withUnsafeBufferPointer { line in
            guard let cover = line.baseAddress else { return }
            for index in 0..<format.colorPlaneCount {
                let isChroma = format.isChroma(plane: index)
                let size = format.planeSize(index, width: picture.width, height: picture.height)
                let part = Part(
                    plane: index, x: isChroma ? offset.x / format.chromaStepX : offset.x,
                    y: isChroma ? offset.y / format.chromaStepY : offset.y, width: size.width, height: size.height,
                    cover: cover, coverStride: 0)
                let (base, stride) = picture.planes[index]
                if format.bytesPerSample == 1 {
                    blend(base.assumingMemoryBound(to: UInt8.self), stride: stride, part, alpha, frame)
                } else {
                    blend(base.assumingMemoryBound(to: UInt16.self), stride: stride / 2, part, alpha, frame)
                }
            }
            alpha?.raise(x: offset.x, y: offset.y, width: picture.width, height: picture.height, cover, coverStride: 0)
        }
    }

    /// A rectangle of one of the frame's planes, in samples, and how much each of them is covered.
    private struct Part {
        let plane: Int
        let x: Int
        let y: Int
        let width: Int
        let height: Int
        let cover: UnsafePointer<UInt16>
        /// The samples from one row of `cover` to the next; 0 if all rows are the same.
        let coverStride: Int
    }

    private func blend<Sample: FixedWidthInteger & UnsignedInteger>(
        _ samples: UnsafePointer<Sample>, stride: Int, _ part: Part, _ alpha: AlphaPlane?, _ frame: PictureMemory
    ) {
        let size = format.planeSize(part.plane, width: frame.width, height: frame.height)
        let (columns, rows) = (min(part.width, size.width - part.x), min(part.height, size.height - part.y))
        guard columns > 0, rows > 0 else { return }
        let (base, frameStride) = frame.planes[part.plane]
        for row in 0..<rows {
            let line = base + (part.y + row) * frameStride + part.x * format.bytesPerSample
            let source = samples + row * stride
            let cover = part.cover + row * part.coverStride
            let behind = alpha?.row(part.y + row, from: part.x, count: columns, plane: part.plane)
            if format.bytesPerSample == 1 {
                let target = line.assumingMemoryBound(to: UInt8.self)
                if let behind {
                    Self.mix(target, source, cover, behind, columns)
                } else {
                    Self.mix(target, source, cover, columns)
                }
            } else {
                let target = line.assumingMemoryBound(to: UInt16.self)
                if let behind {
                    Self.mix(target, source, cover, behind, columns)
                } else {
                    Self.mix(target, source, cover, columns)
                }
            }
        }
    }

    /// The mean of opaque samples and those over them.
    @inline(__always)
    private static func mix<Target: FixedWidthInteger & UnsignedInteger, Sample: FixedWidthInteger & UnsignedInteger>(
        _ target: UnsafeMutablePointer<Target>, _ samples: UnsafePointer<Sample>, _ cover: UnsafePointer<UInt16>,
        _ count: Int
    ) {
        for x in 0..<count {
            let weight = UInt32(cover[x])
            let mixed =
                UInt32(truncatingIfNeeded: target[x]) &* (65535 &- weight) &+ UInt32(truncatingIfNeeded: samples[x])
                &* weight &+ 32767
            target[x] = Target(truncatingIfNeeded: mixed / 65535)
        }
    }

    /// The same over samples of which only `behind`, 0...1, is there.
    @inline(__always)
    private static func mix<Target: FixedWidthInteger & UnsignedInteger, Sample: FixedWidthInteger & UnsignedInteger>(
        _ target: UnsafeMutablePointer<Target>, _ samples: UnsafePointer<Sample>, _ cover: UnsafePointer<UInt16>,
        _ behind: [Float], _ count: Int
    ) {
        for x in 0..<count where cover[x] > 0 {
            let front = Float(cover[x]) / 65535
            let rest = behind[x] * (1 - front)
            let mixed = (Float(samples[x]) * front + Float(target[x]) * rest) / (front + rest)
            target[x] = Target(truncatingIfNeeded: Int32(mixed + 0.5))
        }
    }
}

/// The alpha plane of a frame, which is the last one and in full resolution and range.
private struct AlphaPlane {
    private let base: UnsafeMutableRawPointer
    private let stride: Int
    private let bytes: Int
    private let width: Int
    private let height: Int
    private let most: Float
    private let format: PictureFormat
    /// The pixels that each chroma sample stands for; nil if chroma isn't subsampled.
    private let chroma: (columns: [ChromaTaps], rows: [ChromaTaps])?

    init(_ frame: PictureMemory, _ format: PictureFormat) {
        self.format = format
        let isSubsampled = format.components == .yuv && format.chromaStepX * format.chromaStepY > 1
        chroma =
            isSubsampled
            ? (
                ChromaTaps.list(.horizontal, format, extent: frame.width, within: 0..<frame.width).taps,
                ChromaTaps.list(.vertical, format, extent: frame.height, within: 0..<frame.height).taps
            ) : nil
        (base, stride) = frame.planes[frame.planes.count - 1]
        (width, height) = (frame.width, frame.height)
        bytes = format.bytesPerSample
        most = Float(1 << format.depth - 1)
    }

    private func value(_ x: Int, _ y: Int) -> Float {
        let line = base + y * stride
        return bytes == 1
            ? Float(line.assumingMemoryBound(to: UInt8.self)[x]) : Float(line.assumingMemoryBound(to: UInt16.self)[x])
    }

    /// The alpha, 0...1, of `count` samples of row `y` of color plane `plane`: the mean over each sample's footprint.
    func row(_ y: Int, from x: Int, count: Int, plane: Int) -> [Float] {
        guard let chroma, format.isChroma(plane: plane) else { return (x..<x + count).map { value($0, y) / most } }
        let rows = chroma.rows[y]
        return chroma.columns[x..<x + count].map { columns in
            var sum: Float = 0
            for line in rows.pixels {
                for place in columns.pixels { sum += value(place, line) * Float(rows[line] * columns[place]) }
            }
            return sum / (Float(rows.total * columns.total) * most)
        }
    }

    /// Adds what `cover` covers.
    func raise(x: Int, y: Int, width: Int, height: Int, _ cover: UnsafePointer<UInt16>, coverStride: Int) {
        for row in 0..<min(height, self.height - y) {
            let line = base + (y + row) * stride
            for column in 0..<min(width, self.width - x) {
                let front = Float(cover[row * coverStride + column]) / 65535
                let behind = value(x + column, y + row)
                let raised = UInt16(most * front + behind * (1 - front) + 0.5)
                if bytes == 1 {
                    line.assumingMemoryBound(to: UInt8.self)[x + column] = UInt8(truncatingIfNeeded: raised)
                } else {
                    line.assumingMemoryBound(to: UInt16.self)[x + column] = raised
                }
            }
        }
    }
}
