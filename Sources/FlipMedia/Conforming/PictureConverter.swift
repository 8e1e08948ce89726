import CLibav
import FlipBase

/// Converts frames of one shape: rotates, crops, scales and pads them, and changes their pixel format and colors. Each
/// frame gives exactly one frame.
final class PictureConverter: @unchecked Sendable {
    private let conform: VideoConform
    private let layout: PictureLayout
    /// The filters that are applied first; nil if the samples stay as they are.
    private let graph: FilterGraph?
    /// For pictures that lose their alpha; nil for others.
    private let flattening: Flattening?
    /// For pictures that don't fill the frame: the frames they are placed in, the background around them, and the filters
    /// that make a blurred copy of the picture instead of it; nil for others.
    private let padding: (pool: FramePool, background: Background, blur: FilterGraph?)?

    init(from picture: PictureShape, transform: DisplayTransform, to conform: VideoConform, threads: Int)
        throws(MediaError)
    {
        self.conform = conform
        layout = PictureLayout(picture, transform: transform, conform: conform)
        let turns = PictureFilters.turns(conform.turn(of: transform)) + PictureFilters.crop(layout)
        let light = LightChange(from: picture, to: conform)
        let filters = turns + PictureFilters.recode(picture, layout, conform, light)
        if picture.pixelFormat.hasAlpha, !conform.pixelFormat.hasAlpha {
            let flattening = try Flattening(picture, layout, conform, turns, light, threads)
            self.flattening = flattening
            // This one is for pictures that turn out to be opaque.
            graph = picture.pixelFormat.isPlanarNative ? try Self.graph(picture, filters, threads) : nil
        } else {
            graph = try Self.graph(picture, filters, threads)
            flattening = nil
        }
        padding = layout.isPadded ? try Self.padding(layout, conform, threads) : nil
    }

    /// Returns the converted frame; if there is nothing to convert, it refers to the same samples.
    func convert(_ frame: Frame) throws(MediaError) -> VideoFrame {
        var picture = frame
        if let flattening, graph == nil || !flattening.isOpaque(frame) {
            picture = try flattening.flatten(frame)
        } else if let graph {
            picture = try graph.pass(frame)
        }
        if let padding {
            let padded = try padding.pool.make()
            let inner = VideoFrame(picture).memory
            if let blur = padding.blur {
                let fill = VideoFrame(try blur.pass(picture))
                padding.background.place(fill.memory, at: (0, 0), in: padded.memory)
                padding.background.place(inner, at: layout.offset, in: padded.memory)
            } else {
                padding.background.surround(inner, at: layout.offset, in: padded.memory)
            }
            picture = padded.frame
        }
        conform.color.tag(picture.pointer)
        // Image encoders would write the ICC profile, which no longer describes the samples.
        av_frame_remove_side_data(picture.pointer, AV_FRAME_DATA_ICC_PROFILE)
        picture.pointer.pointee.sample_aspect_ratio = conform.form.sampleAspectRatio.raw
        flip_frame_set_progressive(picture.pointer)
        return VideoFrame(picture)
    }
}

extension PictureConverter {
    /// The graph of `filters` for pictures of one shape; nil if there are none.
    fileprivate static func graph(
        _ picture: PictureShape, _ filters: [String], _ threads: Int
    ) throws(MediaError) -> FilterGraph? {
        if filters.isEmpty { return nil }
        return try FilterGraph(
            videoSources: [picture.sourceArguments], chain: filters.joined(separator: ","), threads: threads)
    }

    private static func padding(
        _ layout: PictureLayout, _ conform: VideoConform, _ threads: Int
    ) throws(MediaError) -> (pool: FramePool, background: Background, blur: FilterGraph?) {
        let pool = try FramePool(
            width: conform.width, height: conform.height, pixelFormat: conform.pixelFormat, color: conform.color)
        guard conform.fit == .blur else { return (pool, Background(conform), nil) }
        let inner = PictureShape(
            width: layout.inner.width, height: layout.inner.height, sampleAspectRatio: Rational(1),
            pixelFormat: conform.pixelFormat, color: conform.color)
        let filters = PictureFilters.blurredFill(of: layout.inner, conform)
        return (pool, Background(conform), try graph(inner, filters, threads))
    }
}

/// Lays transparent pictures over the background.
private struct Flattening {
    /// The filters that make R'G'B' with alpha of pictures, in the light of the output; nil if they are that already.
    private let before: FilterGraph?
    /// The filters from flattened pictures to the output's format; nil if they are the same.
    private let after: FilterGraph?
    private let pool: FramePool
    private let depth: Int
    private let source: PixelFormat
    /// With 16 bits, the samples of white and of opaque pixels before, and of white after flattening.
    private let white: (color: Float, alpha: Float, result: Float)
    /// The background as samples of the flattened pictures.
    private let color: [UInt16]

    init(
        _ picture: PictureShape, _ layout: PictureLayout, _ conform: VideoConform, _ turns: [String],
        _ light: LightChange?, _ threads: Int
    ) throws(MediaError) {
        // 8 bits are enough for an output of 8 bits, and libswscale doesn't dither what it makes of them.
        depth = conform.pixelFormat.depth > 8 ? 16 : 8
        source = picture.pixelFormat
        // Of 65280, libswscale makes white in Y'CbCr and gray.
        white = (
            light == nil ? source.whiteIn16Bits : 65535, source.opaqueIn16Bits,
            conform.pixelFormat.isRGB ? 65535 : 65280
        )
        let opaque = PictureShape.rgb(depth, layout.inner)
        var between = conform
        (between.width, between.height) = (opaque.width, opaque.height)
        (between.pixelFormat, between.color) = (.planarRGB(depth: depth, hasAlpha: true), opaque.color)
        var picture = picture
        // Without tags, both have the output's matrix, as in `ColorChange`.
        if !source.isRGB, picture.color.matrix == nil, conform.color.matrix == nil {
            picture.color.matrix = conform.color.assumedMatrix(width: conform.width, height: conform.height)
        }
        before = try PictureConverter.graph(
            picture, turns + PictureFilters.recode(picture, layout, between, light), threads)
        after = try PictureConverter.graph(opaque, PictureFilters.recode(opaque, layout, conform, nil), threads)
        pool = try FramePool(
            width: opaque.width, height: opaque.height, pixelFormat: opaque.pixelFormat, color: opaque.color)
        let colors = ColorEncoder(.gbr, depth: depth, isFullRange: true, weights: .bt709, light: conform.color.light)
        let (red, green, blue) = conform.background
        color = colors.samples(red: red, green: green, blue: blue)
    }

    /// Whether no pixel of `frame` is transparent.
    func isOpaque(_ frame: Frame) -> Bool {
        source.isPlanarNative && VideoFrame(frame).memory.isOpaque(source)
    }

    func flatten(_ frame: Frame) throws(MediaError) -> Frame {
        let transparent = try before?.pass(frame) ?? frame
        let opaque = try pool.make()
        Background.flatten(
            VideoFrame(transparent).memory, white: white, onto: color, into: opaque.memory,
            depth: depth)
        return try after?.pass(opaque.frame) ?? opaque.frame
    }
}

extension FilterGraph {
    /// The result for `frame` of a graph that returns exactly one frame for each.
    fileprivate func pass(_ frame: Frame) throws(MediaError) -> Frame {
        try send(frame)
        guard let result = try receive() else { throw MediaError(.internalFault, "a conversion returned no frame") }
        return result
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
        guard flip_buffer_takes_color() != 0 else { return text }
        return text + ":colorspace=\(color.rawMatrix.rawValue):range=\(color.rawRange.rawValue)"
    }
}
