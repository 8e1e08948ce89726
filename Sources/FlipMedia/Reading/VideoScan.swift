import CLibav
import FlipBase
import FlipBitstream

/// One pass over the packets of a video stream, which decodes up to the first frame that is shown.
struct VideoScan {
    private let file: InputFile
    let stream: UnsafeMutablePointer<AVStream>
    private let decoder: StreamDecoder
    /// The indices of the audio streams whose packets have to be read for `sounds`.
    private var soundIndices: Set<Int> = []
    /// The indices of the audio streams that are used with the video, the main one first.
    private let audioIndices: [Int]
    private var firstFrame: Frame?
    /// The last line that the decoder logged while it gave no frame.
    private var complaint: String?
    /// The packets so far, and what they mean for copying if `parser` is there.
    var index = PacketIndex()
    private var parser: PacketParser?
    /// The epochs of the file's clock, each with the number of its first packet.
    private var epochs: [(first: Int, epoch: Int)] = []
    /// The first frame's PTS, in ticks.
    private var firstTime: Int?
    /// The jumps of the file's clock; nil if there are none.
    private(set) var jumps: ClockJumps?
    /// The scans of the audio streams' packet times, by the streams' indices; empty for containers from which packets
    /// can't be copied.
    private(set) var sounds: [Int: AudioScan] = [:]
    /// How far the packets of the main audio stream reach; nil if they weren't measured, or if the file's clock jumps.
    private(set) var soundLength: AudioLength?

    /// The packets that needn't be read; nil if all are.
    private var skip: EvenIndex?
    /// Whether the index was wrong about packets that weren't read, so that nothing of the scan counts.
    private(set) var hasGuessedWrong = false

    /// The number of frames of a live clip that tell its frame rate.
    private static let minFrames = 8
    /// The number of packets within which those frames must come.
    private static let maxPackets = 240

    /// Scans the first frames of a clip that is still arriving; their packets stay in `live` to be read.
    init(live: LiveInput) throws(MediaError) {
        file = live.file
        statedRate = live.statedRate
        guard let stream = file.videoStream else { throw MediaError(.badInput, "'\(file.path)' has no video") }
        self.stream = stream
        audioIndices = []
        decoder = try StreamDecoder(stream: stream, path: file.path, threads: 1)
        let packet = try Packet()
        var known: [PacketIndex.Entry] = []
        while known.count < Self.minFrames || firstFrame == nil, index.shown.count < Self.maxPackets,
            case .packet = try live.lookAhead(into: packet)
        {
            try note(packet)
            // A packet's PTS is not before its DTS, so no frame up to the newest packet's DTS is still missing.
            let settled = packet.decodingTime ?? .min
            known = Array(index.shown.filter { $0.presentation.map { $0 <= settled } ?? false })
        }
        isSettled = known.count >= Self.minFrames && firstFrame != nil
        firstTime = firstFrame?.timestamp
        index.entries = known
    }

    /// Whether enough of a live clip has arrived to judge it; true for files.
    private(set) var isSettled = true
    /// The frame rate that a live clip's container states; nil if it states none, and for files.
    private var statedRate: Rational?

    /// - Parameters:
    ///   - sounds: the audio streams whose times are looked at as well, the main one first.
    ///   - parses: whether to find out which packets can be copied.
    ///   - measuresSound: whether to read all packets of the main audio stream for its length.
    ///   - skips: whether to read only the packets at both ends where the container's index tells the rest.
    init(
        file: InputFile, stream: UnsafeMutablePointer<AVStream>, sounds: [UnsafeMutablePointer<AVStream>],
        parses: Bool = false, measuresSound: Bool = false, skips: Bool = false
    ) throws(MediaError) {
        (self.file, self.stream) = (file, stream)
        audioIndices = sounds.map { Int($0.pointee.index) }
        for sound in sounds where file.keepsPackets || parses && file.splitsPackets {
            var scan = AudioScan(sound)
            if file.splitsPackets, sound.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_OPUS { continue }
            if scan.needsPackets(of: sound) { soundIndices.insert(Int(sound.pointee.index)) }
            self.sounds[Int(sound.pointee.index)] = scan
        }
        if measuresSound { soundLength = sounds.first.map { AudioLength(timeBase: Rational($0.pointee.time_base)) } }
        decoder = try StreamDecoder(stream: stream, path: file.path, threads: 1)
        if parses { prepareParser() }
        if skips, !parses, !measuresSound, file.keepsPackets { skip = EvenIndex(stream) }
        try readPackets()
        index.header = parser?.header
    }

