import CLibav
import FlipBase

/// Converts frames of one shape: rotates, crops, scales and pads them, and changes their pixel format and colors. Each
/// frame gives exactly one frame.
final class PictureConverter: @unchecked Sendable {
    private let conform: VideoConform
    private let layout: PictureLayout
    /// The filters that are applied first; nil if the samples stay as they are.
    private let graph: FilterGraph?
    /// For pictures that lose their alpha: the 8-bit R'G'B' frames they are flattened into, and the filters from there
    /// to the output's format (nil if it is the same); nil for others.
    private let flattened: (pool: FramePool, graph: FilterGraph?)?
    /// For pictures that don't fill the frame: the frames they are placed in, and the background around them; nil for
    /// others.
    private let padding: (pool: FramePool, background: Background)?

    init(from picture: PictureShape, transform: DisplayTransform, to conform: VideoConform, threads: Int)
        throws(MediaError)
    {
        self.conform = conform
        layout = PictureLayout(picture, transform: transform, conform: conform)
        let turns = Self.turns(transform) + Self.crop(layout)
        let light = LightChange(from: picture, to: conform)
        if picture.pixelFormat.hasAlpha, !conform.pixelFormat.hasAlpha {
            graph = try Self.graph(
                picture, turns + [Self.scale(layout), "format=gbrap"], threads)
            flattened = try Self.flattening(layout, conform, light, threads)
        } else {
            let filters = turns + Self.recode(picture, layout, conform, light)
            graph = filters.isEmpty ? nil : try Self.graph(picture, filters, threads)
            flattened = nil
        }
        padding =
            layout.isPadded
            ? (
                try FramePool(
                    width: conform.width, height: conform.height, pixelFormat: conform.pixelFormat,
                    color: conform.color),
                Background(conform)
            ) : nil
    }

    /// Returns the converted frame; if there is nothing to convert, it refers to the same samples.
    func convert(_ frame: Frame) throws(MediaError) -> VideoFrame {
        var picture = frame
        if let graph { picture = try Self.pass(frame, through: graph) }
        if let flattened {
            let opaque = try flattened.pool.make()
            Background.flatten(VideoFrame(picture, isShared: true), onto: conform.background, into: opaque)
            picture =
                try flattened.graph.map { graph throws(MediaError) in
                    try Self.pass(opaque.frame, through: graph)
                } ?? opaque.frame
        }
        if let padding {
            let padded = try padding.pool.make()
            padding.background.surround(VideoFrame(picture, isShared: true), at: layout.offset, in: padded)
            picture = padded.frame
        }
        conform.color.tag(picture.pointer)
        // Image encoders would write the ICC profile, which no longer describes the samples.
        av_frame_remove_side_data(picture.pointer, AV_FRAME_DATA_ICC_PROFILE)
        picture.pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        flip_frame_set_progressive(picture.pointer)
        return VideoFrame(picture, isShared: true)
    }

    private static func pass(_ frame: Frame, through graph: FilterGraph) throws(MediaError) -> Frame {
        try graph.send(frame)
        guard let result = try graph.receive() else {
            throw MediaError(.internalFault, "a conversion returned no frame")
        }
        return result
    }
}

/// The filters, in the syntax of the ffmpeg command.
extension PictureConverter {
    private static func graph(_ picture: PictureShape, _ filters: [String], _ threads: Int) throws(MediaError)
        -> FilterGraph
    {
        try FilterGraph(videoSource: picture.sourceArguments, chain: filters.joined(separator: ","), threads: threads)
    }

    static func turns(_ transform: DisplayTransform) -> [String] {
        var filters = transform.mirrored ? ["hflip"] : []
        switch transform.rotation {
        case 90: filters.append("transpose=clock")
        case 180: filters += ["hflip", "vflip"]
        case 270: filters.append("transpose=cclock")
        default: break
        }
        return filters
    }

    static func crop(_ layout: PictureLayout) -> [String] {
        guard let crop = layout.crop else { return [] }
        return ["crop=\(crop.width):\(crop.height):\(crop.x):\(crop.y)"]
    }

