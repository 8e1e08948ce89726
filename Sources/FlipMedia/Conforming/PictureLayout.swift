import FlipBase

/// How a picture is cropped, scaled and placed in the frame. All values are pixels of the frame, as it is coded, or of the
/// picture once it has been turned as the frame's are.
package struct PictureLayout: Equatable {
    /// The part of the picture that is kept, in the picture's pixels; nil for all of it.
    package var crop: (x: Int, y: Int, width: Int, height: Int)?
    /// The picture's size in the frame, in pixels.
    package var inner: (width: Int, height: Int)
    /// The picture's position in the frame, in pixels: a whole number of chroma samples.
    package var offset: (x: Int, y: Int)
    /// Whether the kept part has another size than `inner`.
    package var isScaled: Bool
    /// Whether the picture leaves a part of the frame to the background, or to a blurred copy of itself.
    package var isPadded: Bool

    /// - Parameter transform: the picture's own, as the file states it.
    package init(_ picture: PictureShape, transform: DisplayTransform, conform: VideoConform) {
        let swaps = conform.turn(of: transform).swapsAxes
        let pixels = (width: swaps ? picture.height : picture.width, height: swaps ? picture.width : picture.height)
        // The shape of the turned picture's pixels beside that of the frame's.
        let aspect =
            (swaps ? picture.sampleAspectRatio.inverse : picture.sampleAspectRatio) / conform.form.sampleAspectRatio
        // Width over height, in pixels of the frame's shape.
        let shape = Rational(pixels.width, pixels.height) * aspect
        let frameShape = Rational(conform.width, conform.height)
        let frame = (width: conform.width, height: conform.height)
        let shapesDiffer = Self.differ(shape, frameShape, in: frame)

        inner = frame
        if conform.fit.leavesMargins, shapesDiffer {
            let step = conform.pixelFormat
            let exact = (width: Rational(frame.height) * shape, height: Rational(frame.width) / shape)
            if aspect == Rational(1), pixels.width <= frame.width, pixels.height <= frame.height,
                exact.width == Rational(pixels.width) || exact.height == Rational(pixels.height)
            {
                // The picture fits unscaled, even if its size is odd.
                inner = pixels
            } else if shape > frameShape {
                inner.height = Self.whole(exact.height, step.chromaStepY, atMost: frame.height)
            } else {
                inner.width = Self.whole(exact.width, step.chromaStepX, atMost: frame.width)
            }
        }
        let surplus = (width: pixels.width - frame.width, height: pixels.height - frame.height)
        if conform.fit != .stretch, aspect == Rational(1),
            (0..<conform.pixelFormat.chromaStepX).contains(surplus.width),
            (0..<conform.pixelFormat.chromaStepY).contains(surplus.height), surplus != (0, 0)
        {
            // Surplus columns or rows, fewer than a chroma sample spans, are cut off rather than scaled away.
            crop = (0, 0, frame.width, frame.height)
            inner = frame
        } else if conform.fit == .crop, shapesDiffer {
            crop = Self.crop(pixels, to: frameShape / aspect, step: picture.pixelFormat, swaps: swaps)
        }
        offset = (
            (frame.width - inner.width) / 2 / conform.pixelFormat.chromaStepX * conform.pixelFormat.chromaStepX,
            (frame.height - inner.height) / 2 / conform.pixelFormat.chromaStepY * conform.pixelFormat.chromaStepY
        )
        let kept = crop.map { (width: $0.width, height: $0.height) } ?? pixels
        isScaled = kept != inner
        isPadded = inner != frame
    }

    /// Whether two aspect ratios differ by more than a pixel of the frame; less is a rounding error in a stated ratio.
    private static func differ(_ shape: Rational, _ other: Rational, in frame: (width: Int, height: Int)) -> Bool {
        let ratio = (shape / other).doubleValue
        return max(ratio, 1 / ratio) > 1 + 1 / Double(max(frame.width, frame.height))
    }

    /// Rounds `size` to whole chroma samples of `step` pixels: at least one, and at most `limit` pixels.
    private static func whole(_ size: Rational, _ step: Int, atMost limit: Int) -> Int {
        min(limit, max(1, (size / Rational(step)).rounded()) * step)
    }

    /// The centered part with the aspect ratio `shape`, which counts the picture's pixels rather than their size as
    /// shown; aligned to whole chroma samples of the picture.
    private static func crop(
        _ pixels: (width: Int, height: Int), to shape: Rational, step: PixelFormat, swaps: Bool
    ) -> (x: Int, y: Int, width: Int, height: Int) {
        let stepX = swaps ? step.chromaStepY : step.chromaStepX
        let stepY = swaps ? step.chromaStepX : step.chromaStepY
        var kept = pixels
        if Rational(pixels.width, pixels.height) > shape {
            kept.width = whole(Rational(pixels.height) * shape, stepX, atMost: pixels.width)
        } else {
            kept.height = whole(Rational(pixels.width) / shape, stepY, atMost: pixels.height)
        }
        return (
            (pixels.width - kept.width) / 2 / stepX * stepX, (pixels.height - kept.height) / 2 / stepY * stepY,
            kept.width, kept.height
        )
    }

    package static func == (left: PictureLayout, right: PictureLayout) -> Bool {
        left.inner == right.inner && left.offset == right.offset && left.isScaled == right.isScaled
            && left.crop.map { [$0.x, $0.y, $0.width, $0.height] }
                == right.crop.map { [$0.x, $0.y, $0.width, $0.height] }
    }
}
