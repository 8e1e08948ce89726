import FlipBase
import FlipMedia

/// Examines the inputs, and warns of what the output can't keep of them.
extension Planner {
    /// Probes the inputs. Also returns the first one as a live input, if it is passed on live.
    mutating func probe() throws(MediaError) -> ([MediaInfo], LiveInput?) {
        guard let first = composition.inputs.first, composition.reading.passesOn, first == ClipSpec(path: first.path),
            LiveProbe.isPipe(first.path)
        else { return (try probe(composition.inputs), nil) }
        let rest = composition.inputs.dropFirst()
        if rest.contains(where: { $0.path == first.path }) {
            passingRefusal = "it is used more than once"
            return (try probe(composition.inputs), nil)
        }
        // Errors in the other inputs are reported before waiting for the first one.
        let others = try probe(Array(rest))
        passingRefusal = passingRefusal(others)
        if passingRefusal == nil {
            let probe = try LiveProbe(
                path: first.path, audioTrack: composition.reading.audioTrack,
                takesUnevenFrames: settings.frameRate != nil)
            switch probe {
            case .live(let info, let input): return ([info] + others, input)
            case .kept(let reason): passingRefusal = reason
            }
        }
        return (try probe([first]) + others, nil)
    }

    /// Why no first clip, whatever it is, can be passed on live, as a clause; nil if nothing prevents it.
    private func passingRefusal(_ others: [MediaInfo]) -> String? {
        if settings.render != .full {
            return "--render \(settings.render.rawValue) has to know the whole clip to find what can be copied"
        }
        if case .every = settings.segments { return "--segments was asked for" }
        if settings.marksClips || others.contains(where: { !$0.chapters.isEmpty }) { return "there are chapters" }
        return composition.sounds.isEmpty ? nil : "there are other sounds"
    }

    private func probe(_ inputs: [ClipSpec]) throws(MediaError) -> [MediaInfo] {
        var known: [String: MediaInfo] = [:]
        var infos: [MediaInfo] = []
        for spec in inputs {
            let path = spec.path
            let info: MediaInfo
            if spec.isBlank {
                infos.append(.blank)
                continue
            }
            if let page = spec.page {
                infos.append(page.info)
                continue
            }
            if let same = known[path] {
                info = same
            } else {
                info = try MediaProbe.probe(
                    path: path, audioTrack: composition.reading.audioTrack,
                    parsesPackets: settings.render != .full, isCancelled: isCancelled)
            }
            known[path] = info
            infos.append(info)
        }
        return infos
    }

    /// The inputs, limited to the parts that are used. Warns of a trim that ends after its clip.
    mutating func trim(_ infos: [MediaInfo], rate: Rational) throws(MediaError) -> [MediaInfo] {
        let stillDuration = composition.reading.stillDuration.seconds(at: rate)
        var parts: [MediaInfo] = []
        for (spec, info) in zip(composition.inputs, infos) {
            if let timing = spec.timing {
                let clip = try info.using(timing, rate: rate)
                parts.append(clip.info)
                try warn(of: clip, isHeard: !spec.isMuted && settings.hasAudio)
                continue
            }
            if spec.stillDuration != nil, info.video?.isStill == false {
                throw MediaError(
                    .badInput, "\(info.name) is not a still, so it can't be held (trim it by start and end)")
            }
            let used = try info.using(spec.part, stillDuration: spec.stillDuration ?? stillDuration)
            parts.append(used)
            if let end = spec.part.end, let video = used.video, !video.isStill, end > video.duration {
                warnings.append(
                    "\(info.name) ends at \(video.duration.decimalText) s, before its trim does "
                        + "(\(end.decimalText) s)")
            }
        }
        return parts
    }

    /// Warns if a timeline asks for something that the clip doesn't have.
    private mutating func warn(of clip: TimedClip, isHeard: Bool) throws(MediaError) {
        let path = clip.info.name
        var sentences: [String] = []
        let frames = { (count: Int) in count == 1 ? "1 frame" : "\(count) frames" }
        if clip.held.head > 0 {
            sentences.append(
                "\(path): its first frame is held for \(frames(clip.held.head)), because the clip begins too late")
        }
        if clip.held.tail > 0 {
            sentences.append(
                "\(path): its last frame is held for \(frames(clip.held.tail)), because the clip ends too early")
        }
        if isHeard, clip.info.audio != nil, clip.info.video?.runsAtSpeed == false {
            sentences.append("\(path): its audio is left out, since the clip runs at another speed")
        }
        if composition.isStrict, let sentence = sentences.first { throw MediaError(.badInput, sentence) }
        warnings += sentences.filter { !warnings.contains($0) }
    }

