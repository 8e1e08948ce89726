import CLibav
import FlipBase
import FlipBitstream
import FlipFiles

/// The destination of an encoder's packets.
package protocol PacketSink: AnyObject {
    /// Writes a packet whose times are in the encoder's time base. Packets of all streams may come in any order.
    func write(_ packet: Packet, of encoder: StreamEncoder, stream index: Int) throws(MediaError)
    /// Writes a subtitle packet, whose times are milliseconds.
    func write(subtitles packet: Packet, stream index: Int) throws(MediaError)
    /// The number of bytes written so far.
    var bytesWritten: Int { get }
    /// Hands all bytes to the operating system. To be called after the last packet.
    func finish() throws(MediaError)
}

/// An audio track of an output.
package struct OutputAudio {
    /// Describes the track's packets.
    package let encoder: StreamEncoder
    let tags: TrackTags

    package init(encoder: StreamEncoder, tags: TrackTags = TrackTags()) {
        self.encoder = encoder
        self.tags = tags
    }
}

/// A track of subtitles or data of an output, whose times are milliseconds.
package struct OutputSubtitles: Sendable {
    let codec: String
    let isData: Bool
    let header: [UInt8]
    let tags: TrackTags

    /// - Parameters:
    ///   - codec: libav's name of the format, or that of a data track.
    ///   - header: the format's header (extradata); of a data track its sample entry.
    package init(codec: String, isData: Bool, header: [UInt8], tags: TrackTags) {
        (self.codec, self.isData, self.header, self.tags) = (codec, isData, header, tags)
    }

    static let timeBase = AVRational(num: 1, den: 1000)
}

/// Writes packets into a container. Owns the AVFormatContext and its file.
final class Muxer: PacketSink {
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let file: OutputFile
    private let container: Container
    /// What is written into the complete file's header; nil if libav writes all of it.
    private let movieHeader: MovieHeader?

    /// Opens the file and writes the header.
    /// - Parameter videoHeader: the extradata of the video stream; nil takes the encoder's.
    init(
        file: OutputFile, container: Container, chapters: [Chapter], video: StreamEncoder, sounds: [OutputAudio],
        subtitles: [OutputSubtitles], metadata: [String: String], videoHeader: [UInt8]?
    ) throws(MediaError) {
        self.file = file
        self.container = container
        let entries = subtitles.filter(\.isData).map(\.header)
        let others = MovieHeader(metadata, entries: entries, in: container)
        movieHeader = file.isStream ? nil : others
        var context: UnsafeMutablePointer<AVFormatContext>?
        let muxer = try Encoders.muxer(of: container)
        guard avformat_alloc_output_context2(&context, muxer, nil, file.url) >= 0, let context
        else {
            throw .outOfMemory
        }
        self.context = context
        // No dates or random numbers are written, so that the same input gives the same bytes.
        context.pointee.flags |= AVFMT_FLAG_BITEXACT
        // Times are written unchanged: video starts at 0, and the audio's priming before it. The clock of program streams
        // begins with their first packet, since they have no negative times.
        context.pointee.avoid_negative_ts = container.name == "vob" ? 1 : 0
        let stream = try addStream(for: video)
        // A track of timecodes counts frames.
        if metadata["timecode"] != nil, container.priming == .editList {
            stream.pointee.avg_frame_rate = video.context.pointee.framerate
        }
        for sound in sounds { sound.tags.attach(to: try addStream(for: sound.encoder), in: container) }
        for track in subtitles { try addStream(for: track) }
        if let videoHeader, let stream = context.pointee.streams[0] { try setHeader(videoHeader, of: stream) }
        let tags = movieHeader?.given ?? (others == nil ? metadata : MovieHeader.named(metadata))
        for (key, value) in tags.sorted(by: { $0.key < $1.key }) {
            av_dict_set(&context.pointee.metadata, key, value, 0)
        }
        if container.holdsChapters { try chapters.attach(to: context) }
        try open(hasKeys: others != nil)
    }

    deinit {
        if context.pointee.pb != nil { avio_closep(&context.pointee.pb) }
        avformat_free_context(context)
    }

