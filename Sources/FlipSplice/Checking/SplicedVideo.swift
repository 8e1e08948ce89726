import FlipBase
import FlipBitstream
import FlipMedia

/// The video of a file that was put together from several parts, as it was handed to the muxer.
package struct SplicedVideo: Sendable {
    /// The number of frames, each of which has one packet.
    package let frames: Int
    /// Where decoding can begin, ascending.
    package let starts: [Start]
    /// How many frames decoding order lags behind presentation order at most.
    let reorderDepth: Int
    /// The packets marked as keyframes, by their number in decoding order.
    package let keys: Set<Int>
    /// The packets of the main audio track; nil if there is none, or if they aren't all of the same length.
    var sound: WrittenAudio?

    /// A frame at which decoding can begin: its PTS and its DTS, both in frames.
    package struct Start: Sendable, Equatable {
        package let frame: Int
        package let decoding: Int

        package init(frame: Int, decoding: Int) {
            self.frame = frame
            self.decoding = decoding
        }
    }

    package init(
        frames: Int, starts: [Start], keys: Set<Int>, reorderDepth: Int = 0, sound: WrittenAudio? = nil
    ) {
        self.frames = frames
        self.starts = starts
        self.reorderDepth = reorderDepth
        self.keys = keys
        self.sound = sound
    }

    /// Checks the finished file by its header, and by its index if that lists all packets, without reading them all.
    /// - Parameters:
    ///   - path: the file's path.
    ///   - encoding: how its video was encoded.
    /// - Returns: the file as a clip.
    /// - Throws: `SpliceFailure` if it does not hold what was handed to the muxer.
    package func clip(of path: String, as encoding: VideoEncoding) throws -> InputClip {
        var file = try InputFile(path: path, opening: .headersOnly)
        // The headers of other containers don't list all streams; only packets show them.
        if !file.keepsPackets { file = try InputFile(path: path) }
        guard let stream = file.video else { throw SpliceFailure("the output has no video") }
        guard stream.states(encoding.form) else {
            throw SpliceFailure("the output doesn't say how its pictures are shown")
        }
        let timeBase = stream.timeBase
        let times = encoding.times
        try checkIndex(stream, times)
        file.readOnly([stream.index])
        let packet = try Packet()
        guard case .packet = try file.read(into: packet, stream: stream.index),
            let first = packet.presentationTime
        else { throw SpliceFailure("the output's first frame cannot be read") }
        // Seeking in Matroska goes by PTS, in the other containers by DTS.
        let isMatroska = file.formatName.hasPrefix("matroska")
        let keyframes = starts.map { start in
            // One tick later, since times are rounded to a tick.
            SeekPoint(
                time: first + times.ticks(of: start.frame, in: timeBase) + 1,
                position: first + times.ticks(of: isMatroska ? start.frame : start.decoding, in: timeBase) + 1)
        }
        return InputClip(
            madeAt: path, by: encoding, stream: stream.index, frames: frames, start: timeBase.scaled(count: first),
            keyframes: keyframes)
    }

    /// Checks the index if it lists all packets, as in mp4 and mov; that of Matroska doesn't.
    private func checkIndex(_ stream: MediaStream, _ times: FrameTimes) throws {
        guard stream.packetCount > 0 else { return }
        let count = stream.indexCount
        guard count == frames else { throw SpliceFailure("the output has \(count) frames, not \(frames)") }
        var first = 0
        let start = times.ticks(of: -reorderDepth, in: stream.timeBase)
        for index in 0..<count {
            guard let entry = stream.indexEntry(index) else { continue }
            if index == 0 { first = entry.time }
            let place = times.ticks(of: index - reorderDepth, in: stream.timeBase)
            // Times are rounded to a tick, and so is that of the first frame.
            guard (entry.time &- first &- place &+ start).magnitude <= 1 else {
                throw SpliceFailure("frame \(index) is decoded at a wrong time")
            }
            guard entry.isKey == keys.contains(index) else {
                throw SpliceFailure("packet \(index) is \(entry.isKey ? "" : "not ")called a keyframe")
            }
        }
    }
}
