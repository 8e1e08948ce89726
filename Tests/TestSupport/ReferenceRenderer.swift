import Dispatch
import FlipGeometry
import FlipRaster

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The definition of every frame (EFFECTS 1 to 7), implemented in the simplest way: each output sample is the mean of
/// many camera rays through its own footprint. It shares no code for geometry or drawing with the program that it
/// judges.
package enum Reference {
    /// The frame that `style` with `look` shows at `progress`, with `samplesPerAxis`² rays per output sample.
    ///
    /// `a` and `b` must have the same format and size. Colors are encoded as the format prescribes. If `part` is given
    /// (in luma pixels, beginning at a multiple of the chroma steps), only its samples are drawn. `gloss` is the color of
    /// gloss, instead of diffuse white; nil for none.
    package static func render(
        style: String, look: Look, background: Color = .black, progress: Double, from a: TestPicture, to b: TestPicture,
        samplesPerAxis: Int = 16, part: (columns: Range<Int>, rows: Range<Int>)? = nil, gloss: Color? = .white
    ) -> TestPicture {
        precondition(a.format == b.format && a.width == b.width && a.height == b.height)
        // EFFECTS 1: p = 0 is exactly A and p = 1 is exactly B, regardless of the look.
        if progress <= 0 { return a }
        if progress >= 1 { return b }
        if style == "dissolve" { return mix(a, b, progress) }
        if style == "dip" {
            return progress <= 0.5 ? fade(a, 1 - 2 * progress, look.through) : fade(b, 2 * progress - 1, look.through)
        }
        if style == "wipe" { return wipe(a, b, look, progress, positions: 4 * samplesPerAxis * samplesPerAxis) }
        if style == "curl" {
            return curl(
                look: look, background: background, progress: progress, from: a, to: b,
                samplesPerAxis: samplesPerAxis, part: part, gloss: gloss)
        }
        let shadow = a.format.encode(look.shadowColor)
        let behind = a.format.encode(background)
        var result = a
        for plane in a.planes.indices {
            let painter = PlanePainter(
                plane: plane, style: style, look: look, progress: progress, a: a, b: b, samplesPerAxis: samplesPerAxis,
                shadow: shadow[plane], background: behind[plane],
                white: gloss.map { a.format.encode($0)[plane] })
            result.planes[plane] = painter.paint(a.samples(ofPlane: plane, in: part))
        }
        return result
    }
}

extension Reference {
    /// A (1 - p) + B p for every sample.
    private static func mix(_ a: TestPicture, _ b: TestPicture, _ p: Double) -> TestPicture {
        var result = a
        for plane in a.planes.indices {
            for (index, (from, to)) in zip(a.planes[plane], b.planes[plane]).enumerated() {
                result.planes[plane][index] = UInt16((Double(from) * (1 - p) + Double(to) * p).rounded())
            }
        }
        return result
    }

    /// The picture that is left of `picture` with weight `part` in front of `color`.
    private static func fade(_ picture: TestPicture, _ part: Double, _ color: Color) -> TestPicture {
        var result = picture
        for (plane, value) in picture.format.encode(color).enumerated() {
            result.planes[plane] = picture.planes[plane].map {
                UInt16((Double($0) * part + value * (1 - part)).rounded())
            }
        }
        return result
    }
}

/// The camera's position: its coordinates along and across the motion, and its height above the screen.
private struct Camera {
    var along: Double
    var across: Double
    var height: Double
}

/// The intersection of a surface with one plane of rays: all rays with the same screen coordinate along the motion.
private struct Hit {
    var z: Double
    var isOnTop: Bool
    var isOutgoing: Bool
    /// The index of the texture's footprint along the motion.
    var textureIndex: Int
    var shade: Double
    var gloss: Double
    /// The texture coordinate across the motion is `origin + scale * w`, where w is the screen coordinate.
    var origin: Double
    var scale: Double
    /// How far the point lies inside the zone of rounded corners, in texture pixels; 0 or negative outside the zone.
    var cornerDepth: Double
}

/// The footprints of a plane's samples along one axis of the frame.
private struct Footprints {
    let start: Double
    let step: Double
    let count: Int
    let frame: Double

