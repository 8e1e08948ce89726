/// A keyframe from which decoding can begin, in ticks of the stream's time base.
struct SeekPoint: Sendable, Hashable {
    /// When it is shown.
    var time: Int
    /// When it is decoded, which is what most containers search by.
    var position: Int
}

extension VideoInfo {
    /// Seconds of stream time at which what is used begins.
    package var usedStart: Rational { start + used.start }

    /// Whether frames in the middle can be had without reading all before them.
    package var canBeginAnywhere: Bool { isStill || seekPoints.count > 2 }

    /// The first keyframe that is not before `frame`, both counted from the first frame at a constant rate.
    package func firstKeyframe(from frame: Int) -> Int? {
        seekPoints.lazy.map { self.frame(atTime: timeBase.scaled(count: $0.time)) }.first { $0 >= frame }
    }

    /// A place to begin at for frames from `time` (seconds of stream time) on; nil for the file's start.
    ///
    /// Where keyframes are not known to begin anew it is the last but one: at a recovery point, as gradual refreshes have
    /// them (ITU-T H.264 D.2.8), pictures are whole only some frames later.
    func seekPoint(before time: Rational, timeBase: Rational) -> SeekPoint? {
        let index = seekPoints.partitioningIndex { timeBase.scaled(count: $0.time) > time }
        // The first keyframe is where reading starts anyway.
        let back = hasCleanSeekPoints ? 1 : 2
        return index > back ? seekPoints[index - back] : nil
    }
}

extension MediaInfo {
    /// The same file, of which decoding can begin cleanly at frames `starts`, ascending, and nowhere else.
    func decodable(from starts: [Int], timeBase: Rational) -> MediaInfo {
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

extension Array {
    /// The first index whose element meets `condition`, which all after it meet too.
    fileprivate func partitioningIndex(where condition: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
