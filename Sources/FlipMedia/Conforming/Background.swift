import FlipBase
import FlipFiles

/// The color beside and behind pictures, as samples of one pixel format.
package struct Background {
    private let pixelFormat: PixelFormat
    /// One sample per plane, in libav's order of planes.
    package let samples: [UInt16]

    package init(_ conform: VideoConform) {
        pixelFormat = conform.pixelFormat
        let (red, green, blue) = conform.background
        let colors = conform.colors.samples(red: red, green: green, blue: blue)
        // Alpha is always full range.
        let most = Double(1 << conform.pixelFormat.depth - 1)
        samples = colors + (conform.pixelFormat.hasAlpha ? [UInt16((conform.backgroundAlpha * most).rounded())] : [])
    }

    /// Copies `picture` into `frame` with its upper left corner at `offset`, a whole number of chroma samples, and fills
    /// the rest.
    package func surround(_ picture: PictureMemory, at offset: (x: Int, y: Int), in frame: PictureMemory) {
        let stepX = pixelFormat.chromaStepX
        let stepY = pixelFormat.chromaStepY
        for index in samples.indices {
            let isChroma = pixelFormat.components == .yuv && (1...2).contains(index)
            let size = pixelFormat.planeSize(index, width: frame.width, height: frame.height)
            let inner = pixelFormat.planeSize(index, width: picture.width, height: picture.height)
            let (left, top) = isChroma ? (offset.x / stepX, offset.y / stepY) : offset
            let (target, stride) = frame.planes[index]
            let bytes = pixelFormat.bytesPerSample
            for row in 0..<size.height {
                let line = target + row * stride
                guard row >= top, row < top + inner.height else {
                    fill(line, count: size.width, with: samples[index])
                    continue
                }
                fill(line, count: left, with: samples[index])
                let right = left + min(inner.width, size.width - left)
                fill(line + right * bytes, count: size.width - right, with: samples[index])
            }
        }
        place(picture, at: offset, in: frame)
    }

    /// Copies `picture` into `frame` with its upper left corner at `offset`, a whole number of chroma samples.
    package func place(_ picture: PictureMemory, at offset: (x: Int, y: Int), in frame: PictureMemory) {
        for index in samples.indices {
            let isChroma = pixelFormat.components == .yuv && (1...2).contains(index)
            let size = pixelFormat.planeSize(index, width: frame.width, height: frame.height)
            let inner = pixelFormat.planeSize(index, width: picture.width, height: picture.height)
            let (left, top) =
                isChroma ? (offset.x / pixelFormat.chromaStepX, offset.y / pixelFormat.chromaStepY) : offset
            let (source, sourceStride) = picture.planes[index]
            let (target, stride) = frame.planes[index]
            let bytes = pixelFormat.bytesPerSample
            for row in 0..<min(inner.height, size.height - top) {
                memcpy(
                    target + (row + top) * stride + left * bytes, source + row * sourceStride,
                    min(inner.width, size.width - left) * bytes)
            }
        }
    }

    /// Fills all of `frame`.
    package func fill(_ frame: PictureMemory) {
        for index in samples.indices {
            let size = pixelFormat.planeSize(index, width: frame.width, height: frame.height)
            let (base, stride) = frame.planes[index]
            for row in 0..<size.height { fill(base + row * stride, count: size.width, with: samples[index]) }
        }
    }

    private func fill(_ line: UnsafeMutableRawPointer, count: Int, with sample: UInt16) {
        if pixelFormat.bytesPerSample == 1 {
            memset(line, Int32(sample), count)
        } else {
            line.bindMemory(to: UInt16.self, capacity: count).update(repeating: sample, count: count)
        }
    }

    /// Composites G'B'R'A over an opaque color. It blends the nonlinear values, as compositors in sRGB do.
    ///
    /// - Parameters:
    ///   - picture: four planes of 8 or 16 bits: green, blue, red and alpha. The colors are not premultiplied.
    ///   - white: the samples of white and of opaque pixels in `picture`, which libswscale makes less than 65535, and that
    ///     of white in `frame`. They are for 16 bits only.
    ///   - color: the color's green, blue and red, as samples.
    ///   - frame: three planes of the same size and depth.
    package static func flatten(
        _ picture: PictureMemory, white: (color: Float, alpha: Float, result: Float), onto color: [UInt16],
        into frame: PictureMemory, depth: Int
    ) {
        let (alpha, alphaStride) = picture.planes[3]
        for index in 0..<3 {
            let (source, sourceStride) = picture.planes[index]
            let (target, stride) = frame.planes[index]
            for row in 0..<frame.height {
                let (front, cover) = (source + row * sourceStride, alpha + row * alphaStride)
                let result = target + row * stride
                if depth == 8 {
                    blend8(front, cover, Int32(color[index]), result, frame.width)
                } else {
                    blend16(front, cover, white, Float(color[index]), result, frame.width)
                }
            }
        }
    }

    private static func blend8(
        _ front: UnsafeMutableRawPointer, _ cover: UnsafeMutableRawPointer, _ behind: Int32,
        _ result: UnsafeMutableRawPointer, _ count: Int
    ) {
        let front = front.assumingMemoryBound(to: UInt8.self)
        let cover = cover.assumingMemoryBound(to: UInt8.self)
        let result = result.assumingMemoryBound(to: UInt8.self)
        for x in 0..<count {
            let mixed = Int32(front[x]) &* Int32(cover[x]) &+ behind &* (255 &- Int32(cover[x]))
            result[x] = UInt8(truncatingIfNeeded: (mixed &+ 127) / 255)
        }
    }

    private static func blend16(
        _ front: UnsafeMutableRawPointer, _ cover: UnsafeMutableRawPointer,
        _ white: (color: Float, alpha: Float, result: Float), _ behind: Float, _ result: UnsafeMutableRawPointer,
        _ count: Int
    ) {
        let front = front.assumingMemoryBound(to: UInt16.self)
        let cover = cover.assumingMemoryBound(to: UInt16.self)
        let result = result.assumingMemoryBound(to: UInt16.self)
        let (scale, resultScale) = (65535 / white.color, white.result / 65535)
        for x in 0..<count {
            let weight = min(Float(cover[x]) / white.alpha, 1)
            let mixed = min(Float(front[x]) * scale, 65535) * weight + behind * (1 - weight)
            result[x] = UInt16(truncatingIfNeeded: Int32(mixed * resultScale + 0.5))
        }
    }
}

extension PictureMemory {
    /// Whether all pixels of a picture in `format`, which is planar and has alpha, are opaque.
    package func isOpaque(_ format: PixelFormat) -> Bool {
        let (base, stride) = planes[planes.count - 1]
        let most = UInt16(1 << format.depth - 1)
        return (0..<height).allSatisfy { row in
            let line = base + row * stride
            if format.bytesPerSample == 1 {
                let samples = line.assumingMemoryBound(to: UInt8.self)
                return (0..<width).allSatisfy { samples[$0] == 255 }
            }
            let samples = line.assumingMemoryBound(to: UInt16.self)
            return (0..<width).allSatisfy { samples[$0] >= most }
        }
    }
}

extension PixelFormat {
    /// What libswscale makes of the alpha of opaque pixels in this format if it converts them to 16 bits.
    package var opaqueIn16Bits: Float {
        if isRGB { return depth == 8 ? 65532 : 65535 }
        return Float((1 << depth - 1) << (16 - min(depth, 16)))
    }

    /// What libswscale makes of white in this format if it converts it to R'G'B' of 16 bits.
    package var whiteIn16Bits: Float { depth == 8 ? 65280 : 65535 }
}
