import FlipGeometry
import FlipHost
import FlipRaster

/// Draws frames of one format and size, one at a time. Pictures that don't fill the frame, and those whose samples have to
/// be converted, are copied into memory that is kept.
///
/// Bytes and shorts are drawn as the program draws them, unless something transparent is multiplied by its alpha: then, as
/// for floats, samples are drawn as floating-point numbers, which needs no division. Threads may pass it on to each other.
final class FrameDrawer: @unchecked Sendable {
    private let format: EffectImage.Format
    private let width: Int
    private let height: Int
    private let whole: TransitionRenderer?
    private var float: FloatRenderer?
    /// Memory for the two pictures and the frame: in the host's format, and as floats.
    private var copies = [PictureMemory(), PictureMemory(), PictureMemory()]
    private var floats = [PictureMemory(), PictureMemory(), PictureMemory()]

    /// Whether frames of this size can be drawn.
    static func canDraw(_ frame: PixelRectangle) -> Bool {
        TransitionRenderer.sides.contains(frame.width) && TransitionRenderer.sides.contains(frame.height)
    }

    init(_ format: EffectImage.Format, _ frame: PixelRectangle) {
        self.format = format
        (width, height) = (frame.width, frame.height)
        let name: String? =
            switch (format.depth, format.components) {
            case (.byte, .rgba): "rgba"
            case (.byte, .rgb): "rgb24"
            case (.short, .rgba): "rgba64"
            case (.short, .rgb): "rgb48"
            case (.float, _): nil
            }
        whole = name.flatMap(PixelLayout.init(named:)).map {
            TransitionRenderer(
                layout: $0, width: frame.width, height: frame.height, background: .black,
                threads: HostThreads.count, rounding: .direct)
        }
    }

    func fits(_ format: EffectImage.Format, _ frame: PixelRectangle) -> Bool {
        self.format == format && width == frame.width && height == frame.height
    }

    /// A picture that fills the frame.
    private struct Picture {
        let view: PlaneView
        let isPremultiplied: Bool
    }

    /// Draws the part `window` of `target`. Where there is no picture, the frame is transparent black.
    func draw(
        _ transition: HostTransition, progress: Double, from: EffectImage?, to: EffectImage?, into target: EffectImage,
        frame: PixelRectangle, window: PixelRectangle
    ) {
        let isPremultiplied =
            target.isPremultiplied ?? from?.isPremultiplied ?? to?.isPremultiplied ?? false
        let pictures = [from, to].enumerated().map { index, image in
            picture(image, frame, copies[index], orElse: isPremultiplied)
        }
        let part = window.intersection(target.bounds)
        let isDirect = target.bounds == frame && part == frame
        let view = isDirect ? self.view(of: target) : copies[2].view(format, width: width, height: height)
        draw(transition, progress, pictures[0], pictures[1], Picture(view: view, isPremultiplied: isPremultiplied))
        if isDirect { return }
        for y in part.y1..<max(part.y2, part.y1) where !part.isEmpty {
            let row = target.address(x: part.x1, y: y)
            row.initializeMemory(as: UInt8.self, repeating: 0, count: part.width * format.pixelBytes)
            let common = part.intersection(frame)
            if y < common.y1 || y >= common.y2 || common.isEmpty { continue }
            let source = view.base + (frame.y2 - 1 - y) * view.stride + (common.x1 - frame.x1) * format.pixelBytes
            target.address(x: common.x1, y: y).copyMemory(from: source, byteCount: common.width * format.pixelBytes)
        }
    }

    // MARK: Pictures

    /// The host's picture from its highest row down.
    private func view(of image: EffectImage) -> PlaneView {
        PlaneView(
            base: image.address(x: image.bounds.x1, y: image.bounds.y2 - 1), stride: -image.rowBytes,
            width: image.bounds.width, height: image.bounds.height)
    }

    private func picture(
        _ image: EffectImage?, _ frame: PixelRectangle, _ memory: PictureMemory, orElse isPremultiplied: Bool
    ) -> Picture {
        let state = image?.isPremultiplied ?? isPremultiplied
        if let image, image.bounds == frame { return Picture(view: view(of: image), isPremultiplied: state) }
        let view = memory.view(format, width: width, height: height)
        memory.clear()
        if let image {
            let common = image.bounds.intersection(frame)
            for y in common.y1..<max(common.y2, common.y1) where !common.isEmpty {
                let row = view.base + (frame.y2 - 1 - y) * view.stride + (common.x1 - frame.x1) * format.pixelBytes
                row.copyMemory(
                    from: image.address(x: common.x1, y: y), byteCount: common.width * format.pixelBytes)
            }
        }
        return Picture(view: view, isPremultiplied: state)
    }

