import FlipBase
import FlipMedia
import FlipRaster
import FlipSamples

/// An overlay as it will be drawn.
struct PlacedOverlay: Sendable {
    enum Content: Sendable {
        case picture(OverlayStill)
        case film(OverlayFilm)
        case text(TextArt)
    }

    let spec: OverlaySpec
    let content: Content
    /// The output frames in which it is seen.
    let frames: Range<Int>

    var layer: OverlaySpec.Layer { spec.layer }

    /// The overlay in messages and in the plan's description.
    var name: String {
        switch content {
        case .picture(let still): still.input.name
        case .film(let film): film.clip.name
        case .text: "'\(spec.shownText)'"
        }
    }

    /// The rectangle of the frame that it fills, in pixels; nil for a text.
    var box: OverlayBox? {
        switch content {
        case .picture(let still): still.box
        case .film(let film): film.box
        case .text: nil
        }
    }

    /// The kind of overlay, for the plan.
    var kind: String {
        switch content {
        case .picture: "picture"
        case .film: "film"
        case .text: "text"
        }
    }

    /// The line in the plan's description.
    var description: String {
        let size = box.map { ", \($0.width)x\($0.height) at \($0.x),\($0.y)" } ?? ""
        return "overlay \(name): \(kind)\(size), \(spec.place.name)"
            + (layer == .page ? ", turns with the page" : "")
            + ", frames \(frames.lowerBound)...\(frames.upperBound - 1)"
    }
}

extension OverlaySpec {
    /// The text as it was given, on one line; empty for a file.
    var shownText: String { if case .text(let text) = content { text.replacing("\n", with: " / ") } else { "" } }
}

/// A rectangle of the frame, in pixels.
struct OverlayBox: Sendable, Equatable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    func contains(_ x: Int, _ y: Int) -> Bool {
        self.x <= x && x < self.x + width && self.y <= y && y < self.y + height
    }
}

/// A picture over the frames, which is read and converted when it is first needed.
final class OverlayStill: Sendable {
    let input: InputClip
    let box: OverlayBox
    private let frames: VideoConform
    private let opacity: Double
    private let made = Mutex<OverlayPicture?>(nil)

    /// - Parameter frames: the form of the frames that it is drawn over.
    init(_ input: InputClip, _ box: OverlayBox, over frames: VideoConform, opacity: Double) {
        (self.input, self.box, self.frames, self.opacity) = (input, box, frames, opacity)
    }

    func picture(threads: Int) throws(MediaError) -> OverlayPicture {
        try made.withLock { (made) throws(MediaError) in
            if let made { return made }
            let picture = try read(threads)
            made = picture
            return picture
        }
    }

    private func read(_ threads: Int) throws(MediaError) -> OverlayPicture {
        guard let video = input.video else { throw MediaError(.internalFault, "an overlay has no picture") }
        let conform = try frames.forOverlay(
            video, hasAlpha: true,
            // A picture with alpha is resized with it.
            size: video.pixelFormat.hasAlpha ? (video.displayWidth, video.displayHeight) : (box.width, box.height))
        let reader = try VideoReader(input, conform: conform, threads: threads)
        guard let frame = try reader.next() else { throw MediaError(.badInput, "'\(input.name)' has no picture") }
        let raster = OverlayRaster(
            frame, of: video.pixelFormat, at: (box.x, box.y), size: (box.width, box.height), for: frames.pixelFormat,
            opacity: opacity)
        return OverlayPicture(raster, PictureFormat(frames), frame: (frames.width, frames.height))
    }
}

/// A film over the frames.
struct OverlayFilm: Sendable {
    /// The film as a clip that is converted to the size of `box`.
    let clip: RenderPlan.Clip
    let box: OverlayBox
    /// The number of its frames, counted at the output's rate.
    let count: Int

    /// The format of its frames if they have alpha of their own; else nil.
    var formatWithAlpha: PixelFormat? { clip.video.flatMap { $0.pixelFormat.hasAlpha ? $0.pixelFormat : nil } }
}

extension VideoConform {
    /// The form of a picture or film that is drawn over frames of this form.
    /// - Parameter hasAlpha: whether it keeps an alpha of its own.
    func forOverlay(
        _ video: VideoInfo, hasAlpha: Bool, size: (width: Int, height: Int)
    ) throws(MediaError) -> VideoConform {
        var conform = self
        (conform.width, conform.height, conform.fit) = (size.width, size.height, .stretch)
        // A matrix that isn't stated follows from the frame's size rather than from the overlay's.
        if !pixelFormat.isRGB, video.pixelFormat.isRGB || video.color.matrix != nil {
            conform.color.matrix = color.assumedMatrix(width: width, height: height)
        }
        guard hasAlpha else {
            conform.pixelFormat = pixelFormat.nearestPlanar
            return conform
        }
        guard let format = pixelFormat.overlayFormat else {
            throw MediaError(.missingCodec, "this FFmpeg has no format for pictures with alpha over \(pixelFormat)")
        }
        conform.pixelFormat = format
        return conform
    }
}