    private func addStream(
        for encoder: StreamEncoder
    ) throws(MediaError) -> UnsafeMutablePointer<AVStream> {
        guard let stream = avformat_new_stream(context, nil) else { throw .outOfMemory }
        stream.pointee.time_base = encoder.timeBase
        guard avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context) >= 0 else { throw .outOfMemory }
        if container.priming == .editList, encoder.context.pointee.codec_id == AV_CODEC_ID_HEVC {
            // This tag says that parameter sets are only in the header, as they are here; Apple's players require it.
            stream.pointee.codecpar.pointee.codec_tag = flip_tag_hvc1
        }
        if encoder.context.pointee.codec_type == AVMEDIA_TYPE_VIDEO {
            if encoder.keptTimes == nil {
                stream.pointee.avg_frame_rate = encoder.context.pointee.framerate
                stream.pointee.r_frame_rate = encoder.context.pointee.framerate
            }
            stream.pointee.sample_aspect_ratio = encoder.context.pointee.sample_aspect_ratio
            try encoder.hdr?.attach(to: stream)
            if let matrix = encoder.displayMatrix { try attach(matrix, to: stream) }
            try encoder.dolbyVision?.attach(to: stream)
            try encoder.projection?.attach(to: stream)
            if encoder.dolbyVision != nil || encoder.projection != nil {
                // The boxes of either aren't in the standard of the file format.
                context.pointee.strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL
            }
        }
        return stream
    }

    private func attach(_ matrix: [Int32], to stream: UnsafeMutablePointer<AVStream>) throws(MediaError) {
        guard let numbers = flip_add_display_matrix(stream) else { throw .outOfMemory }
        for (index, number) in matrix.enumerated() { numbers[index] = number }
    }

    private func addStream(for track: OutputSubtitles) throws(MediaError) {
        guard let stream = avformat_new_stream(context, nil) else { throw .outOfMemory }
        stream.pointee.time_base = OutputSubtitles.timeBase
        if track.isData {
            stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_DATA
            if container.priming == .editList {
                stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_BIN_DATA
                stream.pointee.codecpar.pointee.codec_tag = flip_tag_gpmd
            } else {
                stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_SMPTE_KLV
            }
        } else {
            stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
            stream.pointee.codecpar.pointee.codec_id =
                avcodec_descriptor_get_by_name(track.codec)?.pointee.id ?? AV_CODEC_ID_NONE
        }
        if !track.header.isEmpty, !track.isData { try setHeader(track.header, of: stream) }
        track.tags.attach(to: stream, in: container)
    }

    /// Replaces a stream's extradata.
    private func setHeader(_ bytes: [UInt8], of stream: UnsafeMutablePointer<AVStream>) throws(MediaError) {
        guard let parameters = stream.pointee.codecpar,
            let memory = av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE))
        else { throw .outOfMemory }
        memory.copyMemory(from: bytes, byteCount: bytes.count)
        av_free(parameters.pointee.extradata)
        parameters.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        parameters.pointee.extradata_size = Int32(bytes.count)
    }

    /// - Parameter hasKeys: whether a stream has tags of other names than libav's own.
    private func open(hasKeys: Bool) throws(MediaError) {
        let opened = avio_open(&context.pointee.pb, context.pointee.url, AVIO_FLAG_WRITE)
        guard opened >= 0 else { throw MediaError(.cannotCreate, "cannot create '\(file.path)'", code: opened) }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        for (key, value) in file.isStream ? container.streamedOptions : container.options {
            av_dict_set(&options, key, value, 0)
        }
        if file.isStream, hasKeys { av_dict_set(&options, "movflags", "+use_metadata_tags", AV_DICT_APPEND) }
        let (code, log) = MediaLog.capturing { avformat_write_header(context, &options) }
        guard code >= 0 else {
            throw MediaError(
                .usage, "cannot write these streams as \(container.name) to '\(file.path)'", code: code, log: log)
        }
    }

    func write(_ packet: Packet, of encoder: StreamEncoder, stream index: Int) throws(MediaError) {
        guard place(packet, of: encoder) else { return }
        try write(packet, timeBase: encoder.timeBase, stream: index)
    }

    func write(subtitles packet: Packet, stream index: Int) throws(MediaError) {
        try write(packet, timeBase: OutputSubtitles.timeBase, stream: index)
    }

    private func write(_ packet: Packet, timeBase: AVRational, stream index: Int) throws(MediaError) {
        guard let stream = context.pointee.streams[index], !file.isDiscarded else {
            throw MediaError(.io, "writing '\(file.path)' was cancelled")
        }
        av_packet_rescale_ts(packet.pointer, timeBase, stream.pointee.time_base)
        packet.pointer.pointee.stream_index = Int32(index)
        try check(av_interleaved_write_frame(context, packet.pointer))
        try checkFile()
    }

    var bytesWritten: Int { context.pointee.pb.map { Int(avio_seek($0, 0, SEEK_CUR)) } ?? 0 }

    /// Shifts a packet's times as the container needs them; returns false if the packet must be left out.
    private func place(_ packet: Packet, of encoder: StreamEncoder) -> Bool {
        // Encoders may end with an empty packet of changed extradata, which only some muxers go back to write.
        if container.priming == .none, packet.pointer.pointee.size == 0 { return false }
        guard encoder.context.pointee.codec_type == AVMEDIA_TYPE_AUDIO else {
            // The encoder counts frames.
            if let times = encoder.keptTimes, let shown = packet.presentationTime, let decoded = packet.decodingTime {
                let ticks = { times.ticks(of: $0, in: times.timeBase) }
                packet.setTimes(
                    presentation: ticks(shown), decoding: ticks(decoded), duration: ticks(shown + 1) - ticks(shown))
            }
            return true
        }
        let isMatroska = container.priming == .codecDelay
        // Older Matroska muxers write CodecDelay for Opus but don't shift the blocks by it.
        if isMatroska, flip_matroska_applies_codec_delay() == 0, encoder.context.pointee.codec_id == AV_CODEC_ID_OPUS {
            packet.move(by: Int(encoder.context.pointee.initial_padding))
            return true
        }
        return container.storesPriming(of: encoder.codec) || (packet.presentationTime ?? 0) >= 0
    }

    /// Writes the trailer and closes the file; the operating system then has all of its bytes.
    func finish() throws(MediaError) {
        let (code, log) = MediaLog.capturing { av_write_trailer(context) }
        try check(code, log: log)
        avio_flush(context.pointee.pb)
        try checkFile()
        try check(avio_closep(&context.pointee.pb))
        try movieHeader?.write(into: file.workingPath)
    }

    /// Throws if a write failed, which muxers don't check.
    private func checkFile() throws(MediaError) { try check(context.pointee.pb.pointee.error) }

    private func check(_ code: Int32, log: String? = nil) throws(MediaError) {
        if code >= 0 { return }
        throw MediaError(.io, "cannot write '\(file.path)'", code: code, log: flip_errno(code) == 0 ? log : nil)
    }
}