    private mutating func prepareParser() {
        let parameters = stream.pointee.codecpar.pointee
        index.extradata = parameters.header
        index.profile = Int(parameters.profile)
        parser = PacketParser(parameters, index.extradata)
    }

    private mutating func readPackets() throws(MediaError) {
        let index = Int(stream.pointee.index)
        file.watchClock(of: [index] + audioIndices)
        if !file.measureEnds() {
            let needsAudio = file.watch != nil || soundLength != nil
            file.readOnly([index] + (needsAudio ? audioIndices : Array(soundIndices)))
        }
        let (soundIndices, main) = (soundIndices, audioIndices.first)
        var (sounds, length) = (sounds, soundLength)
        defer { (self.sounds, soundLength) = (sounds, length) }
        // Packets of other streams come as well, for example those that libav read before it was told to skip some.
        let count = { (packet: Packet) in
            if soundIndices.contains(packet.streamIndex) { sounds[packet.streamIndex]?.add(packet.presentationTime) }
            if packet.streamIndex == main { length?.add(packet.presentationTime, duration: packet.duration) }
        }
        let packet = try Packet()
        var result = try file.read(into: packet, stream: index, aside: count)
        while result == .packet {
            try note(packet)
            if let skip, self.index.entries.count == skip.middle.lowerBound { try skipMiddle(skip) }
            result = try file.read(into: packet, stream: index, aside: count)
        }
        self.index.isWhole = result == .end
        if let skip { hasGuessedWrong = !skip.agrees(with: self.index.entries) }
        if firstFrame == nil { try decode(nil) }
        firstTime = firstFrame?.timestamp
        if let watch = file.watch, watch.count > 0 { length = nil }
        closeJumps()
        // What libav makes up for an elementary stream doesn't hold at its beginning.
        let delaying = [AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4]
        if delaying.contains(stream.pointee.codecpar.pointee.codec_id), !["mpegvideo", "m4v"].contains(file.formatName)
        {
            self.index.restoreTimes()
        }
    }

    /// Takes the packets of the middle from the index, and goes to the first one after them.
    private mutating func skipMiddle(_ skip: EvenIndex) throws(MediaError) {
        guard skip.agrees(withHead: index.entries) else {
            hasGuessedWrong = true
            self.skip = nil
            return
        }
        let (entries, place) = skip.entries(after: index.entries)
        index.entries += entries
        hasGuessedWrong = av_seek_frame(file.context, stream.pointee.index, Int64(place), AVSEEK_FLAG_BACKWARD) < 0
    }

    /// Shifts the times of each epoch so that its frames follow evenly on those before.
    private mutating func closeJumps() {
        let index = Int(stream.pointee.index)
        guard let watch = file.watch, let jumps = watch.jumps(leading: index) else { return }
        self.jumps = jumps
        let first = self.index.entries.firstIndex { $0.isShown && $0.presentation == firstTime }
        for (number, (start, epoch)) in epochs.enumerated() {
            let end = number + 1 < epochs.count ? epochs[number + 1].first : self.index.entries.count
            let ticks = watch.shift(of: index, in: epoch, as: jumps)
            for place in start..<end { self.index.entries[place].move(by: ticks) }
        }
        if let first { firstTime = self.index.entries[first].presentation }
    }

