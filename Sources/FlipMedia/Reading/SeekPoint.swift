import FlipBase

/// A keyframe from which decoding can begin. Times are in ticks of the stream's time base.
package struct SeekPoint: Sendable, Hashable {
    /// The keyframe's PTS.
    package var time: Int
    /// The time to seek to: the DTS, by which most containers search, or the PTS if that is unknown. See
    /// `InputFile.seeksByPresentation`.
    package var position: Int

    package init(time: Int, position: Int) { (self.time, self.position) = (time, position) }
}

extension VideoInfo {
    /// The number of the frame shown at `time`, in seconds of stream time; negative before the first.
    package func frame(atTime time: Rational) -> Int {
        guard let unevenTimes else { return ((time - start) * frameRate).rounded() }
        let ticks = ((time - start) / timeBase).rounded()
        return unevenTimes.partitioningIndex { $0 > ticks } - 1
    }

    /// The times in seconds, after the first, at which frames are shown, and that at which the last one ends.
    package var pictureTimes: [Rational] {
        (unevenTimes.map { $0.map { timeBase.scaled(count: $0) } } ?? (0..<frameCount).map { Rational($0) / frameRate })
            + [duration]
    }

    /// Whether frames in the middle can be decoded without reading everything before them.
    package var canBeginAnywhere: Bool { isStill || seekPoints.count > 2 }

    /// The first keyframe at or after `frame`, both counted from the first frame; nil if there is
    /// none.
    package func firstKeyframe(from frame: Int) -> Int? {
        seekPoints.lazy.map { self.frame(atTime: timeBase.scaled(count: $0.time)) }.first { $0 >= frame }
    }

    /// The seek point for decoding the frames from `time` (seconds of stream time) on; nil for the file's start.
    ///
    /// It is the last keyframe at or before `time` if all keyframes are known to be clean, else the one before that:
    /// after a recovery point with gradual refresh (ITU-T H.264 D.2.8), pictures are complete only some frames later.
    package func seekPoint(before time: Rational, timeBase: Rational) -> SeekPoint? {
        let index = seekPoints.partitioningIndex { timeBase.scaled(count: $0.time) > time }
        // The first keyframe is where reading starts anyway.
        let back = hasCleanSeekPoints ? 1 : 2
        return index > back ? seekPoints[index - back] : nil
    }
}

extension MediaInfo {
    /// The same file with only those seek points that lie at frames `starts` (ascending), where decoding begins
    /// cleanly.
    package func decodable(from starts: [Int], timeBase: Rational) -> MediaInfo {
        guard let video else { return self }
        var copy = self
        copy.video?.seekPoints = video.seekPoints.filter { point in
            let frame = video.frame(atTime: timeBase.scaled(count: point.time))
            let index = starts.partitioningIndex { $0 >= frame }
            return index < starts.count && starts[index] == frame
        }
        copy.video?.hasCleanSeekPoints = true
        return copy
    }
}
