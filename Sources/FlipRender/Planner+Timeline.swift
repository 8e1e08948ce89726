import FlipBase
import FlipMedia

/// Decides how the clips are joined, and where they lie in the output.
extension Planner {
    /// The transition at each join: a cut where one of the clips is shown for less than `cutBelow`.
    mutating func transitions(_ clips: [RenderPlan.Clip], rate: Rational) throws(MediaError) -> [TransitionSpec] {
        let (given, joins) = (composition.transitions.count, clips.count - 1)
        if given > max(1, joins) {
            try warn(
                "\(given) transitions were given for \(joins == 1 ? "1 join" : "\(joins) joins"), so the last "
                    + (given - joins == 1 ? "one is" : "\(given - joins) are") + " left out")
        }
        let isBrief = clips.map { clip in
            let frames = Rational(clip.conform.frameCount(of: clip.use))
            return composition.cutBelow.map { frames / rate < $0.seconds(at: rate) } ?? false
        }
        return clips.indices.dropLast().map { index in
            var spec = composition.transition(afterClip: index)
            if isBrief[index] || isBrief[index + 1] { spec = TransitionSpec(look: nil, overlap: spec.overlap) }
            return spec
        }
    }

    mutating func timeline(
        _ clips: [RenderPlan.Clip], _ transitions: [TransitionSpec], rate: Rational
    ) throws(MediaError) -> Timeline {
        let lengths = clips.map { $0.conform.frameCount(of: $0.use) }
        let asked = transitions.map { spec in
            (frames: spec.look == nil ? 0 : spec.duration.frames(at: rate), overlap: spec.overlap ?? .play)
        }
        let rooms = transitions.enumerated().map { index, spec in
            spec.overlap != .handles
                ? HandleRoom()
                : HandleRoom(
                    from: clips[index].input, to: clips[index + 1].input, conform: clips[index].conform,
                    place: composition.inputs[index + 1].cut?.place ?? .middle)
        }
        let timeline = Timeline(lengths: lengths, joins: asked, rooms: rooms, rate: rate)
        for index in timeline.shortened {
            let join = timeline.joins[index]
            let sentence =
                "the transition from \(clips[index].name) to \(clips[index + 1].name) is "
                + "\(join.frames) frames long instead of \(join.asked) because the clips have too few frames for more"
            try warn(sentence)
        }
        return timeline
    }

    /// The films that keep the times of their own frames, with these, and the timeline that they have then.
    /// - Parameter fades: counted at the timeline's rate.
    func keepingTimes(
        _ clips: [RenderPlan.Clip], _ timeline: Timeline, _ fades: FilmFades
    ) -> (clips: [RenderPlan.Clip], timeline: Timeline) {
        let (rate, joins) = (timeline.times.rate, timeline.joins)
        var clips = clips
        var kept: [KeptTimes?] = []
        for (index, clip) in clips.enumerated() {
            kept.append(nil)
            let (place, use) = (timeline.clips[index], clip.use)
            guard let video = clip.video, video.hasOwnTimes(at: rate), use.timing == nil else { continue }
            let head = index == 0 ? min(fades.fadeIn, place.frames) : joins[index - 1].spent
            let tail = index == joins.count ? min(fades.fadeOut, place.frames - head) : joins[index].spent
            let span = TimeSpan(
                start: use.span.start - Rational(place.handles.head) / rate,
                duration: use.span.duration + Rational(place.handles.head + place.handles.tail) / rate)
            let times = KeptTimes(video.pictureTimes, in: span, even: (head, tail), rate: rate)
            kept[index] = times
            var input = InputClip(clip.input.source, ClipUse(span: span))
            input.use.kept = times
            clips[index] = clip.with(input)
        }
        return (clips, timeline.keeping(kept))
    }
}

extension VideoInfo {
    /// Whether the frames of a film have other times than those of an output of `rate` frames per second.
    fileprivate func hasOwnTimes(at rate: Rational) -> Bool {
        !isStill && (isVariableFrameRate ? unevenTimes != nil : frameRate != rate)
    }
}
