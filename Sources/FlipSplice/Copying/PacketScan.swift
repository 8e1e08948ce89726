import FlipBase
import FlipBitstream
import FlipMedia

/// Finds out from the packets of a stream where it can be cut.
struct PacketScan {
    private let video: VideoInfo
    private(set) var starts: [CodedVideo.Start] = []
    private(set) var ends: [Int] = []
    private(set) var reorderDepth = 0
    /// The number of packets so far whose frames are shown.
    private(set) var count = 0
    /// The packets that hold the second field of the frame before.
    private(set) var secondFields: Set<Int> = []
    /// One more than the highest frame number so far.
    private var seen = 0
    /// Between which packets nothing is copied, ascending: behind packet n, counted as `count` does, or with it, is 2 n or
    /// 2 n + 1. What follows may refer to what is damaged, or to what an edit list hides, until decoding begins anew.
    private(set) var breaks: [Int] = []
    /// A start whose leading pictures are still being read.
    private var opening: Opening?

    private struct Opening {
        /// The number of frames before the start's packet.
        let count: Int
        var start: CodedVideo.Start
        /// How many of the dropped pictures have frame numbers.
        var numbered = 0
        /// The start's frame and its leading frames in decoding order, without those that are dropped.
        var frames: [Int]
    }

    init(_ video: VideoInfo) { self.video = video }

    /// Goes through all packets. Returns why the stream can't be copied; nil if nothing here speaks against it.
    mutating func read(_ packets: PacketIndex) -> CopyRefusal? {
        var frames = Set<Int>(minimumCapacity: video.frameCount)
        for (number, entry) in packets.entries.enumerated() {
            if entry.role.isSecondField {
                secondFields.insert(number)
                // It is part of the latest frame.
                if entry.isCorrupt || entry.role == .otherSecondField, count > 0 { breaks.append(2 * count - 1) }
                continue
            }
            guard let time = entry.presentation else { return CopyRefusal("has frames without a time stamp") }
            if entry.changesHeader { return CopyRefusal("changes its header within the stream") }
            if let refusal = packets.refusal, refusal.packet == number { return refusal.reason }
            let frame = video.frame(atTime: video.timeBase.scaled(count: time))
            var entry = entry
            // In H.264 only the times tell which pictures are leading ones. Those of an IDR picture don't depend on earlier ones, but
            // libav drops them at the start of mp4 and mov files.
            if entry.role == .other, let opening, frame < opening.frames[0] { entry.role = .dependentLeading }
            // Leading pictures before frame 0 are not shown if they refer to pictures that are not in the file.
            let isShown =
                !entry.isDiscarded && (frame >= 0 || entry.role != .dependentLeading || !starts.isEmpty)
            if isShown {
                guard frame >= 0, frames.insert(frame).inserted else {
                    return CopyRefusal("has several frames with the same time stamp")
                }
            }
            // A decoder conceals and reports damage; a copy would hide it. Nothing shown later refers to leading pictures that
            // are dropped.
            let isHidden = entry.isDiscarded && entry.role != .dependentLeading
            if entry.isCorrupt || isHidden { breaks.append(2 * count + (isShown ? 1 : 0)) }
            note(frame, entry, number, isShown: isShown)
        }
        return packets.isWhole ? finish() : CopyRefusal("is damaged or cut off")
    }

    private mutating func finish() -> CopyRefusal? {
        settle()
        guard count == video.frameCount, seen == count else { return CopyRefusal("has gaps in its times") }
        ends.append(count)
        return nil
    }

    /// Adds a frame, whose packet is number `number` in the file.
    private mutating func note(_ frame: Int, _ entry: PacketIndex.Entry, _ number: Int, isShown: Bool) {
        let role = entry.role
        switch role {
        case .leading: opening?.frames.append(frame)
        case .dependentLeading:
            opening?.start.dropped += 1
            if isShown { opening?.numbered += 1 }
        case .start, .startWithLeading, .openStart, .other, .secondField, .otherSecondField: settle()
        }
        guard isShown else { return }
        // The `count` frames so far are distinct and below `seen`. If `seen` equals `count`, they are all below it.
        if seen == count {
            if count > 0 { ends.append(count) }
            let start = CodedVideo.Start(
                frame: count, packet: number, dropped: 0, position: entry.position, decoding: entry.decoding,
                isRecoveryPoint: role == .openStart && video.codec == "h264")
            if role == .start, frame == count {
                starts.append(start)
            } else if role.isKey {
                opening = Opening(count: count, start: start, frames: [frame])
            }
        }
        reorderDepth = max(reorderDepth, count - frame)
        count += 1
        seen = max(seen, frame.plus(1))
    }

    /// Adds the pending start, all of whose leading pictures have been read, if the dropped ones are its first frames.
    private mutating func settle() {
        guard var opening else { return }
        self.opening = nil
        guard let first = opening.frames.min(), first == opening.count + opening.numbered else { return }
        opening.start.frame = first
        starts.append(opening.start)
        // Without the dropped packets, decoding order may lag further behind presentation order.
        for (index, frame) in opening.frames.enumerated() { reorderDepth = max(reorderDepth, index - (frame - first)) }
    }
}
