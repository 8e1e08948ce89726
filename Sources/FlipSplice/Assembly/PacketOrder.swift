import FlipMedia

/// The rule by which the packets of an assembled track get their times: every frame has one packet, and packet n, counted
/// in decoding order, is decoded at frame n - `reorderDepth`.
///
/// Every stretch has as many packets as frames, so no packet's decoding lags further behind its presentation than the
/// reorder depth of its own stretch.
package struct PacketOrder {
    /// The greatest reorder depth of all stretches, in frames.
    package let reorderDepth: Int
    /// The number of packets so far.
    package private(set) var count = 0
    /// For each frame, whether it has a packet already.
    private var frames: [Bool] = []
    /// The frames at which decoding can begin, ascending.
    package private(set) var starts: [SplicedVideo.Start] = []
    /// The packets marked as keyframes, by their number in decoding order.
    package private(set) var keys: Set<Int> = []

    /// What is wrong with a packet, as a sentence.
    package struct Fault: Error { package let reason: String }

    package init(reorderDepth: Int) { self.reorderDepth = reorderDepth }

    /// Sets the packet's times: PTS, the next DTS and duration, all in frames.
    /// - Parameters:
    ///   - frame: the frame that the packet holds.
    ///   - isStart: whether decoding can begin with it.
    package mutating func place(_ packet: Packet, at frame: Int, isStart: Bool) throws(Fault) {
        let decoding = count - reorderDepth
        guard decoding <= frame else { throw Fault(reason: "frame \(frame) would be decoded after it is shown") }
        if frame < 0 { throw Fault(reason: "there is a frame before the first") }
        if frame >= frames.count { frames += Array(repeating: false, count: frame + 1 - frames.count) }
        if frames[frame] { throw Fault(reason: "frame \(frame) is there twice") }
        frames[frame] = true
        if isStart { starts.append(SplicedVideo.Start(frame: frame, decoding: decoding)) }
        if packet.isKey { keys.insert(count) }
        packet.setTimes(presentation: frame, decoding: decoding, duration: 1)
        count += 1
    }

    /// The track so far. Throws if frames are missing in between.
    package func track() throws(Fault) -> SplicedVideo {
        if let gap = frames.firstIndex(of: false) { throw Fault(reason: "frame \(gap) is missing") }
        return SplicedVideo(frames: frames.count, starts: starts, keys: keys, reorderDepth: reorderDepth)
    }
}
