import CLibav

/// The video of a file that was put together, as it was handed to the container.
package struct SplicedVideo: Sendable {
    /// Frames, each of which has one packet.
    package let frames: Int
    /// Where decoding can begin, ascending.
    let starts: [Start]
    /// Packets that were marked as keyframes, counted in the order of decoding.
    let keys: Set<Int>
    /// The AAC beside it; nil where there is none.
    var sound: WrittenSound?

    /// A frame at which decoding can begin, and when it is decoded, in frames.
    package struct Start: Sendable {
        let frame: Int
        let decoding: Int

        package init(frame: Int, decoding: Int) {
            self.frame = frame
            self.decoding = decoding
        }
    }

    package init(frames: Int, starts: [Start], keys: Set<Int>, sound: WrittenSound? = nil) {
        self.frames = frames
        self.starts = starts
        self.keys = keys
        self.sound = sound
    }

    /// Looks at the finished file's header and, where it has one of all packets, its index, rather than at every packet.
    /// - Parameters:
    ///   - path: of the file.
    ///   - clip: what a clip in it is like.
    /// - Returns: what the file holds.
    /// - Throws: `SpliceFailure` where that is not what was handed to it.
    package func info(of path: String, like clip: MediaInfo) throws -> MediaInfo {
        var file = try InputFile(path: path, opening: .headersOnly)
        // Others have no streams before there are packets.
        if !file.keepsPackets { file = try InputFile(path: path) }
        guard var video = clip.video, let stream = file.videoStream else {
            throw SpliceFailure("the output has no video")
        }
        let timeBase = Rational(stream.pointee.time_base)
        let step = video.frameRate.inverse / timeBase
        try checkIndex(stream, step)
        file.readOnly([Int(stream.pointee.index)])
        let packet = try Packet()
        guard case .packet = try file.read(into: packet, stream: Int(stream.pointee.index)),
            let first = packet.presentationTime
        else { throw SpliceFailure("the output's first frame cannot be read") }
        video.streamIndex = Int(stream.pointee.index)
        video.frameCount = frames
        video.start = timeBase.scaled(count: first)
        video.duration = Rational(frames) / video.frameRate
        video.used = TimeSpan(duration: video.duration)
        video.timing = nil
        // Matroska is searched by the times at which frames are shown.
        let isMatroska = file.formatName.hasPrefix("matroska")
        video.seekPoints = starts.map { start in
            // Times are rounded to a tick.
            SeekPoint(
                time: first + (step * Rational(start.frame)).rounded() + 1,
                position: first + (step * Rational(isMatroska ? start.frame : start.decoding)).rounded() + 1)
        }
        video.hasCleanSeekPoints = true
        var info = clip
        info.path = path
        info.shortfall = nil
        info.video = video
        return info
    }

    /// Checks an index of all packets, of which mkv has none.
    private func checkIndex(_ stream: UnsafeMutablePointer<AVStream>, _ step: Rational) throws {
        guard stream.pointee.nb_frames > 0 else { return }
        let count = Int(avformat_index_get_entries_count(stream))
        guard count == frames else { throw SpliceFailure("the output has \(count) frames, not \(frames)") }
        var first = 0
        for index in 0..<count {
            guard let entry = avformat_index_get_entry(stream, Int32(index)) else { continue }
            if index == 0 { first = Int(entry.pointee.timestamp) }
            let place = Int(entry.pointee.timestamp) &- first
            // Times are rounded to a tick.
            guard abs(place &* step.denominator &- index &* step.numerator) <= step.denominator else {
                throw SpliceFailure("the frames are not evenly spaced")
            }
            let isKey = entry.pointee.flags & AVINDEX_KEYFRAME != 0
            guard isKey == keys.contains(index) else {
                throw SpliceFailure("packet \(index) is \(isKey ? "" : "not ")called a keyframe")
            }
        }
    }
}
