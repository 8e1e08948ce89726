import CLibav

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An open media file: its streams, and its packets in file order. Owns the AVFormatContext.
final class InputFile: @unchecked Sendable {
    /// As the user knows it.
    let path: String
    /// As the system knows it.
    private let location: String
    let context: Context

    private let guardian: InputGuard
    /// Where its bytes come from if not from a file.
    private let pipe: PipeContext?

    /// How much is read of a file as it is opened.
    enum Opening {
        /// Its headers and as many packets as say what is in its streams.
        case withPackets
        /// Its headers, which is enough where nothing has to be decoded.
        case headersOnly
    }

    /// Opens a local file, or standard input as "-".
    init(path name: String, opening: Opening = .withPackets) throws(MediaError) {
        let path = name == "-" ? "standard input" : name
        let location = try KeptInput.location(of: name)
        try Self.checkReadable(location)
        self.path = path
        self.location = location
        pipe = nil
        (context, guardian) = try Self.open(path) { context in
            // The prefix keeps names such as "http:..." or "concat:a|b" from being anything but names.
            let opened = Self.open(&context, "file:" + location)
            guard opened >= 0, opening == .withPackets, let context else { return opened }
            // Of a picture there is nothing to find out but by decoding it, which is done anyway.
            return Self.isPicture(context) ? opened : Self.findStreams(context)
        }
    }

    /// Opens what comes through a pipe, to be read from front to back.
    /// - Parameter header: called when its headers were read, before anything is made of its packets.
    init(pipe: PipeContext, called path: String, header: (InputFile.Context) -> Void) throws(MediaError) {
        self.path = path
        location = ""
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

    /// A context that `body` opens, guarded all the while.
    private static func open(
        _ path: String, _ body: (inout Context?) -> Int32
    ) throws(MediaError) -> (Context, InputGuard) {
        var context = avformat_alloc_context()
        guard let allocated = context else { throw .outOfMemory }
        let guardian = InputGuard(allocated)
        let (code, log) = MediaLog.capturing { body(&context) }
        guard code >= 0, !guardian.isExhausted else {
            // A failed opening has freed it already.
            avformat_close_input(&context)
            throw failure(path, code: code, log: log, isExhausted: guardian.isExhausted)
        }
        guardian.renew()
        return (allocated, guardian)
    }

    /// Lets libav find out what kind of file it is.
    private static func open(_ context: inout Context?, _ url: String?) -> Int32 {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "protocol_whitelist", "file,pipe", 0)
        av_dict_set(&options, "format_whitelist", InputGuard.allowedFormats, 0)
        // Photos of one name each, not "img%03d.jpg" as a film of many files.
        av_dict_set(&options, "pattern_type", "none", 0)
        return avformat_open_input(&context, url, nil, &options)
    }

    private static func failure(_ path: String, code: Int32, log: String?, isExhausted: Bool) -> MediaError {
        if isExhausted {
            return MediaError(
                .badInput, "cannot read '\(path)' as video or audio: \(InputLimits.probeBytes >> 20) MiB tell nothing")
        }
        if log?.hasPrefix("Format not on whitelist") == true {
            return MediaError(.badInput, "'\(path)' is a list of other files or a script, which is not followed")
        }
        // What FFmpeg says of them helps nobody.
        if [".heic", ".heif", ".hif"].contains(where: path.lowercased().hasSuffix) {
            return MediaError(
                .badInput, "cannot read '\(path)': HEIC pictures aren't supported (save it as JPEG or PNG first)")
        }
        // Demuxers call it an I/O error, or a lack of memory, where a header is cut off or has impossible sizes.
        let reason = log ?? MediaError.text(of: code)
        return MediaError(.badInput, "cannot read '\(path)' as video or audio: \(reason)")
    }

    /// Whether it is a file of one picture, or of several without times, of a known codec.
    private static func isPicture(_ context: Context) -> Bool {
        String(cString: context.pointee.iformat.pointee.name).hasSuffix("_pipe") && context.pointee.nb_streams == 1
            && context.pointee.streams[0]?.pointee.codecpar.pointee.codec_id != AV_CODEC_ID_NONE
    }

    /// Lets each stream's decoder look at as much as it needs, but not at pictures that are too large.
    private static func findStreams(_ context: Context) -> Int32 {
        var options = [OpaquePointer?](repeating: nil, count: Int(context.pointee.nb_streams))
        for index in options.indices { av_dict_set(&options[index], "max_pixels", "\(InputLimits.maxPixels)", 0) }
        defer { for index in options.indices { av_dict_free(&options[index]) } }
        return avformat_find_stream_info(context, &options)
    }

    deinit {
        var context: Context? = context
        avformat_close_input(&context)
    }

