import FlipBase
import FlipGeometry

/// Draws the frames of transitions between pictures in memory, of one layout and size.
///
/// A renderer keeps its buffers from frame to frame and draws one frame at a time; use one renderer per thread.
package final class TransitionRenderer {
    package let layout: PixelLayout
    package let width: Int
    package let height: Int
    /// The color that shows where there is no sheet; pictures with alpha take its alpha, too.
    package var background: Color
    private let rounding: OpaqueRounding?
    private let crew: Crew
    private let opaque: OpaqueRenderer
    /// Made for the first frame that needs it.
    private var alpha: AlphaRenderer?
    /// Made for the first frame that is exposed for some time.
    private var shutter: Shutter?
    /// Made for the first frame of one color, and the first fade that needs one.
    private var plain: PlainPicture?

    package var format: PictureFormat { layout.format }

    /// The widths and heights that can be drawn, in luma pixels.
    package static let sides = Limits.sides

    /// Creates a renderer for frames of `width` x `height` luma pixels, both in `sides`. `threads` threads draw each
    /// frame; the result is the same for any number of them and for any `level` that the machine has.
    ///
    /// - Parameter rounding: how the frames of opaque pictures are rounded in formats with alpha; nil means that all
    ///   frames are drawn by way of alpha, even if there is nothing transparent, which gives the same as `divided`, apart
    ///   from one unit in frames with a bent sheet.
    package init(
        layout: PixelLayout, width: Int, height: Int, background: Color, threads: Int, level: KernelLevel = .best,
        rounding: OpaqueRounding? = .divided
    ) {
        precondition(TransitionRenderer.sides.contains(width) && TransitionRenderer.sides.contains(height))
        guard threads > 0, let kernels = level.kernels else {
            preconditionFailure("\(threads) threads, kernels of level \(level)")
        }
        (self.layout, self.width, self.height, self.background) = (layout, width, height, background)
        self.rounding = layout.format.hasAlpha ? rounding : .direct
        crew = Crew(threads: threads, kernels)
        opaque = OpaqueRenderer(
            layout: layout, width: width, height: height, crew: crew, rounding: self.rounding ?? .direct)
    }

    /// Creates a renderer for pictures whose planes each have memory of their own.
    package convenience init(
        format: PictureFormat, width: Int, height: Int, background: Color, threads: Int, level: KernelLevel = .best
    ) {
        self.init(
            layout: PixelLayout(planar: format), width: width, height: height, background: background,
            threads: threads, level: level)
    }

    deinit { crew.dismiss() }

    /// Draws `look` at `progress` (0...1, after easing) into `target`, which must not share memory with the pictures.
    /// The planes of all three views are those in memory: each has `layout.planeSize` samples of every plane interleaved
    /// in it. At progress 0 the result is a copy of `outgoing`, at 1 of `incoming`, including padding such as the
    /// fourth byte of rgb0.
    package func render(
        _ look: StyledLook, progress: Double, from outgoing: PictureView, to incoming: PictureView,
        into target: PictureView
    ) {
        (opaque.plan.drawn, opaque.plan.slide) = (nil, .infinity)
        draw(look, progress, outgoing, incoming, target)
    }

    /// Draws the frame of `look` that is shown at `time`, 0...1, into `target`: if the look has a shutter, the mean of what is
    /// seen while it is open (EFFECTS 2.1).
    ///
    /// - Parameters:
    ///   - spacing: the time from one frame of the transition to the next.
    ///   - progress: the progress, 0...1, at a time.
    package func render(
        _ look: StyledLook, at time: Double, spacing: Double, progress: (Double) -> Double, from outgoing: PictureView,
        to incoming: PictureView, into target: PictureView
    ) {
        guard let times = TransitionTime.exposure(at: time, spacing: spacing, shutter: look.look.shutter) else {
            return render(look, progress: progress(time), from: outgoing, to: incoming, into: target)
        }
        let shutter = shutter ?? Shutter(layout, width: width, height: height, stage: opaque.plan.stage)
        self.shutter = shutter
        func moment(_ part: Double) -> Double {
            min(max(progress(times.lowerBound + part * (times.upperBound - times.lowerBound)), 0), 1)
        }
        let isOpaque =
            (background.alpha >= 1 || !format.hasAlpha) && opaque.isOpaque(outgoing) && opaque.isOpaque(incoming)
        shutter.expose(look, inParts: isOpaque, moment)
        for band in shutter.bands {
            if band.interval == nil && band.count == 1 {
                return render(look, progress: moment(0.5), from: outgoing, to: incoming, into: target)
            }
            (opaque.plan.drawn, opaque.plan.slide) = (band.interval, Shutter.slide(look.look.orientation))
            shutter.sums.begin(isOpaque: isOpaque) { opaque.drawnPart(ofPlane: $0, look.look.orientation) }
            for index in 0..<band.count {
                let progress = Shutter.instant(index, of: band.count, moment)
                draw(look, progress, outgoing, incoming, shutter.frame.view)
                shutter.sums.add(crew)
            }
            shutter.sums.finish(into: target, crew)
        }
        if shutter.still.isEmpty { return }
        opaque.plan.plan(shutter.still, look.look.orientation)
        opaque.drawFlat(
            from: outgoing, to: incoming, into: target, shadow: EncodedColor(look.look.shadowColor, format: format))
    }

    /// Draws what the plan has to draw of a frame.
    private func draw(
        _ look: StyledLook, _ progress: Double, _ outgoing: PictureView, _ incoming: PictureView, _ target: PictureView
    ) {
        if progress <= 0 { return copy(outgoing, into: target) }
        if progress >= 1 { return copy(incoming, into: target) }
        opaque.plan.plan(look, progress: progress)
        let (outgoing, incoming) = sources(outgoing, incoming)
        let shadow = EncodedColor(look.look.shadowColor, format: format)
        if drawOpaque(outgoing, incoming, target, shadow) { return }
        let alpha = alpha ?? AlphaRenderer(format: format, width: width, height: height, plan: opaque.plan, crew: crew)
        self.alpha = alpha
        let planes = opaque.unpackAll(outgoing, incoming, target)
        alpha.render(look, progress: progress, background, from: planes.from, to: planes.to, into: planes.into)
        opaque.packAll(target)
        // Flat sheets aren't averaged, so premultiplying and dividing only adds rounding errors to them: draw them
        // directly.
        opaque.renderFlatPanels(from: outgoing, to: incoming, into: target, shadow: shadow)
    }

    /// Fills `target` with the background, as where there is no picture at all.
    package func renderBackground(into target: PictureView) { copy(plain(background), into: target) }

    /// Draws the planned frame if that needs no alpha.
    private func drawOpaque(
        _ outgoing: PictureView, _ incoming: PictureView, _ target: PictureView, _ shadow: EncodedColor
    ) -> Bool {
        switch rounding {
        case nil: return false
        case .divided where opaque.plan.scene.bentSheet == nil:
            // Other shadow colors than black are added after dividing, which rounds differently.
            if shadow != EncodedColor(.black, format: format) { return false }
            fallthrough
        case .direct, .divided:
            return opaque.render(
                from: outgoing, to: incoming, into: target, background: EncodedColor(background, format: format),
                isBackgroundOpaque: background.alpha >= 1, shadow: shadow)
        }
    }

    /// The pictures that are drawn from: the given ones, except that a fade may have a color in the place of one, or the
    /// other picture.
    private func sources(_ outgoing: PictureView, _ incoming: PictureView) -> (PictureView, PictureView) {
        guard let fade = opaque.plan.fade else { return (outgoing, incoming) }
        let picture = { (source: Fade.Source) -> PictureView in
            switch source {
            case .outgoing: outgoing
            case .incoming: incoming
            case .color(let color): self.plain(color)
            }
        }
        return (picture(fade.from), picture(fade.to))
    }

    /// A picture of one color, in memory that is kept from frame to frame.
    private func plain(_ color: Color) -> PictureView {
        let picture = plain ?? PlainPicture(layout, width: width, height: height)
        plain = picture
        return picture.filled(with: color)
    }

    private func copy(_ source: PictureView, into target: PictureView) {
        for plane in layout.memory.indices {
            let bytes = layout.rowBytes(plane, width: width)
            let (from, to) = (source[plane], target[plane])
            for row in 0..<layout.planeSize(plane, width: width, height: height).height {
                (to.base + row * to.stride).copyMemory(from: from.base + row * from.stride, byteCount: bytes)
            }
        }
    }
}