    /// The part of footprint `index` that lies inside the frame.
    func clipped(_ index: Int) -> (low: Double, size: Double) {
        let low = max(0, start + Double(index) * step)
        return (low, min(frame, start + Double(index + 1) * step) - low)
    }

    /// The index of the footprint at `position`; positions outside belong to the outermost footprints.
    func index(at position: Double) -> Int { min(max(Int(((position - start) / step).rounded(.down)), 0), count - 1) }
}

private struct PlanePainter: @unchecked Sendable {
    let plane: Int
    let scene: ReferenceScene
    let look: Look
    let a: TestPicture
    let b: TestPicture
    let samplesPerAxis: Int
    let shadow: Double
    let background: Double
    /// The color of gloss; nil for none.
    let white: Double?
    let camera: Camera
    let isVertical: Bool
    let along: Footprints
    let across: Footprints
    let cornerRadius: Double
    /// The scale at which the finished scene is seen about the frame's center (EFFECTS 9).
    let scale: Double

    init(
        plane: Int, style: String, look: Look, progress: Double, a: TestPicture, b: TestPicture, samplesPerAxis: Int,
        shadow: Double, background: Double, white: Double?
    ) {
        isVertical = look.orientation == .vertical
        let size = a.planeSize(plane)
        let format = a.format
        let axis = { (vertical: Bool) in
            let (start, step) = format.footprints(plane: plane, isVertical: vertical)
            return Footprints(
                start: start, step: step, count: vertical ? size.height : size.width,
                frame: format.extent(of: a, isVertical: vertical))
        }
        along = axis(isVertical)
        across = axis(!isVertical)
        scene = ReferenceScene(style: style, look: look, progress: progress, length: along.frame, breadth: across.frame)
        camera = Camera(
            along: (isVertical ? look.viewpoint.y : look.viewpoint.x) * along.frame,
            across: (isVertical ? look.viewpoint.x : look.viewpoint.y) * across.frame,
            height: look.perspective == 0 ? .infinity : look.perspective * scene.pageLength)
        scale = style == "card" ? 1 : 1 - (1 - look.pullBack) * pow(sin(.pi * progress), 2)
        cornerRadius = min(look.cornerRadius, min(along.frame, across.frame) / 2)
        self.plane = plane
        self.look = look
        self.a = a
        self.b = b
        self.samplesPerAxis = samplesPerAxis
        self.shadow = shadow
        self.background = background
        self.white = white
    }

    func paint(_ part: (columns: Range<Int>, rows: Range<Int>)) -> [UInt16] {
        let (lines, others) = isVertical ? (part.rows, part.columns) : (part.columns, part.rows)
        let stride = a.planeSize(plane).width
        var output = [UInt16](repeating: 0, count: a.planes[plane].count)
        output.withUnsafeMutableBufferPointer { output in
            nonisolated(unsafe) let output = output
            a.planes[plane].withUnsafeBufferPointer { outgoing in
                b.planes[plane].withUnsafeBufferPointer { incoming in
                    nonisolated(unsafe) let textures = (outgoing, incoming)
                    DispatchQueue.concurrentPerform(iterations: lines.count) { index in
                        paint(line: lines.lowerBound + index, others, stride: stride, textures, output)
                    }
                }
            }
        }
        return output
    }

    /// Paints the samples whose footprints share `line`, an index along the motion, at indices `others` across it.
    ///
    /// Ray k of n² lies in the k-th of n² equal parts of the footprint along the motion. Across the motion it lies in
    /// the part whose number is k with its two digits in base n exchanged. The rays form an n x n grid that also has n²
    /// distinct positions along each axis.
    private func paint(
        line: Int, _ others: Range<Int>, stride: Int,
        _ textures: (UnsafeBufferPointer<UInt16>, UnsafeBufferPointer<UInt16>),
        _ output: UnsafeMutableBufferPointer<UInt16>
    ) {
        let n = samplesPerAxis
        let rays = n * n
        let span = along.clipped(line)
        let positions = (0..<rays).map { scaled(span.low + span.size * (Double($0) + 0.5) / Double(rays), along.frame) }
        let hits = positions.map(meet)
        let bookAlong = positions.map { bookShade($0, isAlong: true) }
        let isShadowed = scene.bookShadow != nil
        for other in others {
            let breadth = across.clipped(other)
            var sum = 0.0
            for k in 0..<rays {
                let w = scaled(
                    breadth.low + breadth.size * (Double(k % n * n + k / n) + 0.5) / Double(rays), across.frame)
                if let (hit, v) = nearest(hits[k], w) {
                    let j = across.index(at: v)
                    let place = isVertical ? hit.textureIndex * stride + j : j * stride + hit.textureIndex
                    let texture = Double(hit.isOutgoing ? textures.0[place] : textures.1[place])
                    let shaded = texture * (1 - hit.shade) + shadow * hit.shade
                    sum += white.map { shaded * (1 - hit.gloss) + $0 * hit.gloss } ?? shaded
                } else if isShadowed {
                    let shade = clampedShade(0.5 * bookAlong[k] * bookShade(w, isAlong: false))
                    sum += background * (1 - shade) + shadow * shade
                } else {
                    sum += background
                }
            }
            let place = isVertical ? line * stride + other : other * stride + line
            output[place] = UInt16((sum / Double(rays)).rounded())
        }
    }