    /// Warns of what is missing or can't be used of the inputs that are shown or heard.
    mutating func warnOfLosses(_ infos: [MediaInfo]) throws(MediaError) {
        for info in infos {
            for sentence in info.complaints where !warnings.contains(sentence) {
                if composition.isStrict { throw MediaError(.badInput, sentence + " (--strict stops at that)") }
                warnings.append(sentence)
            }
        }
    }

    /// The sounds besides the clips' own audio, placed on the timeline.
    func extraSounds(_ timeline: Timeline, rate: Rational) throws(MediaError) -> [PlacedSound] {
        var known: [String: (info: MediaInfo, duration: Rational)] = [:]
        var sounds: [PlacedSound] = []
        for spec in composition.sounds {
            let file: (info: MediaInfo, duration: Rational)
            if let same = known[spec.path] {
                file = same
            } else {
                let info = try MediaProbe.probe(path: spec.path, isCancelled: isCancelled)
                guard let measured = try MediaProbe.measuringAudio(of: info) else {
                    throw MediaError(.badInput, "\(info.name) has no audio")
                }
                file = measured
                known[spec.path] = file
            }
            let start: Rational
            switch spec.place {
            case .time(let time): start = time
            case .clip(let index, let offset): start = Rational(timeline.clips[index].start) / rate + offset
            }
            let length = Rational(timeline.frames) / rate
            let sound = PlacedSound(spec, file.info, duration: file.duration, start: start, length: length)
            if let sound { sounds.append(sound) }
        }
        return sounds
    }

    static func video(_ info: MediaInfo) throws(MediaError) -> VideoInfo {
        if let video = info.video { return video }
        throw MediaError(
            .badInput,
            info.audio == nil
                ? "\(info.name) has no video stream"
                : "\(info.name) has audio but no video stream (only video can be joined)")
    }

    /// The output's chapters; none, with a warning, if the container can't hold any.
    mutating func chapters(
        _ clips: [RenderPlan.Clip], _ timeline: Timeline, _ rate: Rational, _ container: Container
    ) -> [Chapter] {
        let list = ChapterList(clips, timeline, rate: rate, marksClips: settings.marksClips).chapters
        if list.isEmpty || container.holdsChapters { return list }
        warnings.append("\(list.count) chapters are left out: \(container.name) files hold none")
        return []
    }

    mutating func warnOfStreams(_ infos: [MediaInfo]) {
        var said: Set<String> = []
        for info in infos where !info.ignoredStreams.isEmpty && said.insert(info.path).inserted {
            warnings.append("\(info.name): left out stream \(info.ignoredStreams.joined(separator: ", stream "))")
        }
    }

    /// Warns of inputs whose colors can't be shown as intended.
    mutating func warnOfColorLoss(_ clips: [RenderPlan.Clip]) throws(MediaError) {
        for clip in clips where !clip.video.isBlank {
            guard let loss = clip.conform.colorLoss(of: clip.video) else { continue }
            let sentence = "\(clip.info.path) \(loss)"
            if composition.isStrict { throw MediaError(.badInput, sentence) }
            if !warnings.contains(sentence) { warnings.append(sentence) }
        }
    }

    /// Warns of inputs with frame metadata that the output won't have.
    mutating func warnOfMetadata(_ clips: [RenderPlan.Clip]) {
        for clip in clips where !clip.video.lostMetadata.isEmpty {
            let names = clip.video.lostMetadata.map(\.rawValue).sorted().joined(separator: " and ")
            let sentence = "\(clip.info.path) has \(names) metadata, which is left out"
            if !warnings.contains(sentence) { warnings.append(sentence) }
        }
    }

    mutating func warnOfDynamicRange(_ clips: [RenderPlan.Clip]) {
        let changed = clips.filter { !$0.video.isBlank && $0.conform.changesDynamicRange(of: $0.video) }
        guard let conform = changed.first?.conform else { return }
        let names = Set(changed.map { "\($0.info.name) (\($0.video.colour.transfer ?? "SDR"))" })
        warnings.append(
            "HDR and SDR are mixed: the colours of \(names.sorted().joined(separator: ", ")) are converted to "
                + "\(conform.colour.transfer ?? "SDR")")
    }
}
