import CLibav
import FlipBase
import FlipClip

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
    /// For pictures that don't fill the frame: the frames they are placed in, the background around them, and the filters
    /// that make a blurred copy of the picture instead of it; nil for others.
    private let padding: (pool: FramePool, background: Background, blur: FilterGraph?)?

    init(from picture: PictureShape, transform: DisplayTransform, to conform: VideoConform, threads: Int)
        throws(MediaError)
    {
        self.conform = conform
        layout = PictureLayout(picture, transform: transform, conform: conform)
        let turns = PictureFilters.turns(transform) + PictureFilters.crop(layout)
        let light = LightChange(from: picture, to: conform)
        if picture.pixelFormat.hasAlpha, !conform.pixelFormat.hasAlpha {
            graph = try Self.graph(
                picture, turns + [PictureFilters.scale(layout), "format=gbrap"], threads)
            flattened = try Self.flattening(layout, conform, light, threads)
        } else {
            let filters = turns + PictureFilters.recode(picture, layout, conform, light)
            graph = filters.isEmpty ? nil : try Self.graph(picture, filters, threads)
            flattened = nil
        }
        padding = layout.isPadded ? try Self.padding(layout, conform, threads) : nil
    }

    /// Returns the converted frame; if there is nothing to convert, it refers to the same samples.
    func convert(_ frame: Frame) throws(MediaError) -> VideoFrame {
        var picture = frame
        if let graph { picture = try Self.pass(frame, through: graph) }
        if let flattened {
            let opaque = try flattened.pool.make()
            Background.flatten(
                VideoFrame(picture, isShared: true).memory, onto: conform.background, into: opaque.memory)
            picture =
                try flattened.graph.map { graph throws(MediaError) in
                    try Self.pass(opaque.frame, through: graph)
                } ?? opaque.frame
        }
        if let padding {
            let padded = try padding.pool.make()
            let inner = VideoFrame(picture, isShared: true).memory
            if let blur = padding.blur {
                let fill = VideoFrame(try Self.pass(picture, through: blur), isShared: true)
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

extension PictureConverter {
    private static func graph(_ picture: PictureShape, _ filters: [String], _ threads: Int) throws(MediaError)
        -> FilterGraph
    {
        try FilterGraph(videoSource: picture.sourceArguments, chain: filters.joined(separator: ","), threads: threads)
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

    private static func flattening(
        _ layout: PictureLayout, _ conform: VideoConform, _ light: LightChange?, _ threads: Int
    ) throws(MediaError) -> (pool: FramePool, graph: FilterGraph?)? {
        let opaque = PictureShape.rgb(8, layout.inner)
        let pool = try FramePool(
            width: opaque.width, height: opaque.height, pixelFormat: opaque.pixelFormat, color: opaque.color)
        let filters = PictureFilters.recode(opaque, layout, conform, light)
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