    private mutating func note(_ packet: Packet) throws(MediaError) {
        if firstFrame == nil { try decode(packet) }
        let hidesFrames = stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_VP8
        var entry = PacketIndex.Entry(
            presentation: packet.presentationTime, decoding: packet.decodingTime, duration: packet.duration,
            position: packet.position, isKey: packet.isKey, isHidden: hidesFrames && packet.isHiddenVP8,
            isDiscarded: packet.isDiscarded, isCorrupt: packet.isCorrupt, changesHeader: packet.changesHeader)
        guard index.entries.count < InputLimits.packets else {
            throw MediaError(
                .badInput,
                "stream \(stream.pointee.index) of '\(file.path)' has more than \(InputLimits.packets) frames, which is "
                    + "refused")
        }
        if entry.isShown, epochs.last?.epoch != file.epoch { epochs.append((index.entries.count, file.epoch)) }
        if index.refusal == nil {
            switch parser?.role(of: packet.bytes) {
            case .success(let role): entry.role = role
            case .failure(let reason): index.refusal = (index.entries.count, reason)
            case nil: break
            }
        }
        index.entries.append(entry)
    }

    private mutating func decode(_ packet: Packet?) throws(MediaError) {
        let decoder = decoder
        let (result, line) = MediaLog.capturing { () -> Result<Frame?, MediaError> in
            do throws(MediaError) {
                try decoder.send(packet)
                return .success(try decoder.receive())
            } catch {
                return .failure(error)
            }
        }
        firstFrame = try result.get()
        complaint = line ?? complaint
    }

    /// The stream as scanned. Throws `badInput` if no frame could be decoded, or if the stream is beyond a limit.
    var video: VideoInfo {
        get throws(MediaError) {
            let parameters = stream.pointee.codecpar.pointee
            let codec = MediaProbe.codecName(parameters)
            let name = "stream \(stream.pointee.index) (\(codec)) of '\(file.path)'"
            guard let frame = firstFrame else { throw MediaError.undecoded(name, complaint, hint: hint) }
            let picture = frame.pointer.pointee
            guard let decoded = PixelFormat(AVPixelFormat(picture.format)) else {
                throw MediaError(.badInput, "\(name) has an unknown pixel format")
            }
            // Inks become R'G'B'.
            let inks = file.inks
            let format = inks == nil ? decoded : .planarRGB(depth: decoded.depth)
            let timeBase = Rational(stream.pointee.time_base)
            let nominal = claimedRates.first { $0 > .zero } ?? Rational(25)
            let (times, hidden) = index.shownTimes(
                from: firstTime, step: max(1, (nominal.inverse / timeBase).rounded()), isInterlaced: frame.isInterlaced,
                timeBase: timeBase)
            // No rate and no slot is computed from times that are too far apart, since the products might not fit.
            let span = timeBase.scaled(count: (times.last ?? 0).minus(times.first ?? 0))
            guard span <= InputLimits.duration else { throw InputLimits.tooLong(name, span) }
            let timing = FrameTiming(
                times: times.isEmpty ? [0] : times,
                claims: .init(
                    timeBase: timeBase, rates: claimedRates, lastDuration: index.lastDuration, stated: statedRate))
            guard timing.duration <= InputLimits.duration else { throw InputLimits.tooLong(name, timing.duration) }
            let aspect = file.sampleAspectRatio(of: frame, in: stream)
            // The metadata that comes with a converted picture may still name the turn that was made.
            let transform = file.isConverted ? .identity : DisplayTransform(stream: stream, frame: frame)
            let shown = transform.displaySize(
                width: Int(picture.width), height: Int(picture.height), aspect: aspect, step: format.chromaStepX)
            let profile = avcodec_profile_name(parameters.codec_id, parameters.profile).map { String(cString: $0) }
            var video = VideoInfo(
                streamIndex: Int(stream.pointee.index), codec: codec, profile: profile, width: Int(picture.width),
                height: Int(picture.height), sampleAspectRatio: aspect, transform: transform, displayWidth: shown.width,
                displayHeight: shown.height, pixelFormat: format,
                color: inks == nil ? ColorDescription(of: picture) : ProfileConverter.color,
                hdr: HDRMetadata(stream: stream, frame: frame),
                frameRate: timing.frameRate, isVariableFrameRate: timing.isVariable, isInterlaced: frame.isInterlaced,
                frameCount: max(1, times.count), start: timeBase.scaled(count: times.first ?? 0),
                duration: timing.duration, isStill: times.count <= 1 && file.holdsPictures,
                seekPoints: jumps == nil && file.canSeek ? index.seekPoints : [])
            if let icc = ColorProfile(of: picture), inks != nil || icc.primaries == nil {
                let isKnown = icc.change(of: decoded, isInks: inks != nil) != nil
                if isKnown { video.changedProfile = icc.name } else { video.unknownProfile = icc.name }
            } else if inks != nil {
                video.changedProfile = "CMYK"
            }
            if codec == "png", video.color.primaries == nil, let color = PNGColor(path: file.path), !color.isDefault {
                video.unknownProfile = color.name
            }
            video.fieldOrder = FieldOrder(frame)
            video.statedFields = parameters.field_order.rawValue
            video.displayMatrix = file.isConverted ? nil : DisplayTransform.matrix(stream: stream, frame: frame)
            video.codecStatesAspect = Rational(picture.sample_aspect_ratio) == aspect
            video.dynamicMetadata = FrameMetadata.all(of: picture)
            (video.dolbyVision, video.projection) = (DolbyVision(stream), Projection(stream))
            // Newer libraries pass on only such RPUs as they understand.
            if video.dolbyVision != nil { video.dynamicMetadata.insert(.dolbyVision) }
            video.hiddenFrames = hidden
            video.unevenTimes = timing.isVariable ? times.map { $0.minus(times[0]) } : nil
            video.timeBase = timeBase
            return video
        }
    }

