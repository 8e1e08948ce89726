import CLibav
import FlipBase

/// Encodes the frames of an output: its encoder, and the conversion of frames to the encoder's pixel format.
package final class VideoEncoder {
    package let encoder: StreamEncoder
    private let encoding: VideoEncoding
    private var converter: (shape: PictureShape, converter: PictureConverter)?
    private var paletteCount = 0
    private var palettes: (shape: PictureShape, graph: FilterGraph)?
    private var samples: PaletteSamples?

    package init(_ encoding: VideoEncoding, in container: Container, hasGlobalHeader: Bool) throws(MediaError) {
        encoder = try StreamEncoder(video: encoding, in: container, hasGlobalHeader: hasGlobalHeader)
        self.encoding = encoding
    }

    /// Returns a reference to `frame`, converted to the encoder's pixel format and uploaded to its device if necessary,
    /// with PTS and picture type set.
    /// - Parameters:
    ///   - index: the PTS, in frames.
    ///   - isKey: whether the frame has to become a keyframe.
    package func prepared(_ frame: VideoFrame, index: Int, isKey: Bool = false) throws(MediaError) -> Frame {
        guard frame.width == encoding.width, frame.height == encoding.height,
            let shape = PictureShape(frame.frame, sampleAspectRatio: Rational(1))
        else {
            throw MediaError(
                .internalFault,
                "got a frame of \(frame.width)x\(frame.height) for a video of \(encoding.width)x\(encoding.height)")
        }
        let reference = try frame.frame.newReference()
        let prepared = shape.pixelFormat == encoding.pixelFormat ? reference : try converted(reference, shape)
        prepared.pointer.pointee.pts = Int64(index)
        // Encoders with a fixed quantizer take that of the frame, and their smallest if it has none.
        if encoding.quantizer != nil { prepared.pointer.pointee.quality = encoder.context.pointee.global_quality }
        if let order = encoding.form.fieldOrder { prepared.flag(as: order) }
        // A picture type left over from a decoder would override the encoder's choice.
        prepared.pointer.pointee.pict_type = isKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        return try encoder.device?.upload(prepared) ?? prepared
    }

    /// Converts a frame for encoders of formats that can't be drawn in, such as the packed RGB of PNG.
    private func converted(_ frame: Frame, _ shape: PictureShape) throws(MediaError) -> Frame {
        if encoding.pixelFormat.name == "pal8" { return try withPalette(frame, shape) }
        if let converter, converter.shape == shape { return try converter.converter.convert(frame).frame }
        let conform = VideoConform(
            width: encoding.width, height: encoding.height, frameRate: encoding.frameRate,
            pixelFormat: encoding.pixelFormat, color: encoding.color)
        let fresh = try PictureConverter(from: shape, transform: .identity, to: conform, threads: encoding.threads)
        converter = (shape, fresh)
        return try fresh.convert(frame).frame
    }

    /// Converts a frame to a palette of 256 colors chosen for this frame, with dithering.
    private func withPalette(_ frame: Frame, _ shape: PictureShape) throws(MediaError) -> Frame {
        let graph: FilterGraph
        if let palettes, palettes.shape == shape {
            graph = palettes.graph
        } else {
            graph = try paletteGraph(shape)
            palettes = (shape, graph)
        }
        if let pass = encoding.pass, pass.isFirst {
            if samples == nil { samples = try PaletteSamples(shape, path: pass.statistics) }
            try samples?.add(frame)
        }
        // The filters match each frame with its palette by PTS.
        frame.pointer.pointee.pts = Int64(paletteCount)
        paletteCount += 1
        try graph.send(frame)
        guard let result = try graph.receive() else {
            throw MediaError(.internalFault, "converting to a palette returned no frame")
        }
        return result
    }

    /// The filters that convert frames to a palette: one for all frames in the second pass, else one for each.
    private func paletteGraph(_ shape: PictureShape) throws(MediaError) -> FilterGraph {
        guard let pass = encoding.pass, !pass.isFirst else {
            return try FilterGraph(
                videoSources: [shape.sourceArguments],
                chain: "format=rgb24,split[a][b];[a]palettegen=stats_mode=single:reserve_transparent=0[p];"
                    + "[b][p]paletteuse=new=1", threads: encoding.threads)
        }
        let palette = try PaletteSamples.palette(path: pass.statistics)
        // What doesn't change from frame to frame keeps its dots with an ordered dither, and takes no bytes.
        let graph = try FilterGraph(
            videoSources: [shape.sourceArguments, palette.arguments],
            chain: "paletteuse=dither=bayer:bayer_scale=5:diff_mode=rectangle", threads: encoding.threads)
        try graph.send(palette.frame, to: 1)
        try graph.send(nil, to: 1)
        return graph
    }
}
