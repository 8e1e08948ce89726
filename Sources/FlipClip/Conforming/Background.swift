import FlipFiles

/// The color beside and behind pictures, as samples of one pixel format.
package struct Background {
    private let pixelFormat: PixelFormat
    /// One sample per plane, in libav's order of planes.
    package let samples: [UInt16]

    package init(_ conform: VideoConform) {
        pixelFormat = conform.pixelFormat
        let (red, green, blue) = conform.background
        let cover = conform.pixelFormat.hasAlpha ? [conform.backgroundAlpha] : []
        let isFull = conform.color.usesFullRange(conform.pixelFormat)
        let top = Double(1 << conform.pixelFormat.depth - 1)
        // ITU-T H.273 8.3: at n bits, limited-range luma is 16...235 and chroma 16...240, times 2^(n - 8).
        let unit = Double(1 << (conform.pixelFormat.depth - 8))
        let quantise = { (value: Double) in UInt16((isFull ? value * top : (16 + 219 * value) * unit).rounded()) }
        // Alpha is always full range.
        let alpha = cover.map { UInt16(($0 * top).rounded()) }
        if conform.pixelFormat.components == .gbr {
            samples = [green, blue, red].map(quantise) + alpha
            return
        }
        let matrix = ColorChange.family(conform.color.assumedMatrix(width: conform.width, height: conform.height))
        let (weightRed, weightBlue) = Self.lumaWeights(matrix)
        let luma = weightRed * red + (1 - weightRed - weightBlue) * green + weightBlue * blue
        let middle = Double(1 << (conform.pixelFormat.depth - 1))
        let chroma = [(blue - luma) / (2 * (1 - weightBlue)), (red - luma) / (2 * (1 - weightRed))].map {
            UInt16(min(top, (middle + $0 * (isFull ? top : 224 * unit)).rounded()))
        }
        samples = [quantise(luma)] + (conform.pixelFormat.components == .gray ? [] : chroma) + alpha
    }

    /// The weights of red and blue in luma (ITU-T H.273 table 4).
    private static func lumaWeights(_ matrix: String) -> (red: Double, blue: Double) {
        switch matrix {
        case "bt601": (0.299, 0.114)
        case "bt2020": (0.2627, 0.0593)
        case "smpte240m": (0.212, 0.087)
        case "fcc": (0.30, 0.11)
        default: (0.2126, 0.0722)
        }
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

    /// Composites 8-bit G'B'R'A over an opaque color. It blends the nonlinear values, as compositors in sRGB do.
    ///
    /// - Parameters:
    ///   - picture: four planes: green, blue, red and alpha. The colors are not premultiplied.
    ///   - frame: three planes of the same size.
    ///   - color: R'G'B', each 0...1.
    package static func flatten(
        _ picture: PictureMemory, onto color: (red: Double, green: Double, blue: Double), into frame: PictureMemory
    ) {
        let behind = [color.green, color.blue, color.red].map { Int32(($0 * 255).rounded()) }
        let (alpha, alphaStride) = picture.planes[3]
        for index in 0..<3 {
            let (source, sourceStride) = picture.planes[index]
            let (target, stride) = frame.planes[index]
            for row in 0..<frame.height {
                let front = (source + row * sourceStride).assumingMemoryBound(to: UInt8.self)
                let cover = (alpha + row * alphaStride).assumingMemoryBound(to: UInt8.self)
                let result = (target + row * stride).assumingMemoryBound(to: UInt8.self)
                for x in 0..<frame.width {
                    let mixed = Int32(front[x]) &* Int32(cover[x]) &+ behind[index] &* (255 &- Int32(cover[x]))
                    result[x] = UInt8(truncatingIfNeeded: (mixed &+ 127) / 255)
                }
            }
        }
    }
}
