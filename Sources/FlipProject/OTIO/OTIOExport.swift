import FlipBase
import FlipRender
import Foundation

/// Exports a plan as an OpenTimelineIO file: the pictures in one track, the clips' own audio in another, and each
/// further sound in a track of its own, except that of a transition, which is part of its spec. Each transition lies
/// around a cut in its middle, with the clips' overlap as
/// handles.
package struct OTIOExport {
    private let plan: RenderPlan
    private var rate: Rational { plan.video.frameRate }

    package init(_ plan: RenderPlan) { self.plan = plan }

    /// The timeline as JSON in UTF-8.
    /// - Throws: `usage` if another program renders a part of the plan, for which there is no file to name.
    package func encoded() throws(MediaError) -> [UInt8] {
        try plan.refuseMadeMedia()
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return try Array(JSONSerialization.data(withJSONObject: timeline, options: options))
        } catch {
            throw MediaError(.internalFault, "the timeline can't be written as JSON")
        }
    }

    /// What of the plan the timeline doesn't say, as a sentence; nil if it says everything.
    package var loss: String? { plan.loss(with: [("volumes", plan.clips.contains { $0.gain != 0 })]) }

    private typealias Object = [String: Any]

    private var timeline: Object {
        [
            "OTIO_SCHEMA": "Timeline.1", "metadata": Object(),
            "name": URL(fileURLWithPath: plan.path).deletingPathExtension().lastPathComponent,
            "global_start_time": time(plan.metadata["timecode"].flatMap { Timecode($0, rate: rate) }?.seconds ?? .zero),
            "tracks": [
                "OTIO_SCHEMA": "Stack.1", "name": "tracks", "metadata": Object(), "effects": [Any](),
                "markers": [Any](), "children": [pictures, sounds] + furtherSounds,
            ] as Object,
        ]
    }

    private func track(_ name: String, kind: String, _ children: [Object]) -> Object {
        [
            "OTIO_SCHEMA": "Track.1", "name": name, "kind": kind, "metadata": Object(), "effects": [Any](),
            "markers": [Any](), "children": children,
        ]
    }

    // MARK: Times

    private func time(_ seconds: Rational) -> Object {
        ["OTIO_SCHEMA": "RationalTime.1", "rate": rate.doubleValue, "value": (seconds * rate).doubleValue]
    }

    private func range(_ start: Rational, _ duration: Rational) -> Object {
        ["OTIO_SCHEMA": "TimeRange.1", "start_time": time(start), "duration": time(duration)]
    }

    private func seconds(_ frames: Int) -> Rational { Rational(frames) / rate }

    // MARK: Pictures

    private var pictures: Object {
        track("pictures", kind: "Video", lane { index, start, frames in picture(index, start, frames) })
    }

    /// The items between the cuts, and the transitions at them. Frames that a transition freezes are items of their
    /// own.
    /// - Parameter item: makes the item that shows clip `index` for `frames` output frames from frame `start`.
    private func lane(_ item: (_ index: Int, _ start: Int, _ frames: Int) -> Object) -> [Object] {
        var children: [Object] = []
        var start = 0
        for (index, place) in plan.timeline.clips.enumerated() {
            guard index < plan.timeline.joins.count else {
                if place.end > start { children.append(item(index, start, place.end - start)) }
                break
            }
            let join = plan.timeline.joins[index]
            let before = join.frames / 2
            let cut = join.start + before
            let isFrozen = join.overlap.isFrozen && join.frames > 0
            let end = isFrozen ? join.start : cut
            if end > start { children.append(item(index, start, end - start)) }
            if isFrozen, before > 0 { children.append(frozen(index, isLast: true, before)) }
            if join.frames > 0 { children.append(transition(index, before, join.frames - before)) }
            if isFrozen { children.append(frozen(index + 1, isLast: false, join.frames - before)) }
            start = isFrozen ? join.start + join.frames : cut
        }
        return children
    }

    /// The item that shows the clip for `frames` output frames from frame `start`.
    private func picture(_ index: Int, _ start: Int, _ frames: Int) -> Object {
        let (video, use) = (plan.clips[index].video, plan.clips[index].use)
        guard let video else { return gap(frames) }
        let speed = use.timing?.speed ?? Rational(1)
        let first = use.firstShown + seconds(start - plan.timeline.clips[index].start) * speed
        return clip(index, video.isStill ? .zero : first, frames, speed: speed)
    }

    /// The item that holds the clip's first or last frame for `frames` output frames.
    private func frozen(_ index: Int, isLast: Bool, _ frames: Int) -> Object {
        let (video, use) = (plan.clips[index].video, plan.clips[index].use)
        guard let video else { return gap(frames) }
        let last = seconds(plan.timeline.clips[index].frames - 1) * (use.timing?.speed ?? Rational(1))
        return clip(index, video.isStill ? .zero : use.firstShown + (isLast ? last : .zero), frames, speed: .zero)
    }

    private func gap(_ frames: Int) -> Object {
        ["OTIO_SCHEMA": "Gap.1", "name": "", "metadata": Object(), "source_range": range(.zero, seconds(frames))]
    }

    private func clip(_ index: Int, _ start: Rational, _ frames: Int, speed: Rational) -> Object {
        let clip = plan.clips[index]
        var object = media(clip.title, clip.input.path, start, seconds(frames), available: available(index))
        if !clip.input.isStill, speed != Rational(1) {
            let schema = speed == .zero ? "FreezeFrame.1" : "LinearTimeWarp.1"
            object["effects"] = [
                [
                    "OTIO_SCHEMA": schema, "name": "", "metadata": Object(),
                    "effect_name": String(schema.dropLast(2)), "time_scalar": speed.doubleValue,
                ] as Object
            ]
        }
        return object
    }

    /// The part of the clip's file that may be used, in seconds, which count from the file's timecode; nil for a still, which
    /// has no end.
    private func available(_ index: Int) -> TimeSpan? {
        guard let video = plan.clips[index].video, !video.isStill else { return nil }
        return TimeSpan(
            start: plan.clips[index].input.info?.timecode?.seconds ?? .zero,
            duration: plan.clips[index].use.timing?.available?.end ?? video.duration)
    }

    /// - Parameter start: in seconds from the file's first frame.
    private func media(
        _ title: String?, _ path: String, _ start: Rational, _ duration: Rational, available: TimeSpan?
    ) -> Object {
        let url = URL(fileURLWithPath: path)
        var reference: Object = [
            "OTIO_SCHEMA": "ExternalReference.1", "name": "", "metadata": Object(),
            "target_url": url.absoluteString,
        ]
        if let available { reference["available_range"] = range(available.start, available.duration) }
        return [
            "OTIO_SCHEMA": "Clip.1", "name": title ?? url.deletingPathExtension().lastPathComponent,
            "metadata": Object(), "effects": [Any](), "markers": [Any](),
            "source_range": range((available?.start ?? .zero) + start, duration),
            "media_reference": reference,
        ]
    }

    private func transition(_ index: Int, _ before: Int, _ after: Int) -> Object {
        let look = plan.transitions[index].look
        let spec = look?.description ?? "cut"
        return [
            "OTIO_SCHEMA": "Transition.1", "name": spec,
            "transition_type": look?.style.name == "dissolve" ? "SMPTE_Dissolve" : "Custom_Transition",
            "in_offset": time(seconds(before)), "out_offset": time(seconds(after)),
            "metadata": ["fliptransition": ["transition": spec + additions(ofJoin: index, spec)]],
        ]
    }

    /// What a spec that ends with the look `spec` has to add for the transition's gesture and sound; empty for neither.
    private func additions(ofJoin index: Int, _ spec: String) -> String {
        let gesture = plan.transitions[index].gestureText(after: spec)
        guard plan.timeline.joins[index].frames > 0 else { return gesture }
        return gesture + plan.transitions[index].soundText(after: spec + gesture)
    }

    // MARK: Audio

    /// The track of the clips' own audio. It exists even if nothing is heard, because `OTIOTimeline` mutes the clips of
    /// the video track only if there is an audio track.
    private var sounds: Object {
        let heard = Set(plan.audio == nil ? [] : plan.sounds.compactMap(\.clip))
        let children = lane { index, start, frames in
            guard heard.contains(index) else { return gap(frames) }
            let first = plan.clips[index].use.firstShown + seconds(start - plan.timeline.clips[index].start)
            return media(
                plan.clips[index].title, plan.clips[index].input.path, first, seconds(frames),
                available: available(index))
        }
        // Frozen frames have no audio.
        let silent = children.map { child in
            let effects = child["effects"] as? [Any] ?? []
            guard !effects.isEmpty, let source = child["source_range"] else { return child }
            return ["OTIO_SCHEMA": "Gap.1", "name": "", "metadata": Object(), "source_range": source]
        }
        return track("clips' audio", kind: "Audio", heard.isEmpty ? [] : silent)
    }

    private var furtherSounds: [Object] {
        if plan.audio == nil { return [] }
        return plan.sounds.filter { $0.clip == nil && $0.join == nil }.map { sound in
            var children: [Object] = []
            if sound.span.start > .zero {
                children.append([
                    "OTIO_SCHEMA": "Gap.1", "name": "", "metadata": Object(),
                    "source_range": range(.zero, sound.span.start),
                ])
            }
            let start = sound.origin - sound.info.audioOrigin
            var clip = media(
                nil, sound.info.path, start, sound.span.duration,
                available: sound.available.map { TimeSpan(duration: $0) })
            clip["metadata"] = [
                "fliptransition": [
                    "fade-in": sound.fadeIn.map { $0.end - sound.span.start }?.doubleValue ?? 0,
                    "fade-out": sound.fadeOut.map { sound.span.end - $0.start }?.doubleValue ?? 0,
                    "gain": 20 * log10(Double(sound.gain)),
                ]
            ]
            children.append(clip)
            return track("sound", kind: "Audio", children)
        }
    }
}