    static func scale(_ layout: PictureLayout) -> String {
        "scale=\(layout.inner.width):\(layout.inner.height):flags=bicubic+accurate_rnd+full_chroma_int+bitexact"
    }

    /// The filters that change size, pixel format, color matrix and range in one step; if primaries or transfer change,
    /// by way of 16-bit R'G'B'. Empty if nothing changes.
    static func recode(
        _ picture: PictureShape, _ layout: PictureLayout, _ conform: VideoConform, _ light: LightChange?
    ) -> [String] {
        if let light {
            let between = rgb(16, layout.inner, hasAlpha: conform.pixelFormat.hasAlpha)
            let wide = VideoConform(
                width: between.width, height: between.height, frameRate: conform.frameRate,
                pixelFormat: between.pixelFormat, color: between.color)
            return recode(picture, layout, wide, nil) + light.filters(hasAlpha: conform.pixelFormat.hasAlpha)
                + recode(between, layout, conform, nil)
        }
        let change = ColorChange(from: picture, to: conform)
        guard
            layout.isScaled || picture.pixelFormat != conform.pixelFormat || change.changesMatrix || change.changesRange
        else { return [] }
        // From R'G'B' to R'G'B' no matrix is converted, and none may be named: libswscale 8 (FFmpeg 7.1) changes colors
        // even if the two named are equal.
        let matrices =
            picture.pixelFormat.isRGB && conform.pixelFormat.isRGB
            ? []
            : [
                "in_color_matrix=\(ColorChange.family(change.sourceMatrix))",
                "out_color_matrix=\(ColorChange.family(change.targetMatrix))",
            ]
        let ranges = [
            "in_range=\(change.isSourceFull ? "full" : "limited")",
            "out_range=\(change.isTargetFull ? "full" : "limited")",
        ]
        return [([scale(layout)] + matrices + ranges).joined(separator: ":"), "format=\(conform.pixelFormat)"]
    }

    /// The shape of planar R'G'B' pictures of `depth` bits per component.
    private static func rgb(
        _ depth: Int, _ size: (width: Int, height: Int), hasAlpha: Bool = false
    ) -> PictureShape {
        let family = hasAlpha ? "gbrap" : "gbrp"
        return PictureShape(
            width: size.width, height: size.height, sampleAspectRatio: Rational(1),
            pixelFormat: PixelFormat(
                name: depth == 8 ? family : family + "\(depth)" + (1.bigEndian == 1 ? "be" : "le"))!,
            color: ColorDescription(matrix: "gbr", isFullRange: true))
    }

    private static func flattening(
        _ layout: PictureLayout, _ conform: VideoConform, _ light: LightChange?, _ threads: Int
    ) throws(MediaError) -> (pool: FramePool, graph: FilterGraph?)? {
        let opaque = rgb(8, layout.inner)
        let pool = try FramePool(
            width: opaque.width, height: opaque.height, pixelFormat: opaque.pixelFormat, color: opaque.color)
        let filters = recode(opaque, layout, conform, light)
        return (pool, filters.isEmpty ? nil : try graph(opaque, filters, threads))
    }
}

extension PictureShape {
    init?(_ frame: Frame, sampleAspectRatio: Rational) {
        let picture = frame.pointer.pointee
        guard let format = PixelFormat(AVPixelFormat(picture.format)), picture.width > 0, picture.height > 0 else {
            return nil
        }
        self.init(
            width: Int(picture.width), height: Int(picture.height), sampleAspectRatio: sampleAspectRatio,
            pixelFormat: format, color: ColorDescription(of: picture))
    }

    /// The arguments of a filter graph's `buffer` source. The time base is arbitrary, since these filters give exactly
    /// one frame for each they get.
    var sourceArguments: String {
        let text = "video_size=\(width)x\(height):pix_fmt=\(pixelFormat):time_base=1/1000:pixel_aspect=1/1"
        guard flip_buffer_takes_colour() != 0 else { return text }
        return text + ":colorspace=\(color.rawMatrix.rawValue):range=\(color.rawRange.rawValue)"
    }
}