    /// Whether no pixel of a picture of bytes or shorts is transparent.
    private func isOpaque(_ picture: Picture) -> Bool {
        if format.components == .rgb { return true }
        for row in 0..<height {
            let start = picture.view.base + row * picture.view.stride
            var isOpaque = true
            switch format.depth {
            case .byte:
                let samples = start.assumingMemoryBound(to: UInt8.self)
                for x in 0..<width { isOpaque = isOpaque && samples[4 &* x &+ 3] == .max }
            case .short:
                let samples = start.assumingMemoryBound(to: UInt16.self)
                for x in 0..<width { isOpaque = isOpaque && samples[4 &* x &+ 3] == .max }
            case .float: return false
            }
            if !isOpaque { return false }
        }
        return true
    }

    // MARK: Drawing

    private func draw(_ transition: HostTransition, _ progress: Double, _ from: Picture, _ to: Picture, _ into: Picture)
    {
        guard let whole, isDrawnWhole(transition, progress, from, to, into) else {
            return drawAsFloats(transition, progress, from, to, into)
        }
        whole.background = transition.background
        whole.render(
            transition.look, progress: progress, from: PictureView(from.view), to: PictureView(to.view),
            into: PictureView(into.view))
    }

    /// Whether a frame of bytes or shorts doesn't depend on whether colors are multiplied by alpha.
    private func isDrawnWhole(
        _ transition: HostTransition, _ progress: Double, _ from: Picture, _ to: Picture, _ into: Picture
    ) -> Bool {
        let states = [from, to, into].map(\.isPremultiplied)
        if !states.contains(true) { return true }
        if progress <= 0 && from.isPremultiplied == into.isPremultiplied { return true }
        if progress >= 1 && to.isPremultiplied == into.isPremultiplied { return true }
        return transition.background.alpha >= 1 && isOpaque(from) && isOpaque(to)
    }

    private func drawAsFloats(
        _ transition: HostTransition, _ progress: Double, _ from: Picture, _ to: Picture, _ into: Picture
    ) {
        let float = float ?? FloatRenderer(width: width, height: height, threads: HostThreads.count)
        self.float = float
        float.background = transition.background
        let pictures = [from, to, into].enumerated().map { index, picture in
            let isFloat = format.depth == .float
            let format = EffectImage.Format(depth: .float, components: format.components)
            return FloatPicture(
                isFloat ? picture.view : floats[index].view(format, width: width, height: height),
                channels: format.components.count, isPremultiplied: picture.isPremultiplied)
        }
        if format.depth != .float {
            for (picture, converted) in zip([from, to], pictures) { expand(picture.view, converted.view) }
        }
        float.render(transition.look, progress: progress, from: pictures[0], to: pictures[1], into: pictures[2])
        if format.depth != .float { reduce(pictures[2].view, into.view) }
    }

    /// Converts samples to floats, 0...1.
    private func expand(_ from: PlaneView, _ to: PlaneView) {
        let count = width * format.components.count
        for row in 0..<height {
            let target = (to.base + row * to.stride).assumingMemoryBound(to: Float.self)
            let source = from.base + row * from.stride
            if format.depth == .byte {
                let samples = source.assumingMemoryBound(to: UInt8.self)
                for x in 0..<count { target[x] = Float(samples[x]) / 255 }
            } else {
                let samples = source.assumingMemoryBound(to: UInt16.self)
                for x in 0..<count { target[x] = Float(samples[x]) / 65535 }
            }
        }
    }

    /// Rounds floats to samples.
    private func reduce(_ from: PlaneView, _ to: PlaneView) {
        let count = width * format.components.count
        for row in 0..<height {
            let source = (from.base + row * from.stride).assumingMemoryBound(to: Float.self)
            let target = to.base + row * to.stride
            if format.depth == .byte {
                let samples = target.assumingMemoryBound(to: UInt8.self)
                for x in 0..<count { samples[x] = UInt8(min(max(source[x] * 255 + 0.5, 0), 255)) }
            } else {
                let samples = target.assumingMemoryBound(to: UInt16.self)
                for x in 0..<count { samples[x] = UInt16(min(max(source[x] * 65535 + 0.5, 0), 65535)) }
            }
        }
    }
}

/// Memory for one picture, which only grows.
private final class PictureMemory {
    private var memory: UnsafeMutableRawBufferPointer?

    deinit { memory?.deallocate() }

    /// A picture of this size, with rows without padding. What is in it is left over.
    func view(_ format: EffectImage.Format, width: Int, height: Int) -> PlaneView {
        let rowBytes = width * format.pixelBytes
        if (memory?.count ?? 0) < rowBytes * height {
            memory?.deallocate()
            memory = .allocate(byteCount: rowBytes * height, alignment: 64)
        }
        guard let base = memory?.baseAddress else { preconditionFailure("pictures aren't empty") }
        return PlaneView(base: base, stride: rowBytes, width: width, height: height)
    }

    /// Makes everything transparent black.
    func clear() { memory?.initializeMemory(as: UInt8.self, repeating: 0) }
}
