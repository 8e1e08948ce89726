import CLibav
import FlipBase
import FlipFiles

/// An open media file: its streams, and its packets in file order. Owns the AVFormatContext.
package final class InputFile: @unchecked Sendable {
    /// The file's name in messages: the path as given, or "standard input".
    package let path: String
    /// The path that is opened, which is another one for a pipe kept in a file and for a converted picture; empty if
    /// `pipe` is read.
    private let location: String
    /// The file that a picture was converted into because libav can't read it; nil for others.
    private let converted: NamelessFile?
    /// How a picture of four inks is stored; nil for others.
    let inks: InkPicture?
    let context: Context

    private let guardian: InputGuard
    /// The pipe that the bytes come from; nil for a file.
    private let pipe: PipeContext?

    /// How much of a file is read when it is opened.
    package enum Opening {
        /// The headers and as many packets as are needed to know the streams' parameters.
        case withPackets
        /// Only the headers, which is enough if nothing has to be decoded.
        case headersOnly
    }

    /// Opens a local file, or standard input as "-".
    package init(path name: String, opening: Opening = .withPackets) throws(MediaError) {
        let path = MediaInfo.name(of: name)
        if PictureFiles.isPattern(name) {
            let files = try PictureFiles(name)
            self.path = path
            (location, converted, inks, pipe) = (files.paths[0], nil, nil, nil)
            (context, guardian) = try Self.open(path, allowing: Set(files.paths)) { context in
                let opened = Self.open(&context, files)
                guard opened >= 0, opening == .withPackets, let context else { return opened }
                return Self.findStreams(context)
            }
            return
        }
        let own = try KeptInput.location(of: name)
        try Self.checkReadable(own)
        converted = HEIFPicture.isHEIC(own) ? try HEIFPicture.converted(own, for: path) : nil
        inks = converted == nil ? try InkPicture(own) : nil
        let location = converted?.location ?? inks?.file.location ?? own
        self.path = path
        self.location = location
        pipe = nil
        (context, guardian) = try Self.open(path) { context in
            // The prefix keeps libav from taking file names such as "http:..." or "concat:a|b" for URLs.
            let opened = Self.open(&context, "file:" + location)
            guard opened >= 0, opening == .withPackets, let context else { return opened }
            // Probing a picture means decoding it, which is done later anyway.
            return Self.isPicture(context) ? opened : Self.findStreams(context)
        }
    }

    /// Opens what comes through a pipe, which can be read only once, front to back.
    /// - Parameter header: called once the headers have been read, before libav adds what it guesses from packets.
    init(pipe: PipeContext, called path: String, header: (InputFile.Context) -> Void) throws(MediaError) {
        self.path = path
        location = ""
        converted = nil
        inks = nil
        self.pipe = pipe
        (context, guardian) = try Self.open(path) { context in
            context?.pointee.pb = pipe.pointer
            let opened = Self.open(&context, nil)
            guard opened >= 0, let context else { return opened }
            header(context)
            return Self.findStreams(context)
        }
    }

    typealias Context = UnsafeMutablePointer<AVFormatContext>

    deinit {
        var context: Context? = context
        avformat_close_input(&context)
    }

    package var formatName: String { String(cString: context.pointee.iformat.pointee.name) }

    /// Whether the file is of a kind used for pictures, so that a single frame in it is a still and not a video.
    var holdsPictures: Bool {
        let names = formatName.split(separator: ",")
        if names.contains(where: { $0.hasSuffix("_pipe") || ["image2", "gif", "apng"].contains($0) }) { return true }
        let brand = av_dict_get(context.pointee.metadata, "major_brand", nil, 0).map {
            String(cString: $0.pointee.value)
        }
        return ["avif", "avis", "mif1", "heic"].contains(brand)
    }

    /// Whether another program had to convert the file, which also turns pictures upright.
    var isConverted: Bool { converted != nil }

    /// Whether it is possible to seek to a time: the file is seekable and has time stamps of its own.
    package var canSeek: Bool {
        let flags = context.pointee.iformat.pointee.flags
        return flags & AVFMT_NOTIMESTAMPS == 0 && context.pointee.pb?.pointee.seekable != 0
    }

    /// The file's size in bytes; 0 if unknown.
    var byteCount: Int {
        var status = stat()
        return stat(location, &status) == 0 ? Int(status.st_size) : 0
    }

    var streams: UnsafeBufferPointer<UnsafeMutablePointer<AVStream>?> {
        UnsafeBufferPointer(start: context.pointee.streams, count: Int(context.pointee.nb_streams))
    }

    /// Stream `index`; nil if the file has none of that index.
    func avStream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
        streams.indices.contains(index) ? streams[index] : nil
    }

    /// The video stream to show: a film rather than a photo, then the default one, the largest, or the first. Cover art
    /// doesn't count.
    var videoStream: UnsafeMutablePointer<AVStream>? {
        func rank(_ stream: UnsafeMutablePointer<AVStream>) -> (Int, Int32, Int) {
            let size = stream.pointee.codecpar.pointee
            // Phones store a photo beside the film from which it was taken.
            return (
                stream.pointee.nb_frames == 1 ? 0 : 1, stream.pointee.disposition & AV_DISPOSITION_DEFAULT,
                Int(size.width) * Int(size.height)
            )
        }
        return streams.compactMap { $0 }
            .filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO && !Self.isCoverArt($0) }
            .reduce(nil) { best, stream in best.map { rank($0) >= rank(stream) ? $0 : stream } ?? stream }
    }

    /// All audio streams whose sample rate and channels are known.
    var audioStreams: [UnsafeMutablePointer<AVStream>] {
        streams.compactMap { $0 }.filter { stream in
            let parameters = stream.pointee.codecpar.pointee
            return parameters.codec_type == AVMEDIA_TYPE_AUDIO && parameters.sample_rate > 0
                && parameters.ch_layout.nb_channels > 0
        }
    }

    static func isCoverArt(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        stream.pointee.disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS) != 0
    }

    /// The sample aspect ratio of a frame of `stream`, as the container or else the codec states it; 1 if neither
    /// does.
    func sampleAspectRatio(of frame: Frame, in stream: UnsafeMutablePointer<AVStream>) -> Rational {
        let stated = Rational(av_guess_sample_aspect_ratio(context, stream, frame.pointer))
        return stated > .zero ? stated : Rational(1)
    }

    /// Lets the demuxer skip all streams but `wanted`, and makes their times continuous.
    /// - Parameter jumps: the known jumps of the file's clock; nil if there are none.
    package func readOnly(_ wanted: [Int], jumps: ClockJumps? = nil) {
        if let jumps { watchClock(of: jumps.streams, known: jumps) }
        let wanted = wanted + (jumps?.streams ?? [])
        for (index, stream) in streams.enumerated() {
            // From FFmpeg 7 on, the demuxer skips data tracks whose packets all have one time, unless it is told otherwise.
            stream?.pointee.discard = wanted.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    /// Whether it is an MP4, MOV, Matroska or WebM file, which stores packets unchanged and with time stamps, and
    /// describes them completely in its headers.
    package var keepsPackets: Bool { ["mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm"].contains(formatName) }

    /// Whether seeking leads to the last keyframe whose PTS, rather than DTS, is at or before a time. With a DTS, it would lead to the
    /// keyframe before the one that is meant.
    var seeksByPresentation: Bool { formatName.hasPrefix("mov,") }

    /// Whether it is a stream of MPEG-2 systems, of which libav makes packets by the codecs' own marks, with times.
    package var splitsPackets: Bool { ["mpegts", "mpeg"].contains(formatName) }

    // MARK: Packets

    /// The outcome of reading a packet.
    package enum ReadResult {
        case packet
        case end
        /// No packet for now: a live clip has no audio beside its next frames.
        case quiet
        /// The rest of the file is damaged or cut off.
        case damaged
    }

    /// Called before each packet; if it returns true, reading throws an error.
    var isCancelled: @Sendable () -> Bool = { false }
    /// Shifts the times of packets where the file's clock jumps; nil if the clock isn't watched.
    private(set) var watch: ClockWatch?
    /// The number of the epoch (the part between two clock jumps) of the packet read last, from 0.
    private(set) var epoch = 0
    /// If `measuresEnds`, the latest packet end so far of each stream, in ticks of its time base.
    private var ends: [Int: Int] = [:]
    private var measuresEnds = false
    /// Where packets lie in the file.
    private var places = PacketPlaces()
    /// Whether the file ended earlier than it should have.
    private(set) var isCutOff = false

    /// Makes the times of `streams` continuous where the file's clock restarts, which it may do in some formats.
    /// - Parameter known: the clock jumps, if they are known already.
    func watchClock(of streams: [Int], known: ClockJumps? = nil) {
        guard known != nil || context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0 else { return }
        let tracks = streams.compactMap { index in
            avStream(index).map { (index: index, timeBase: Rational($0.pointee.time_base)) }
        }
        watch = ClockWatch(tracks, known: known)
    }

    /// Has the ends of all streams measured if the header states the file's duration.
    /// - Returns: whether all streams have to be read in order to know whether the file is complete.
    func measureEnds() -> Bool {
        measuresEnds = promisedDuration != nil
        return measuresEnds || formatName == "nut"
    }

    /// The duration in seconds that the header promises; nil unless it is known to be written last and to be that of
    /// the longest stream.
    private var promisedDuration: Rational? {
        guard ["matroska,webm", "flv", "avi"].contains(formatName),
            context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM, context.pointee.duration > 0
        else { return nil }
        return Rational(Int(context.pointee.duration), Int(AV_TIME_BASE))
    }

    /// The times in seconds at which the file begins and ends as its header says or its streams do; nil if it isn't known.
    package var statedSpan: ClosedRange<Double>? {
        let (start, length) = (context.pointee.start_time, context.pointee.duration)
        guard start != flip_nopts, length > 0 else { return nil }
        let seconds = { (ticks: Int64) in Double(ticks) / Double(AV_TIME_BASE) }
        return seconds(start)...seconds(start) + seconds(length)
    }

    /// What is missing at the end of the file; nil if nothing is known to be. Valid after the last packet.
    var shortfall: Shortfall? {
        let found = ends.compactMap { index, end in
            avStream(index).map { Rational($0.pointee.time_base).scaled(count: end) }
        }.max()
        if let promised = promisedDuration, let found, promised - found > Shortfall.tolerance {
            return Shortfall(promised: promised, found: found)
        }
        return isCutOff ? Shortfall(promised: nil, found: nil) : nil
    }

    /// Reads the next packet of stream `index`. Throws if the disk, not the content, is at fault, or if cancelled.
    /// - Parameter aside: called with the packets of other streams that come before it.
    package func read(
        into packet: Packet, stream index: Int, aside: (Packet) -> Void = { _ in }
    ) throws(MediaError) -> ReadResult {
        try read(into: packet, streams: [index], aside: aside)
    }

    /// The same for the next packet of any of several streams.
    package func read(
        into packet: Packet, streams: Set<Int>, aside: (Packet) -> Void = { _ in }
    ) throws(MediaError) -> ReadResult {
        while true {
            packet.clear()
            if isCancelled() { throw MediaError(.internalFault, "reading '\(path)' was cancelled") }
            guardian.renew()
            let code = av_read_frame(context, packet.pointer)
            if code == flip_error_again { continue }
            if code < 0 { return try ended(code) }
            note(packet)
            if streams.contains(packet.streamIndex) { return .packet }
            aside(packet)
        }
    }

    /// Keeps track of a packet's position and times, and shifts the times where the clock has jumped.
    private func note(_ packet: Packet) {
        let (index, raw) = (Int(packet.pointer.pointee.stream_index), packet.pointer.pointee)
        places.add(
            stream: index, start: Int(raw.pos), size: Int(raw.size), isCorrupt: raw.flags & AV_PKT_FLAG_CORRUPT != 0)
        if watch != nil {
            let times = ClockWatch.Times(
                decoding: packet.decodingTime, presentation: packet.presentationTime, duration: packet.duration)
            guard let place = watch?.place(times, of: index) else { return }
            epoch = place.epoch
            if place.shift != 0 { packet.move(by: place.shift) }
        }
        guard measuresEnds, let time = packet.presentationTime ?? packet.decodingTime else { return }
        ends[index] = max(ends[index] ?? .min, time.plus(packet.duration ?? 0))
    }

    /// Interprets the error code with which libav stopped reading.
    private func ended(_ code: Int32) throws(MediaError) -> ReadResult {
        let device = context.pointee.pb?.pointee.error ?? 0
        if let failure = Self.deviceFailure(code: code, device: device) {
            throw MediaError(.io, "cannot continue reading '\(path)'", code: failure)
        }
        isCutOff = code != flip_error_eof || guardian.hasEndedEarly || places.lastIsCorrupt || endsWithinFrame
        return isCutOff ? .damaged : .end
    }

    /// The error code if the system, not the content, is the reason that nothing more can be read; nil otherwise.
    /// - Parameters:
    ///   - code: the demuxer's error code. It may be an I/O error merely because the file ends within a packet.
    ///   - device: the last error code of the I/O context, or 0. Some demuxers take any error for the end of the file.
    static func deviceFailure(code: Int32, device: Int32) -> Int32? {
        if flip_errno(device) != 0 { return device }
        return flip_errno(code) == ENOMEM ? code : nil
    }

    /// Whether the file ends within a frame in a way that the demuxer doesn't report.
    private var endsWithinFrame: Bool {
        guard places.end > 0, let reader = context.pointee.pb else { return false }
        return places.endsWithinFrame(at: Int(avio_seek(reader, 0, SEEK_CUR)), format: formatName)
    }
}