    /// What the picture says of how it was taken, as tags of a film.
    var pictureTags: [String: String] { firstFrame.map { PictureTags(of: $0).tags } ?? [:] }

    /// The end of an error message with advice for a stream that gives no picture; empty if there is none.
    private var hint: String {
        guard stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_WEBP else { return "" }
        return " (this FFmpeg can't decode animated WebP; convert it to APNG or GIF)"
    }

    private var claimedRates: [Rational] {
        [stream.pointee.avg_frame_rate, stream.pointee.r_frame_rate].map { Rational($0) }
    }
}

extension DisplayTransform {
    /// The nine numbers of the container's display matrix, else of the frame's; nil if there is none.
    fileprivate static func matrix(stream: UnsafeMutablePointer<AVStream>, frame: Frame) -> [Int32]? {
        flip_display_matrix(stream, frame.pointer).map { Array(UnsafeBufferPointer(start: $0, count: 9)) }
    }

    /// Takes the container's display matrix, else the frame's, else a photo's EXIF orientation.
    init(stream: UnsafeMutablePointer<AVStream>, frame: Frame) {
        if let matrix = flip_display_matrix(stream, frame.pointer) {
            self.init(matrix: matrix)
        } else if let entry = av_dict_get(frame.pointer.pointee.metadata, "Orientation", nil, 0),
            let number = Int(String(cString: entry.pointee.value).filter(\.isNumber)),
            let transform = DisplayTransform(exifOrientation: number)
        {
            self = transform
        } else {
            self = .identity
        }
    }
}

extension PacketParser {
    /// A parser of the stream's packets; nil if they can't be copied, whatever they hold.
    fileprivate init?(_ parameters: AVCodecParameters, _ extradata: [UInt8]) {
        let codec = MediaProbe.codecName(parameters)
        switch codec {
        case "h264", "hevc":
            let syntax: NALSyntax = codec == "h264" ? .h264 : .hevc
            guard let header = CodedHeader(extradata: extradata, syntax) else { return nil }
            self.init(header, syntax)
        case "mpeg1video", "mpeg2video":
            var header = CodedHeader(bytes: extradata)
            header.mpeg2 = MPEG2Stream(isMPEG1: codec == "mpeg1video")
            self.init(header, nil)
        case "mpeg4":
            var header = CodedHeader(bytes: extradata)
            header.mpeg4 = MPEG4Stream(header: extradata)
            self.init(header, nil)
        default:
            guard FrameForm.exists(codec), let format = PixelFormat(AVPixelFormat(parameters.format)) else {
                return nil
            }
            let (width, height) = (Int(parameters.width), Int(parameters.height))
            let profile = avcodec_profile_name(parameters.codec_id, parameters.profile).map { String(cString: $0) }
            var header = CodedHeader(bytes: extradata)
            header.frames = FrameForm(
                codec, profile: profile, header: extradata, width: width, height: height,
                rawBytes: format.byteCount(width: width, height: height))
            self.init(header, nil)
        }
    }
}
