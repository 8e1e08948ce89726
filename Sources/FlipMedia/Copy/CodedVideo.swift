import CLibav

/// Why a video can't be copied, as the end of a sentence that begins with its name.
package struct CopyRefusal: Error, Sendable, Hashable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// A clip's H.264 as it lies in its file: what of it can be taken over without decoding it.
package struct CodedVideo: Sendable {
    let path: String
    let streamIndex: Int
    let sets: ParameterSets
    /// Bytes of a unit's length.
    let lengthSize: Int
    /// Seconds of stream time of frame 0, and frames a second.
    let start: Rational
    let frameRate: Rational
    /// Frames at which decoding can begin: the packets before such a one hold just the frames before it, and it is an IDR
    /// picture, so that nothing later refers to what is before. Ascending.
    private let starts: [Int]
    /// Frames before which a stretch can end, the number of all frames being the last: the packets before hold just the
    /// frames before. Ascending.
    private let ends: [Int]
    /// How many packets a frame comes late, at most: 0 without reordering.
    package let reorderDepth: Int
    /// The longest way from one start to the next, in frames.
    package let longestGroup: Int
    /// The profile and the level (ten times) of its best sequence.
    package let profile: Int
    package let level: Int

    /// Reads the packets of `info`'s video, or says why they can't be copied. Throws where reading fails.
    package static func read(_ info: MediaInfo) throws(MediaError) -> Result<CodedVideo, CopyRefusal> {
        guard let video = info.video else { return .failure(CopyRefusal("has no video")) }
        guard video.codec == "h264" else { return .failure(CopyRefusal("is \(video.codec), not h264")) }
        let file = try InputFile(path: info.path)
        guard let stream = file.stream(video.streamIndex) else {
            throw MediaError(.badInput, "'\(info.path)' was changed while it was read")
        }
        let parameters = stream.pointee.codecpar.pointee
        let header = parameters.extradata.map {
            Array(UnsafeBufferPointer(start: $0, count: Int(parameters.extradata_size)))
        }
        guard let (sets, lengthSize) = header.flatMap(ParameterSets.read(avcC:)) else {
            return .failure(CopyRefusal("does not keep its parameter sets in a header, as mp4, mov and mkv do"))
        }
        guard let facts = sets.facts else {
            return .failure(CopyRefusal("has an H.264 profile other than Baseline, Main and High"))
        }
        if facts.contains(where: \.mayBeInterlaced) { return .failure(CopyRefusal("is coded for interlacing")) }
        var scan = PacketScan(video, sets: sets, lengthSize: lengthSize, timeBase: Rational(stream.pointee.time_base))
        if let refusal = try scan.read(file) { return .failure(refusal) }
        return .success(CodedVideo(info.path, video, sets, lengthSize, facts, scan))
    }

    private init(
        _ path: String, _ video: VideoInfo, _ sets: ParameterSets, _ lengthSize: Int, _ facts: [SequenceFacts],
        _ scan: PacketScan
    ) {
        self.path = path
        streamIndex = video.streamIndex
        self.sets = sets
        self.lengthSize = lengthSize
        start = video.start
        frameRate = video.frameRate
        (starts, ends) = (scan.starts, scan.ends)
        reorderDepth = scan.reorderDepth
        longestGroup = zip(starts.dropFirst() + [scan.count], starts).map(-).max() ?? scan.count
        profile = facts.map(\.profile).max() ?? 0
        level = facts.map(\.level).max() ?? 0
    }

    /// The longest stretch within `frames` that can be copied; nil where there is none.
    package func stretch(in frames: Range<Int>) -> Range<Int>? {
        guard let start = starts.first(where: { $0 >= frames.lowerBound }),
            let end = ends.last(where: { $0 <= frames.upperBound }), start < end
        else { return nil }
        return start..<end
    }
}

/// Walks through a stream's packets to find where it can be cut.
private struct PacketScan {
    private let video: VideoInfo
    private let sets: ParameterSets
    private let lengthSize: Int
    private let timeBase: Rational
    private(set) var starts: [Int] = []
    private(set) var ends: [Int] = []
    private(set) var reorderDepth = 0
    /// Packets so far.
    private(set) var count = 0
    /// One more than the latest frame so far.
    private var seen = 0

    init(_ video: VideoInfo, sets: ParameterSets, lengthSize: Int, timeBase: Rational) {
        self.video = video
        self.sets = sets
        self.lengthSize = lengthSize
        self.timeBase = timeBase
    }

    mutating func read(_ file: InputFile) throws(MediaError) -> CopyRefusal? {
        file.readOnly(stream: video.streamIndex)
        let packet = try Packet()
        var frames = Set<Int>(minimumCapacity: video.frameCount)
        while case .packet = try file.read(into: packet, stream: video.streamIndex) {
            if packet.isDiscarded { return CopyRefusal("has frames that its edit list hides") }
            guard let time = packet.presentationTime else { return CopyRefusal("has frames without a time") }
            if packet.changesHeader { return CopyRefusal("changes its header on the way") }
            guard let isKey = isKey(packet.bytes) else {
                return CopyRefusal("has packets of a kind that is not copied")
            }
            let frame = video.frame(atTime: timeBase.scaled(count: time))
            guard frame >= 0, frames.insert(frame).inserted else { return CopyRefusal("has frames of the same time") }
            // `count` different frames below `seen` = `count` are all frames below it.
            if seen == count {
                if count > 0 { ends.append(count) }
                if isKey, frame == count { starts.append(count) }
            }
            reorderDepth = max(reorderDepth, count - frame)
            count += 1
            seen = max(seen, frame + 1)
        }
        guard count == video.frameCount, seen == count else { return CopyRefusal("has gaps in its times") }
        ends.append(count)
        return nil
    }

    /// Whether the packet is an IDR picture; nil where something in it can't be copied.
    private func isKey(_ packet: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard let ranges = NALUnit.ranges(packet, lengthSize: lengthSize) else { return nil }
        var isKey: Bool?
        for range in ranges {
            guard let kind = NALUnit.kind(packet[range.lowerBound]) else { return nil }
            switch kind {
            case .slice: isKey = false
            case .keySlice: isKey = isKey ?? true
            case .sequenceSet, .pictureSet:
                // It would change the sets of other clips that go by the same number.
                if !sets.contains(packet[range]) { return nil }
            case .information, .delimiter, .filler: break
            }
        }
        return isKey
    }
}

extension VideoInfo {
    /// The frame that is shown at `time`, in seconds of stream time, counted from the clip's first at a constant rate.
    fileprivate func frame(atTime time: Rational) -> Int { ((time - start) * frameRate).rounded() }

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
