import CLibav
import Dispatch
import FlipBase

/// Converts pictures with an ICC profile that video has no name for, and pictures of four inks, to sRGB in 16 bits.
enum ProfileConverter {
    /// The colors of converted pictures.
    static let color = ColorDescription(primaries: "bt709", transfer: "iec61966-2-1", matrix: "gbr", isFullRange: true)

    /// Returns the converted picture; `frame` itself if there is nothing to convert.
    /// - Parameter inks: how the picture's inks are stored; nil if it has none.
    static func convert(_ frame: Frame, inks: InkPicture?, threads: Int) throws(MediaError) -> Frame {
        let picture = frame.pointer.pointee
        guard let shape = PictureShape(frame, sampleAspectRatio: Rational(1)) else { return frame }
        if let inks {
            let change = ColorProfile(of: picture)?.change(of: shape.pixelFormat, isInks: true)
            let sources = try inks.components(frame, shape, threads)
            return try convert(frame, shape, sources, change, alpha: nil, threads)
        }
        guard picture.color_primaries == AVCOL_PRI_UNSPECIFIED || picture.color_primaries == AVCOL_PRI_RESERVED0,
            let change = ColorProfile(of: picture)?.change(of: shape.pixelFormat)
        else { return frame }
        let hasAlpha = shape.pixelFormat.hasAlpha
        let depth = shape.pixelFormat.depth > 8 || hasAlpha ? 16 : 8
        let rgb = try planar(frame, shape, as: .planarRGB(depth: depth, hasAlpha: hasAlpha), threads)
        // libav's planes are green, blue and red.
        let sources = [2, 0, 1].map { Component(picture: rgb, plane: $0) }
        let alpha = hasAlpha ? Component(picture: rgb, plane: 3) : nil
        return try convert(frame, shape, sources, change, alpha: alpha, threads)
    }

    /// One component of a picture in planes of 8 or 16 bits.
    struct Component: @unchecked Sendable {
        var picture: VideoFrame
        var plane: Int
        /// Whether the largest sample stands for no ink.
        var isInverted = false

        /// The samples of row `y`.
        func row<Sample>(_ y: Int) -> UnsafePointer<Sample> {
            let (base, stride) = picture.plane(plane)
            return UnsafePointer((base + y * stride).assumingMemoryBound(to: Sample.self))
        }

        /// The samples of row `y` as amounts of ink, or as they are.
        func samples<Sample: FixedWidthInteger>(_ y: Int, _ count: Int) -> [Sample] {
            let row: UnsafePointer<Sample> = row(y)
            let flip: Sample = isInverted ? .max : 0
            return (0..<count).map { row[$0] ^ flip }
        }
    }

    /// The picture converted to `format`, which is planar.
    static func planar(
        _ frame: Frame, _ shape: PictureShape, as format: PixelFormat, _ threads: Int
    ) throws(MediaError) -> VideoFrame {
        var color = shape.color
        if format.isRGB { color = ColorDescription(matrix: "gbr", isFullRange: true) }
        let conform = VideoConform(
            width: shape.width, height: shape.height, frameRate: Rational(1), pixelFormat: format, color: color)
        return try PictureConverter(from: shape, transform: .identity, to: conform, threads: threads).convert(
            try frame.newReference())
    }

    /// - Parameters:
    ///   - sources: the components that `change` takes, or the inks to mix without it.
    ///   - alpha: 16-bit alpha to keep; nil for none.
    private static func convert(
        _ frame: Frame, _ shape: PictureShape, _ sources: [Component], _ change: ProfileChange?, alpha: Component?,
        _ threads: Int
    ) throws(MediaError) -> Frame {
        let (width, height) = (shape.width, shape.height)
        let format = PixelFormat.planarRGB(depth: 16, hasAlpha: alpha != nil)
        let result = try FramePool(width: width, height: height, pixelFormat: format, color: color).make()
        let isWide = sources[0].picture.depth > 8
        let count = min(max(threads, 1), height)
        DispatchQueue.concurrentPerform(iterations: count) { part in
            for y in part * height / count..<(part + 1) * height / count {
                let targets = [2, 0, 1].map { plane in
                    let (base, stride) = result.plane(plane)
                    return (base + y * stride).assumingMemoryBound(to: UInt16.self)
                }
                if isWide {
                    let rows: [[UInt16]] = sources.map { $0.samples(y, width) }
                    mix(rows, change, into: targets, width)
                } else {
                    let rows: [[UInt8]] = sources.map { $0.samples(y, width) }
                    mix(rows, change, into: targets, width)
                }
                if let alpha {
                    let (base, stride) = result.plane(3)
                    let row: UnsafePointer<UInt16> = alpha.row(y)
                    (base + y * stride).copyMemory(from: row, byteCount: 2 * width)
                }
            }
        }
        let picture = frame.pointer.pointee
        let target = result.frame.pointer
        target.pointee.sample_aspect_ratio = picture.sample_aspect_ratio
        target.pointee.pts = picture.pts
        target.pointee.best_effort_timestamp = picture.best_effort_timestamp
        return result.frame
    }

    /// Converts a row by `change`. Without it, the inks take their share of the light, as in pictures whose inks nothing is
    /// known of.
    private static func mix<Sample: FixedWidthInteger>(
        _ rows: [[Sample]], _ change: ProfileChange?, into targets: [UnsafeMutablePointer<UInt16>], _ count: Int
    ) {
        guard let change else {
            let full = Float(Sample.max)
            for (target, ink) in zip(targets, rows.dropLast()) {
                for x in 0..<count {
                    let light = (1 - Float(ink[x]) / full) * (1 - Float(rows[3][x]) / full)
                    target[x] = UInt16(65535 * light + 0.5)
                }
            }
            return
        }
        change.convert(rows, into: targets, count: count)
    }
}