    /// The scene's coordinate that is seen at `position` in a frame of this extent.
    private func scaled(_ position: Double, _ extent: Double) -> Double { extent / 2 + (position - extent / 2) / scale }

    private func clampedShade(_ a: Double) -> Double { min(max(a * look.shadowStrength, 0), 1) }

    /// The intersections of the rays through screen coordinate `u` along the motion with the surfaces, nearest first.
    private func meet(_ u: Double) -> [Hit] {
        var hits: [Hit] = []
        for surface in scene.surfaces {
            // At height z, the ray is at camera + (u - camera) * (1 - z / height).
            let lean = (u - camera.along) / camera.height
            let closing = surface.step.m + lean * surface.step.z
            if abs(closing) < 1e-12 || closing * surface.seenSide < 0 { continue }
            let d = (u - lean * surface.hinge.z - surface.hinge.m) / closing
            let z = surface.hinge.z + surface.step.z * d
            guard d >= -1e-9, d <= surface.length + 1e-9, z < camera.height * (1 - 1e-9) else { continue }
            let depth = 1 - z / camera.height
            let middle = across.frame / 2
            hits.append(
                Hit(
                    z: z, isOnTop: surface.isOnTop, isOutgoing: surface.isOutgoing,
                    textureIndex: along.index(at: surface.textureHinge + surface.textureStep * d),
                    shade: clampedShade(surface.shade(d)), gloss: clampedShade(surface.gloss(d)),
                    origin: middle + (camera.across * (1 - depth) - middle) / surface.acrossScale,
                    scale: depth / surface.acrossScale,
                    cornerDepth: cornerRadius
                        - min(
                            surface.isRounded.near ? d : .infinity,
                            surface.isRounded.far ? surface.length - d : .infinity)))
        }
        // A stable order: of surfaces at the same height, the first in the scene is in front.
        return hits.enumerated().sorted { left, right in
            if left.element.isOnTop != right.element.isOnTop { return left.element.isOnTop }
            return left.element.z != right.element.z ? left.element.z > right.element.z : left.offset < right.offset
        }.map(\.element)
    }

    /// The first hit that covers the ray at screen coordinate `w` across the motion, and its texture coordinate there;
    /// nil if the ray meets the background.
    private func nearest(_ hits: [Hit], _ w: Double) -> (Hit, Double)? {
        for hit in hits {
            let v = hit.origin + hit.scale * w
            guard v >= 0, v <= across.frame else { continue }
            let depth = cornerRadius - min(v, across.frame - v)
            if hit.cornerDepth > 0 && depth > 0
                && hit.cornerDepth * hit.cornerDepth + depth * depth > cornerRadius * cornerRadius
            {
                continue
            }
            return (hit, v)
        }
        return nil
    }

    /// X or Y in the formula of the book's shadow (EFFECTS 6).
    private func bookShade(_ position: Double, isAlong: Bool) -> Double {
        guard let shadow = scene.bookShadow else { return 0 }
        let offset = position - (isAlong ? along.frame : across.frame) / 2
        let half = isAlong ? shadow.alongHalf : shadow.acrossHalf
        let unit = shadow.deviation * 2.0.squareRoot()
        return (erf((offset + half) / unit) - erf((offset - half) / unit)) / 2
    }
}
