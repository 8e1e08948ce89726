import FlipBase
import FlipBitstream
import FlipMedia

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
        /// The position of the packet in the file, in bytes, and its DTS in ticks; nil where they aren't known.
        var position: Int?
        var decoding: Int?
        /// Whether decoding can begin here only if a recovery point of H.264 keeps its word.
        var isRecoveryPoint = false
    }

    let path: String
    let info: VideoInfo
    /// The jumps of the file's clock; nil if there are none.
    let jumps: ClockJumps?
    let codec: any CopyCodec
    let header: CodedHeader
    /// Where decoding can begin, ascending: earlier packets hold exactly the earlier frames, and no later frame refers
    /// to one of them.
    private(set) var starts: [Start]
    /// The packets that hold the second field of the frame before, by their numbers as in `Start`.
    let secondFields: Set<Int>
    /// The PTS in ticks of packets for which the file has none, by their numbers as in `Start`.
    let restoredTimes: [Int: Int]
    /// The frames before which a stretch can end, ascending: earlier packets hold exactly the earlier frames. The last
    /// element is the number of all frames.
    private let ends: [Int]
    /// What no stretch contains: `PacketScan.breaks`.
    private let breaks: [Int]
    /// The number of frames by which decoding order may lag presentation order; 0 without reordering.
    package let reorderDepth: Int
    /// The greatest distance from one start to the next, or to the end, in frames.
    package let longestGroup: Int

    /// The video of `info`, or why it can't be copied with `codec`.
    package static func video(of info: MediaInfo, as codec: any CopyCodec) -> Result<CodedVideo, CopyRefusal> {
        guard let video = info.video else { return .failure(CopyRefusal("has no video")) }
        if let refusal = refusal(of: video, as: codec) { return .failure(refusal) }
        if let refusal = codec.refusal(of: video) { return .failure(refusal) }
        guard let packets = info.packets, var header = packets.header else {
            return .failure(CopyRefusal("has a damaged header"))
        }
        header.frames?.width = video.width
        header.frames?.height = video.height
        var scan = PacketScan(video)
        if let refusal = scan.read(packets) ?? codec.refusal(header, of: video) { return .failure(refusal) }
        return .success(CodedVideo(info, video, codec, header, packets, scan))
    }

    /// Why nothing of the kind of `video` is copied with `codec`; nil if it may be.
    package static func refusal(of video: VideoInfo, as codec: any CopyCodec) -> CopyRefusal? {
        if video.codec == codec.name { return nil }
        return CopyRefusal(
            CopyCodecs.isNeverCopied(video.codec)
                ? "is \(video.codec), which is never copied" : "is \(video.codec), not \(codec.name)")
    }

    private init(
        _ file: MediaInfo, _ video: VideoInfo, _ codec: any CopyCodec, _ header: CodedHeader, _ packets: PacketIndex,
        _ scan: PacketScan
    ) {
        (path, jumps) = (file.path, file.jumps)
        info = video
        self.codec = codec
        self.header = header
        (starts, ends, breaks) = (scan.starts, scan.ends, scan.breaks)
        (secondFields, restoredTimes) = (scan.secondFields, packets.restored)
        reorderDepth = scan.reorderDepth
        let frames = starts.map(\.frame)
        longestGroup = zip(frames.dropFirst() + [scan.count], frames).map(-).max() ?? scan.count
    }

    /// The number of the file's frames.
    package var frameCount: Int { info.frameCount }

    /// The start whose first frame is `frame`; nil if there is none.
    func start(at frame: Int) -> Start? { starts.first { $0.frame == frame } }

    /// `clip`, whose file is this one, with its seek points limited to `starts`.
    package func decodable(_ clip: InputClip) -> InputClip {
        guard case .file(let info) = clip.source else { return clip }
        var decodable = info.decodable(from: starts.map(\.frame), timeBase: self.info.timeBase)
        // Whether recovery points keep their word shows only if decoding has begun earlier.
        if header.hasRecoveryPoints { decodable.video?.hasCleanSeekPoints = false }
        return InputClip(.file(decodable), clip.use)
    }

    /// The same video, copied from IDR pictures only; nil if it begins nowhere else anyway.
    package var withoutRecoveryPoints: CodedVideo? {
        guard starts.contains(where: \.isRecoveryPoint) else { return nil }
        var copy = self
        copy.starts.removeAll(where: \.isRecoveryPoint)
        return copy
    }

    /// The stretches within `frames` that can be copied, each as long as possible, ascending.
    package func stretches(in frames: Range<Int>) -> [Range<Int>] {
        var stretches: [Range<Int>] = []
        var place = frames.lowerBound
        while true {
            let first = starts.partitioningIndex { $0.frame >= place }
            guard first < starts.count, starts[first].frame < frames.upperBound else { return stretches }
            let start = starts[first].frame
            let next = breaks.partitioningIndex { $0 > 2 * start }
            let limit = next < breaks.count ? min(breaks[next] / 2, frames.upperBound) : frames.upperBound
            let last = ends.partitioningIndex { $0 > limit } - 1
            if last >= 0, ends[last] > start { stretches.append(start..<ends[last]) }
            guard next < breaks.count else { return stretches }
            place = max((breaks[next] + 1) / 2, start + 1)
        }
    }
}
