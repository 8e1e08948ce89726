import CLibav
import FlipBase
import FlipBitstream

/// The coded video of a clip's file: which of its packets can be copied without decoding.
package struct CodedVideo: Sendable {
    /// Where a copied stretch can begin.
    struct Start: Sendable, Hashable {
        /// The first frame of the stretch.
        var frame: Int
        /// The number of the packet that is decoded first, counted from the file's first packet, and how many packets
        /// after it are dropped: they hold frames before `frame` that don't decode without earlier packets.
        var packet: Int
        var dropped: Int
    }

    let path: String
    let streamIndex: Int
    let codec: any CopyCodec
    let header: CodedHeader
    /// The time of frame 0 in seconds of stream time, and the frame rate in frames per second.
    let start: Rational
    let frameRate: Rational
    /// Where decoding can begin, ascending: earlier packets hold exactly the earlier frames, and no later frame refers
    /// to one of them.
    let starts: [Start]
    /// The time base of the packets' time stamps, in seconds per tick.
    private let timeBase: Rational
    /// The frames before which a stretch can end, ascending: earlier packets hold exactly the earlier frames. The last
    /// element is the number of all frames.
    private let ends: [Int]
    /// The number of frames by which decoding order may lag presentation order; 0 without reordering.
    package let reorderDepth: Int
    /// The greatest distance from one start to the next, or to the end, in frames.
    package let longestGroup: Int

    /// Reads the packets of `info`'s video, or says why they can't be copied with `codec`. Throws if reading fails.
    package static func read(
        _ info: MediaInfo, as codec: any CopyCodec
    ) throws(MediaError) -> Result<CodedVideo, CopyRefusal> {
        guard let video = info.video else { return .failure(CopyRefusal("has no video")) }
        guard video.codec == codec.name else {
            return .failure(CopyRefusal("is \(video.codec), not \(codec.name)"))
        }
        if info.jumps != nil { return .failure(CopyRefusal("has time stamps that restart within the file")) }
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

    /// The start whose first frame is `frame`; nil if there is none.
    func start(at frame: Int) -> Start? { starts.first { $0.frame == frame } }

    /// `info`, which describes this same file, with its seek points limited to `starts`.
    package func decodable(_ info: MediaInfo) -> MediaInfo {
        info.decodable(from: starts.map(\.frame), timeBase: timeBase)
    }

    /// The longest stretch within `frames` that can be copied; nil if there is none.
    package func stretch(in frames: Range<Int>) -> Range<Int>? {
        guard let start = starts.first(where: { $0.frame >= frames.lowerBound })?.frame,
            let end = ends.last(where: { $0 <= frames.upperBound }), start < end
        else { return nil }
        return start..<end
    }
}

extension VideoInfo {
    /// The number of the first used frame; nil if the used part begins between two frames or the rate is variable.
    package var firstUsedFrame: Int? {
        let place = used.start * frameRate
        return isVariableFrameRate || place.denominator != 1 ? nil : place.numerator
    }
}

extension Packet {
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size))
    }

    /// Whether the packet brings new extradata for the decoder.
    var changesHeader: Bool { av_packet_get_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, nil) != nil }

    /// Creates a packet with a copy of `bytes`.
    convenience init(_ bytes: [UInt8]) throws(MediaError) {
        try self.init()
        guard av_new_packet(pointer, Int32(clamping: bytes.count)) >= 0 else { throw .outOfMemory }
        bytes.withUnsafeBufferPointer { source in
            if let base = source.baseAddress { pointer.pointee.data.update(from: base, count: source.count) }
        }
    }
}