    private static func checkReadable(_ path: String) throws(MediaError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw MediaError(
                .missingInput, "cannot read '\(path)': \(String(cString: strerror(errno)).lowercasedFirst)")
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw MediaError(.missingInput, "'\(path)' is a directory, not a media file")
        }
        guard access(path, R_OK) == 0 else {
            throw MediaError(
                .missingInput, "cannot read '\(path)': \(String(cString: strerror(errno)).lowercasedFirst)")
        }
        if status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
            throw MediaError(.badInput, "'\(path)' is empty")
        }
    }

    var formatName: String { String(cString: context.pointee.iformat.pointee.name) }

    /// Whether it is a kind of file that pictures come in, which are no film while there is but one.
    var holdsPictures: Bool {
        let names = formatName.split(separator: ",")
        if names.contains(where: { $0.hasSuffix("_pipe") || ["image2", "gif", "apng"].contains($0) }) { return true }
        let brand = av_dict_get(context.pointee.metadata, "major_brand", nil, 0).map {
            String(cString: $0.pointee.value)
        }
        return ["avif", "avis", "mif1", "heic"].contains(brand)
    }

    /// Whether one can go to a time of it, times being the file's own.
    var canSeek: Bool {
        let flags = context.pointee.iformat.pointee.flags
        return flags & AVFMT_NOTIMESTAMPS == 0 && context.pointee.pb?.pointee.seekable != 0
    }

    var byteCount: Int {
        var status = stat()
        return stat(location, &status) == 0 ? Int(status.st_size) : 0
    }

    var streams: UnsafeBufferPointer<UnsafeMutablePointer<AVStream>?> {
        UnsafeBufferPointer(start: context.pointee.streams, count: Int(context.pointee.nb_streams))
    }

    /// Stream `index`, when the file has it.
    func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
        streams.indices.contains(index) ? streams[index] : nil
    }

    /// The video to show: the default one, else the largest, else the first; cover art is no video.
    var videoStream: UnsafeMutablePointer<AVStream>? {
        func rank(_ stream: UnsafeMutablePointer<AVStream>) -> (Int32, Int) {
            let size = stream.pointee.codecpar.pointee
            return (stream.pointee.disposition & AV_DISPOSITION_DEFAULT, Int(size.width) * Int(size.height))
        }
        return streams.compactMap { $0 }
            .filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO && !Self.isCoverArt($0) }
            .reduce(nil) { best, stream in best.map { rank($0) >= rank(stream) ? $0 : stream } ?? stream }
    }

    /// Every track of sound.
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

    /// Lets the demuxer skip all streams but `wanted`.
    func readOnly(_ wanted: [Int]) {
        for (index, stream) in streams.enumerated() where !wanted.contains(index) {
            stream?.pointee.discard = AVDISCARD_ALL
        }
    }

    /// Whether it is an mp4, a mov or a mkv: packets lie in them as they are, with times, and headers say all about them.
    var keepsPackets: Bool { ["mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm"].contains(formatName) }

    // MARK: Packets

    /// What came of reading a packet.
    enum ReadResult {
        case packet
        case end
        /// None for now: of a live clip's sound, among the next pictures.
        case quiet
        /// The rest of the file is damaged or cut off.
        case damaged
    }

    /// Asked before each packet; where it says so, reading ends with an error.
    var isCancelled: @Sendable () -> Bool = { false }
    /// Moves the times of packets where the file's clock jumps.
    private(set) var watch: ClockWatch?
    /// Between which jumps of the clock the packet lies that was read last.
    private(set) var epoch = 0
    /// Where `measuresEnds`, for each stream the latest end of a packet so far, in its ticks.
    private var ends: [Int: Int] = [:]
    private var measuresEnds = false
    /// Where the last packet begins and ends, in bytes of the file.
    private var lastPacketStart: Int64 = 0
    private var lastPacketEnd: Int64 = 0
    /// Whether the demuxer found the last packet of the file shorter than its header says. The guardian's word for that depends on
    /// where the demuxer stands when it says so, which differs between FFmpeg's versions.
    private var lastIsCorrupt = false
    /// The greatest common divisor of all distances between packets' beginnings, in bytes; nil before the second packet.
    private var packetPitch: Int64?
    /// The stream of the last packet, and for each stream the fewest bytes from the end of a packet's data to the next packet.
    private var lastStream = 0
    private var leastGaps: [Int: Int64] = [:]
    /// Whether it ended earlier than it should have.
    private(set) var isCutOff = false

    /// Has the times of `streams` follow on each other where the clock of the file begins anew, which it may in some formats.
    /// - Parameter known: where that is known already.
    func watchClock(of streams: [Int], known: ClockJumps? = nil) {
        guard known != nil || context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0 else { return }
        let tracks = streams.compactMap { index in
            stream(index).map { (index: index, timeBase: Rational($0.pointee.time_base)) }
        }
        watch = ClockWatch(tracks, known: known)
    }

    /// Has the ends of all streams measured, where the header says how long the file is.
    /// - Returns: whether no stream may be skipped for it to be known whether the file is whole.
    func measureEnds() -> Bool {
        measuresEnds = promisedDuration != nil
        return measuresEnds || formatName == "nut"
    }

    /// Seconds that the header promises, where it is known to be written last and to mean the longest stream.
    private var promisedDuration: Rational? {
        guard ["matroska,webm", "flv", "avi"].contains(formatName),
            context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM, context.pointee.duration > 0
        else { return nil }
        return Rational(Int(context.pointee.duration), Int(AV_TIME_BASE))
    }

    /// What is missing at its end; to be asked after its last packet.
    var shortfall: Shortfall? {
        let found = ends.compactMap { index, end in
            stream(index).map { Rational($0.pointee.time_base).scaled(count: end) }
        }.max()
        if let promised = promisedDuration, let found, promised - found > Shortfall.tolerance {
            return Shortfall(promised: promised, found: found)
        }
        return isCutOff ? Shortfall(promised: nil, found: nil) : nil
    }

    /// Reads the next packet of stream `index`. Throws when the disk, not the content, is at fault.
    /// - Parameter aside: called with packets of other streams on the way.
    func read(
        into packet: Packet, stream index: Int, aside: (Packet) -> Void = { _ in }
    ) throws(MediaError) -> ReadResult {
        while true {
            packet.clear()
            if isCancelled() { throw MediaError(.internalFault, "reading '\(path)' was cancelled") }
            guardian.renew()
            let code = av_read_frame(context, packet.pointer)
            if code == flip_error_again { continue }
            if code < 0 { return try ended(code) }
            note(packet)
            if Int(packet.pointer.pointee.stream_index) == index { return .packet }
            aside(packet)
        }
    }

    private func note(_ packet: Packet) {
        let (index, raw) = (Int(packet.pointer.pointee.stream_index), packet.pointer.pointee)
        let distance = abs(raw.pos - lastPacketStart)
        if raw.pos >= 0, lastPacketEnd > 0, distance > 0 {
            packetPitch = Rational.greatestCommonDivisor(packetPitch ?? 0, distance)
        }
        if raw.pos >= lastPacketEnd, lastPacketEnd > 0 {
            leastGaps[lastStream] = min(leastGaps[lastStream] ?? .max, raw.pos - lastPacketEnd)
        }
        lastStream = index
        if raw.pos >= lastPacketStart { lastIsCorrupt = raw.flags & AV_PKT_FLAG_CORRUPT != 0 }
        lastPacketStart = max(lastPacketStart, raw.pos)
        lastPacketEnd = max(lastPacketEnd, raw.pos &+ Int64(raw.size))
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

    /// What it means that libav reads no further.
    private func ended(_ code: Int32) throws(MediaError) -> ReadResult {
        let device = context.pointee.pb?.pointee.error ?? 0
        if let failure = Self.deviceFailure(code: code, device: device) {
            throw MediaError(.io, "cannot go on reading '\(path)'", code: failure)
        }
        isCutOff = code != flip_error_eof || guardian.hasEndedEarly || lastIsCorrupt || endsWithinFrame
        return isCutOff ? .damaged : .end
    }

    /// The error code where the system, not the content, is why nothing more can be read; nil where it isn't.
    /// - Parameters:
    ///   - code: what the demuxer said. It calls it an I/O error, too, where a file ends within a packet.
    ///   - device: what the system said last, or 0. Some demuxers take any error for the end of the file.
    static func deviceFailure(code: Int32, device: Int32) -> Int32? {
        if flip_errno(device) != 0 { return device }
        return flip_errno(code) == ENOMEM ? code : nil
    }

    /// Whether it ends within a frame in a way of which the demuxer says nothing.
    private var endsWithinFrame: Bool {
        guard lastPacketEnd > 0, let reader = context.pointee.pb else { return false }
        let position = avio_seek(reader, 0, SEEK_CUR)
        let rest = position - lastPacketEnd
        switch formatName {
        case "yuv4mpegpipe": return rest > 0
        // The demuxer shortens the last frame to what is there. A file that was finished ends with headers or an index, both of
        // which are longer than a frame's header.
        case "nut": return rest < Self.leastTrailer
        // It is made of tags that lie side by side. What is left behind a packet's data is the end of its tag, and further tags.
        case "flv":
            let more = rest - (leastGaps[lastStream] ?? rest)
            return more < 0 || (1..<Self.leastTag).contains(more)
        // It is made of packets of one size, without or with a time before or check bytes behind them.
        case "mpegts":
            return [188, 192, 204].allSatisfy { size in
                (packetPitch ?? 0) % size != 0 || (position - lastPacketStart) % size != 0
            }
        default: return false
        }
    }

    /// Bytes of the shortest index in NUT: start code, length, one syncpoint, its own length and a checksum.
    private static let leastTrailer = 24
    /// Bytes of FLV's header of a tag and of the tag's length behind it.
    private static let leastTag: Int64 = 11 + 4
}

extension String {
    /// For the operating system's words at the end of a sentence.
    var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
