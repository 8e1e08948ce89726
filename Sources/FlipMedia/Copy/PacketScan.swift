import CLibav

/// Walks through a stream's packets to find where it can be cut.
struct PacketScan {
    private let video: VideoInfo
    private let codec: any CopyCodec
    let timeBase: Rational
    /// With what packets have brought along so far.
    private(set) var header: CodedHeader
    private(set) var starts: [CodedVideo.Start] = []
    private(set) var ends: [Int] = []
    private(set) var reorderDepth = 0
    /// Packets of frames that are shown, so far.
    private(set) var count = 0
    /// One more than the latest frame so far.
    private var seen = 0
    /// A start of which the leading pictures are still coming.
    private var opening: Opening?

    private struct Opening {
        /// Frames before it.
        let count: Int
        var start: CodedVideo.Start
        /// Frames in the order of decoding, without those that are dropped.
        var frames: [Int]
    }

    init(_ video: VideoInfo, _ codec: any CopyCodec, _ header: CodedHeader, timeBase: Rational) {
        self.video = video
        self.codec = codec
        self.header = header
        self.timeBase = timeBase
    }

    mutating func read(_ file: InputFile) throws(MediaError) -> CopyRefusal? {
        file.readOnly([video.streamIndex])
        let packet = try Packet()
        var frames = Set<Int>(minimumCapacity: video.frameCount)
        var place = 0
        while true {
            switch try file.read(into: packet, stream: video.streamIndex) {
            case .packet: break
            case .quiet, .damaged: return CopyRefusal("is damaged or cut off")
            case .end: return finish()
            }
            guard let time = packet.presentationTime else { return CopyRefusal("has frames without a time") }
            // Decoding conceals damage and counts it, which copying would hide.
            if packet.pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 { return CopyRefusal("has damaged packets") }
            if packet.changesHeader { return CopyRefusal("changes its header on the way") }
            let role: PacketRole
            switch codec.role(of: packet.bytes, &header) {
            case .success(let known): role = known
            case .failure(let refusal): return refusal
            }
            let frame = video.frame(atTime: timeBase.scaled(count: time))
            // Those before the first frame that refer to what is not in the file.
            let isShown = frame >= 0 || role != .dependentLeading || !starts.isEmpty
            if isShown {
                if packet.isDiscarded { return CopyRefusal("has frames that its edit list hides") }
                guard frame >= 0, frames.insert(frame).inserted else {
                    return CopyRefusal("has frames of the same time")
                }
            }
            note(frame, role, place, isShown: isShown)
            place += 1
        }
    }

    private mutating func finish() -> CopyRefusal? {
        settle()
        guard count == video.frameCount, seen == count else { return CopyRefusal("has gaps in its times") }
        ends.append(count)
        return nil
    }

    /// Takes a frame in, whose packet is number `place` of all.
    private mutating func note(_ frame: Int, _ role: PacketRole, _ place: Int, isShown: Bool) {
        switch role {
        case .leading: opening?.frames.append(frame)
        case .dependentLeading: opening?.start.dropped += 1
        case .start, .startWithLeading, .openStart, .other: settle()
        }
        guard isShown else { return }
        // `count` different frames below `seen` = `count` are all frames below it.
        if seen == count {
            if count > 0 { ends.append(count) }
            if role == .start, frame == count {
                starts.append(CodedVideo.Start(frame: count, packet: place, dropped: 0))
            } else if role == .startWithLeading || role == .openStart {
                let start = CodedVideo.Start(frame: count, packet: place, dropped: 0)
                opening = Opening(count: count, start: start, frames: [frame])
            }
        }
        reorderDepth = max(reorderDepth, count - frame)
        count += 1
        seen = max(seen, frame.plus(1))
    }

    /// Makes a start of the one whose leading pictures have all come, where those that are dropped are its first.
    private mutating func settle() {
        guard var opening else { return }
        self.opening = nil
        // Those before the file's first frame have no numbers.
        let numbered = opening.count == 0 ? 0 : opening.start.dropped
        guard let first = opening.frames.min(), first == opening.count + numbered else { return }
        opening.start.frame = first
        starts.append(opening.start)
        // With fewer packets before them, pictures may come later against their own time.
        for (index, frame) in opening.frames.enumerated() { reorderDepth = max(reorderDepth, index - (frame - first)) }
    }
}

extension VideoInfo {
    /// The frame that is shown at `time`, in seconds of stream time, counted from the clip's first at a constant rate.
    func frame(atTime time: Rational) -> Int { ((time - start) * frameRate).rounded() }
}
