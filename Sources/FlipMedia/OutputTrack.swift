import CLibav
import FlipBase

/// The video stream of an output: its encoder, and the conversion of frames to the encoder's pixel format.
final class VideoTrack {
    let encoder: StreamEncoder
    private let encoding: VideoEncoding
    private var converter: (shape: PictureShape, converter: PictureConverter)?
    private var paletteCount = 0
    private var palettes: (shape: PictureShape, graph: FilterGraph)?

    init(_ encoding: VideoEncoding, in container: Container, hasGlobalHeader: Bool) throws(MediaError) {
        encoder = try StreamEncoder(video: encoding, in: container, hasGlobalHeader: hasGlobalHeader)
        self.encoding = encoding
    }

    /// Returns a reference to `frame`, converted to the encoder's pixel format if necessary, with PTS and picture type
    /// set.
    /// - Parameters:
    ///   - index: the PTS, in frames.
    ///   - isKey: whether the frame has to become a keyframe.
    func prepared(_ frame: VideoFrame, index: Int, isKey: Bool = false) throws(MediaError) -> Frame {
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
        // A picture type left over from a decoder would override the encoder's choice.
        prepared.pointer.pointee.pict_type = isKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        return prepared
    }

    /// Converts a frame for encoders of formats that can't be drawn in, such as the packed RGB of PNG.
    private func converted(_ frame: Frame, _ shape: PictureShape) throws(MediaError) -> Frame {
        if encoding.pixelFormat.name == "pal8" { return try withPalette(frame, shape) }
        if let converter, converter.shape == shape { return try converter.converter.convert(frame).frame }
        let conform = VideoConform(
            width: encoding.width, height: encoding.height, frameRate: encoding.frameRate,
            pixelFormat: encoding.pixelFormat, colour: encoding.colour)
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
            graph = try FilterGraph(
                videoSource: shape.sourceArguments,
                chain: "format=rgb24,split[a][b];[a]palettegen=stats_mode=single:reserve_transparent=0[p];"
                    + "[b][p]paletteuse=new=1", threads: encoding.threads)
            palettes = (shape, graph)
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
}

/// The audio stream of an output: cuts samples into frames of the encoder's size, and drops packets past the end that
/// the container can't trim.
final class AudioTrack {
    let encoder: StreamEncoder
    /// Whether the container stores how many of the last packet's samples are not to be heard (Matroska's
    /// DiscardPadding).
    private let trimsEnd: Bool
    private var isEnding = false
    private let blocks: FilterGraph
    private let channelCount: Int
    private let input: AudioFormat
    /// The number of samples per channel so far.
    private(set) var sampleCount = 0

    init(_ encoding: AudioEncoding, in container: Container, hasGlobalHeader: Bool) throws(MediaError) {
        encoder = try StreamEncoder(audio: encoding, in: container, hasGlobalHeader: hasGlobalHeader)
        trimsEnd = container.priming == .codecDelay
        let context = encoder.context.pointee
        input = AudioFormat(sampleRate: encoding.sampleRate, sampleFormat: "fltp", layout: encoding.layout)
        channelCount = Int(context.ch_layout.nb_channels)
        let format = av_get_sample_fmt_name(context.sample_fmt).map { String(cString: $0) } ?? "fltp"
        let wanted = AudioFormat(sampleRate: encoding.sampleRate, sampleFormat: format, layout: encoding.layout)
        let cut = context.frame_size > 0 ? ",asetnsamples=n=\(context.frame_size):p=0" : ""
        blocks = try FilterGraph(audioSource: input.sourceArguments, chain: wanted.filter + cut)
    }

    /// Adds `count` samples of every channel and returns the frames that are now complete.
    func blocks(adding channels: [UnsafePointer<Float>], count: Int) throws(MediaError) -> [Frame] {
        guard channels.count == channelCount else {
            throw MediaError(.internalFault, "got \(channels.count) channels for \(input.layout) audio")
        }
        let frame = try Frame()
        frame.pointer.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
        frame.pointer.pointee.sample_rate = Int32(input.sampleRate)
        frame.pointer.pointee.nb_samples = Int32(clamping: count)
        av_channel_layout_copy(&frame.pointer.pointee.ch_layout, &encoder.context.pointee.ch_layout)
        guard av_frame_get_buffer(frame.pointer, 0) >= 0 else { throw .outOfMemory }
        for (index, channel) in channels.enumerated() {
            frame.pointer.pointee.extended_data[index]?.withMemoryRebound(to: Float.self, capacity: count) {
                $0.update(from: channel, count: count)
            }
        }
        frame.pointer.pointee.pts = Int64(sampleCount)
        sampleCount += count
        try blocks.send(frame)
        return try blocks.receiveAll()
    }

    /// Whether a packet is to be written, which it isn't if it lies past the end.
    ///
    /// Codecs with overlapping blocks decode to whole blocks, and most players don't trim the last one (21 ms of AAC,
    /// longer than a frame at 60 fps). A last packet of which less than half is wanted is left out, so that the audio
    /// ends within half a block of the video's end.
    func isWanted(_ packet: Packet) -> Bool {
        let context = encoder.context.pointee
        guard isEnding, context.initial_padding > 0, !(trimsEnd && packet.trimsSamples),
            let time = packet.presentationTime
        else { return true }
        return time + Int(context.frame_size) / 2 <= sampleCount
    }

    /// Returns the frames that are left after the last sample; the very last one may be short.
    func lastBlocks() throws(MediaError) -> [Frame] {
        isEnding = true
        try blocks.send(nil)
        return try blocks.receiveAll()
    }
}
