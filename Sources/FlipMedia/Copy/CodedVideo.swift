import CLibav

/// Why a video can't be copied, as the end of a sentence that begins with its name.
package struct CopyRefusal: Error, Sendable, Hashable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// A clip's packets as they lie in its file: what of them can be taken over without decoding it.
package struct CodedVideo: Sendable {
    /// Where a copied stretch can begin.
    struct Start: Sendable, Hashable {
        /// The first frame of it.
        var frame: Int
        /// The packet that is decoded first, counted from the file's first, and how many packets that follow it are of
        /// frames before `frame`, which don't decode without what precedes them.
        var packet: Int
        var dropped: Int
    }

    let path: String
    let streamIndex: Int
    let codec: any CopyCodec
    let header: CodedHeader
    /// Seconds of stream time of frame 0, and frames a second.
    let start: Rational
    let frameRate: Rational
    /// Where decoding can begin: the packets before hold just the frames before, and nothing later refers to them.
    /// Ascending.
    let starts: [Start]
    /// Seconds of a tick of its packets' times.
    private let timeBase: Rational
    /// Frames before which a stretch can end, the number of all frames being the last: the packets before hold just the
    /// frames before. Ascending.
    private let ends: [Int]
    /// How many packets a frame comes late, at most: 0 without reordering.
    package let reorderDepth: Int
    /// The longest way from one start to the next, in frames.
    package let longestGroup: Int

    /// Reads the packets of `info`'s video, or says why they can't be copied beside those of `codec`. Throws where reading
    /// fails.
    package static func read(
        _ info: MediaInfo, as codec: any CopyCodec
    ) throws(MediaError) -> Result<CodedVideo, CopyRefusal> {
        guard let video = info.video else { return .failure(CopyRefusal("has no video")) }
        guard video.codec == codec.name else {
            return .failure(CopyRefusal("is \(video.codec), not \(codec.name)"))
        }
        if info.jumps != nil { return .failure(CopyRefusal("has a clock that begins anew on the way")) }
        let file = try InputFile(path: info.path)
        guard let stream = file.stream(video.streamIndex) else {
            throw MediaError(.badInput, "'\(info.name)' was changed while it was read")
        }
        let parameters = stream.pointee.codecpar.pointee
        let bytes = parameters.extradata.map {
            Array(UnsafeBufferPointer(start: $0, count: Int(parameters.extradata_size)))
        }
        switch codec.header(bytes ?? [], of: video) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let header):
            var scan = PacketScan(video, codec, header, timeBase: Rational(stream.pointee.time_base))
            if let refusal = try scan.read(file) ?? codec.refusal(scan.header, of: video) { return .failure(refusal) }
            return .success(CodedVideo(info.path, video, codec, scan))
        }
    }

    private init(_ path: String, _ video: VideoInfo, _ codec: any CopyCodec, _ scan: PacketScan) {
        self.path = path
        streamIndex = video.streamIndex
        self.codec = codec
        header = scan.header
        start = video.start
        frameRate = video.frameRate
        (starts, ends) = (scan.starts, scan.ends)
        timeBase = scan.timeBase
        reorderDepth = scan.reorderDepth
        let places = starts.map(\.frame)
        longestGroup = zip(places.dropFirst() + [scan.count], places).map(-).max() ?? scan.count
    }

    /// The start of the stretch that begins with `frame`.
    func start(at frame: Int) -> Start? { starts.first { $0.frame == frame } }

    /// `info`, of this very file, with the places at which decoding can begin.
    package func decodable(_ info: MediaInfo) -> MediaInfo {
        info.decodable(from: starts.map(\.frame), timeBase: timeBase)
    }

    /// The longest stretch within `frames` that can be copied; nil where there is none.
    package func stretch(in frames: Range<Int>) -> Range<Int>? {
        guard let start = starts.first(where: { $0.frame >= frames.lowerBound })?.frame,
            let end = ends.last(where: { $0 <= frames.upperBound }), start < end
        else { return nil }
        return start..<end
    }
}

extension VideoInfo {
    /// The frame with which what is used begins; nil where that lies between two frames.
    package var firstUsedFrame: Int? {
        let place = used.start * frameRate
        return isVariableFrameRate || place.denominator != 1 ? nil : place.numerator
    }
}

extension Packet {
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size))
    }

    /// Whether it comes with a new header for the decoder.
    var changesHeader: Bool { av_packet_get_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, nil) != nil }

    /// A packet of its own that holds `bytes`.
    convenience init(_ bytes: [UInt8]) throws(MediaError) {
        try self.init()
        guard av_new_packet(pointer, Int32(clamping: bytes.count)) >= 0 else { throw .outOfMemory }
        bytes.withUnsafeBufferPointer { source in
            if let base = source.baseAddress { pointer.pointee.data.update(from: base, count: source.count) }
        }
    }
}
