import CLibav

/// One stream of an output file: frames of it are encoded and their packets handed to the muxer.
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

    /// A reference to the frame, in the encoder's format, with what the encoder wants to know of it.
    func prepared(_ frame: VideoFrame, index: Int, isKey: Bool = false) throws(MediaError) -> Frame {
        guard frame.width == encoding.width, frame.height == encoding.height,
            let shape = PictureShape(frame.frame, sampleAspectRatio: Rational(1))
        else {
            throw MediaError(
                .internalFault,
                "a frame of \(frame.width)x\(frame.height) came for a video of \(encoding.width)x\(encoding.height)")
        }
        let reference = try frame.frame.newReference()
        let prepared = shape.pixelFormat == encoding.pixelFormat ? reference : try converted(reference, shape)
        prepared.pointer.pointee.pts = Int64(index)
        // Left over from a decoder, it would force the encoder's choice.
        prepared.pointer.pointee.pict_type = isKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        return prepared
    }

    /// For encoders of layouts that nobody draws in, such as the packed RGB of PNG.
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

    /// In the 256 colours that suit this very frame, dithered.
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
        // The two ways through the graph are paired by time.
        frame.pointer.pointee.pts = Int64(paletteCount)
        paletteCount += 1
        try graph.send(frame)
        guard let result = try graph.receive() else {
            throw MediaError(.internalFault, "a palette gave no picture")
        }
        return result
    }
}

/// Sound: cut into the encoder's frames, and trimmed to its length where the container cannot say it.
final class AudioTrack {
    let encoder: StreamEncoder
    private let trimsEnd: Bool
    private var isEnding = false
    private let blocks: FilterGraph
    private let channelCount: Int
    private let input: AudioFormat
    /// Samples so far.
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

    /// The frames that are complete with these samples, too.
    func blocks(adding channels: [UnsafePointer<Float>], count: Int) throws(MediaError) -> [Frame] {
        guard channels.count == channelCount else {
            throw MediaError(.internalFault, "\(channels.count) channels came for \(input.layout) sound")
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

    /// Whether a packet is worth writing: not when it lies past the end.
    ///
    /// Codecs that overlap their blocks are heard a whole block at a time, and most players do not trim the last one
    /// (21 ms of AAC, longer than a frame at 60 a second). A last packet of which less than half is wanted is left out,
    /// so that sound ends within half a block of the picture.
    func isWanted(_ packet: Packet) -> Bool {
        let context = encoder.context.pointee
        guard isEnding, context.initial_padding > 0, !(trimsEnd && packet.trimsSamples),
            let time = packet.presentationTime
        else { return true }
        return time + Int(context.frame_size) / 2 <= sampleCount
    }

    /// The last frames, the very last perhaps a short one.
    func lastBlocks() throws(MediaError) -> [Frame] {
        isEnding = true
        try blocks.send(nil)
        return try blocks.receiveAll()
    }
}
