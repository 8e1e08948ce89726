import CLibav
import FlipBase
import FlipClip

/// Converts pictures from an ICC profile that video has no name for to sRGB, in 16 bits.
enum ProfileConverter {
    /// Returns the converted picture; `frame` itself if it has no such profile.
    static func convert(_ frame: Frame, threads: Int) throws(MediaError) -> Frame {
        let picture = frame.pointer.pointee
        guard picture.color_primaries == AVCOL_PRI_UNSPECIFIED || picture.color_primaries == AVCOL_PRI_RESERVED0,
            let change = ColorProfile(of: picture)?.change,
            let shape = PictureShape(frame, sampleAspectRatio: Rational(1))
        else { return frame }
        let rgb = PictureShape.rgb(16, (shape.width, shape.height), hasAlpha: shape.pixelFormat.hasAlpha)
        let conform = VideoConform(
            width: rgb.width, height: rgb.height, frameRate: Rational(1), pixelFormat: rgb.pixelFormat, color: rgb.color
        )
        let wide = try PictureConverter(from: shape, transform: .identity, to: conform, threads: threads).convert(frame)
        let color = ColorDescription(primaries: "bt709", transfer: "iec61966-2-1", matrix: "gbr", isFullRange: true)
        let pool = try FramePool(width: rgb.width, height: rgb.height, pixelFormat: rgb.pixelFormat, color: color)
        let result = try pool.make()
        for plane in 0..<result.planeCount {
            let (source, target) = (wide.plane(plane), result.plane(plane))
            for row in 0..<rgb.height {
                (target.base + row * target.stride).copyMemory(
                    from: source.base + row * source.stride, byteCount: 2 * rgb.width)
            }
        }
        let row = { (plane: Int, row: Int) in
            let (base, stride) = result.plane(plane)
            return (base + row * stride).assumingMemoryBound(to: UInt16.self)
        }
        // libav's planes are green, blue and red.
        for y in 0..<rgb.height { change.convert(red: row(2, y), green: row(0, y), blue: row(1, y), count: rgb.width) }
        let target = result.frame.pointer
        target.pointee.sample_aspect_ratio = picture.sample_aspect_ratio
        target.pointee.pts = picture.pts
        target.pointee.best_effort_timestamp = picture.best_effort_timestamp
        return result.frame
    }
}
