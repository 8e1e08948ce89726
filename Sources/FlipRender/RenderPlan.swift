import FlipBase
import FlipMedia
import FlipGeometry
import FlipSamples

/// Everything that will be done, computed before any file is opened for writing. `description` is its text for users,
/// and `PlanDocument` its JSON form.
package struct RenderPlan: Sendable {
    /// One input as it will be used.
    package struct Clip: Sendable {
        package private(set) var input: InputClip
        package let conform: VideoConform
        /// The conversions of the clip's frames, in words; empty if the frames are used unchanged.
        package let conversions: [String]
        /// The title of the clip's chapter; nil means the file's own title or, if it has none, its name.
        package let title: String?
        /// The number of the part among those that a cut list shows of the same file without titles; nil for other clips.
        package let partNumber: Int?
        /// Whether the clip belongs to the chapter of the clip before it.
        package let continuesChapter: Bool
        /// Whether the clip's audio is left out.
        package let isMuted: Bool
        /// By how many decibels the clip's audio is made louder.
        package let gain: Double
        /// The integrated loudness in LUFS to which the clip's audio is brought before that; nil to leave it as it is.
        package let loudness: Double?
        /// How the still moves; nil for a still that doesn't, and for other inputs.
        package let motion: StillMotion?
        /// The films that play on a page; empty for other inputs.
        package let films: [PlacedFilm]

        /// The input's name in messages.
        package var name: String { input.name }
        /// Nil for a page and a gap, which have no file.
        package var info: MediaInfo? { input.info }
        /// Nil for a gap.
        package var video: VideoInfo? { input.video }
        package var use: ClipUse { input.use }
        /// Whether the clip is one picture that doesn't change.
        var isUnmoved: Bool { input.isStill && motion == nil && films.isEmpty }
        /// Whether the clip's audio, if it has any, is heard.
        var isHeard: Bool { !isMuted && use.runsAtSpeed }

        /// The same clip with another description of its input.
        func with(_ input: InputClip) -> Clip {
            var copy = self
            copy.input = input
            return copy
        }
    }

    package let clips: [Clip]
    /// The clips as they were asked for.
    package let inputs: [ClipSpec]
    /// The transition at each join.
    package let transitions: [TransitionSpec]
    package let timeline: Timeline
    package let path: String
    package let container: Container
    package var overwrites: Bool
    package var video: VideoEncoding
    let passes: EncodingPasses
    /// How the output's frames are coded, and why.
    package let form: OutputForm
    /// What decided the output's size, rates, formats and codec.
    package var deciders: OutputDeciders
    /// The output's audio tracks, the main one first; empty if it has no audio.
    package internal(set) var audioTracks: [AudioTrack]
    package let audioCurve: AudioCurve
    /// The integrated loudness of the output in LUFS; nil to leave it as it is.
    package private(set) var loudness: Double?
    /// The output's subtitle tracks.
    package let subtitles: [SubtitleTrack]
    /// The captions that are drawn into the picture; nil if none are.
    let burned: BurnedCaptions?
    /// What is drawn over the frames, from the back to the front.
    let overlays: [PlacedOverlay]
    /// The output's tags, such as "title".
    package let metadata: [String: String]
    /// The output's chapters, in order.
    package let chapters: [Chapter]
    package let background: Color
    /// The background that was asked for; nil if none was.
    let givenBackground: Color?
    /// The preset that was asked for; nil if none was.
    package let preset: AppliedPreset?
    package private(set) var fades: FilmFades
    package let holds: HoldTiming
    /// Whether pictures that are shown for long are encoded only at their beginning where that is possible.
    let repeatsHolds: Bool
    package let threads: Int
    /// Whether damage in an input ends the run with an error.
    package let isStrict: Bool
    /// The segments: ranges of output frames that are rendered and encoded on their own, in order, without the frames
    /// that are copied. The whole output if it is encoded in one pass.
    package let renderSegments: [Range<Int>]
    /// Where segments are kept for further runs; nil for nowhere.
    let cache: WorkCache?
    /// Which video packets are copied; nil if none are.
    let copying: CopyPlan?
    /// Why inputs are not copied although that was asked for, one clause each.
    package var copyRefusals: [String]
    /// The same for each clip; nil for one that may be copied, and where nothing was asked to be.
    package var clipRefusals: [String?]
    /// Why a first clip from a pipe is read to its end first rather than passed on live, as a clause; nil otherwise.
    let passingRefusal: String?
    /// What remains to be planned when a live first clip has ended; nil if the plan is complete.
    package let unfinished: UnfinishedPlan?
    /// What is done if the output's parts can't be put together; nil if it has no parts, if nothing less can be copied and the user
    /// insists on copying (`--render smart`), or if a live clip can't be read again.
    let fallback: FallbackPlan?
    /// What there is to say of the output that is no warning, one sentence each.
    package internal(set) var remarks: [String]
    /// Warnings for the user, one sentence each.
    package let warnings: [String]

    /// The encoding of the main audio track; nil if the output has no audio.
    package var audio: AudioEncoding? { audioTracks.first?.encoding }
    /// All sounds that are heard in the main audio track, the clips' own audio included.
    package var sounds: [PlacedSound] { audioTracks.first?.sounds ?? [] }
    /// Which packets of the main audio track are copied; nil if none are.
    var audioCopying: AudioPlan? { audioTracks.first?.copying }
    /// Why audio is not copied although video is, one clause each; those of all tracks but the main one begin with their number.
    var audioRefusals: [String] {
        audioTracks.enumerated().flatMap { index, track in
            track.refusals.map { index == 0 ? $0 : "track \(index + 1): \($0)" }
        }
    }

    /// The same plan with only audio track `index`.
    func hearing(_ index: Int) -> RenderPlan {
        var copy = self
        copy.audioTracks = [audioTracks[index]]
        return copy
    }

    /// Whether audio is measured before it is mixed: all of it, or that of a clip.
    var measuresLoudness: Bool { loudness != nil || sounds.contains { $0.loudness != nil } }

    /// The same plan with other sounds in the only audio track, and without anything to measure.
    /// - Parameter fades: whether the film still fades in and out.
    package func playing(_ sounds: [PlacedSound], fades: Bool = true) -> RenderPlan {
        var copy = self
        copy.loudness = nil
        copy.audioTracks = audioTracks.map { $0.playing(sounds) }
        if !fades { copy.fades = copy.fades.none }
        return copy
    }

    /// Whether captions from files are shown: as tracks, or drawn into the picture.
    package var hasCaptions: Bool {
        burned != nil
            || subtitles.flatMap(\.sources).contains { source in source.clip.map { clips[$0].input.path } != source.path
            }
    }

    /// Whether anything is drawn over the frames besides captions.
    package var hasOverlays: Bool { !overlays.isEmpty }

    /// The output's length in seconds.
    package var seconds: Rational { timeline.seconds }

    /// The form into which every clip's frames are converted before they are joined.
    var frames: VideoConform { clips[0].conform }

    /// How many frames of a clip are dropped or repeated to match the output's frame rate; nil if that is not known, or
    /// not a matter of rates, as for stills.
    func frameChoice(_ clip: Int) -> FrameChoice? {
        clips[clip].input.choice(slots: timeline.clips[clip].frames, rate: video.frameRate)
    }

    /// The audio sample at which output frame `frame` begins.
    func sample(atFrame frame: Int, of audio: AudioEncoding) -> Int {
        timeline.times.sample(atFrame: frame, sampleRate: audio.sampleRate)
    }
}

extension RenderPlan: CustomStringConvertible {
    /// The plan as text for users: the output, each input, each of the timeline's segments and so on, a line each.
    package var description: String {
        if let unfinished { return unfinished.description(of: self) }
        var lines = [
            "output \(path): \(video.width)x\(video.height) \(video.pixelFormat) at \(video.frameRate) fps, "
                + "\(timeline.frames) frames (\(RenderPlan.clock(seconds))), \(videoCodec)"
                + (audio.map { " + \($0.codec ?? container.defaultAudioCodec ?? "") \($0.sampleRate) Hz \($0.layout)" }
                    ?? ", no audio")
        ]
        if let text = form.text(video) { lines.append(text) }
        if video.keptTimes != nil {
            lines.append("frames keep their own times; what is drawn between them has \(video.frameRate) fps")
        }
        lines.append(deciders.text)
        if let preset { lines.append("preset for \(preset.name): \(preset.text)") }
        for (index, clip) in clips.enumerated() {
            lines.append(
                "input \(index + 1) \(clip.name): \(timeline.clips[index].frames) frames" + clip.input.trimText
                    + timeline.clips[index].handlesText
                    + (clip.gain == 0 || clip.isMuted ? "" : ", volume \((clip.gain * 10).rounded() / 10) dB")
                    + (clip.isMuted ? "" : clip.loudness.map { ", brought to \($0) LUFS" } ?? "")
                    + (clip.motion == nil ? "" : ", moving")
                    + clip.films.map { ", plays \($0.media.name) from frame \($0.start)" }.joined()
                    + (clip.info?.made.map { ", rendered by \($0.maker): \($0.reason)" } ?? frameChoice(index)?.text
                        ?? "")
                    + (clip.conversions.isEmpty ? "" : ", " + clip.conversions.joined(separator: ", ")))
        }
        if audioTracks.count > 1 { lines += audioTracks.enumerated().map { $1.description(track: $0, in: container) } }
        lines += subtitles.enumerated().map { $1.description(track: $0) }
        lines += overlays.map(\.description)
        if let burned { lines.append(burned.description) }
        for (segment, place) in timeline.placedSegments {
            let range = "frames \(place.lowerBound)...\(place.upperBound - 1):"
            switch segment {
            case .clip(let index, let frames):
                lines.append("\(range) input \(index + 1) frames \(frames.lowerBound)...\(frames.upperBound - 1)")
            case .copy(let index, let frames):
                lines.append(
                    "\(range) input \(index + 1) frames \(frames.lowerBound)...\(frames.upperBound - 1), copied")
            case .transition(let join, _):
                let spec = transitions[join]
                let look = (spec.look?.description ?? "cut") + (spec.gesture.map { ", by \($0.path)," } ?? "")
                lines.append("\(range) \(look) from input \(join + 1) to input \(join + 2)")
            }
        }
        if fades.fadeIn > 0 { lines.append("fades in from \(fades.color) over \(fades.fadeIn) frames") }
        if fades.fadeOut > 0 { lines.append("fades out to \(fades.color) over \(fades.fadeOut) frames") }
        lines += sounds.filter { $0.clip == nil }.map { sound in
            "sound \(sound.path): from \(RenderPlan.clock(sound.span.start)) to \(RenderPlan.clock(sound.span.end))"
                + (sound.landing.map { ", landing at \(RenderPlan.clock($0))" } ?? "")
        }
        lines += copyRefusals.map { "not copied: \($0)" }
        if renderSegments.count > 1 {
            let cuts = zip(renderSegments, renderSegments.dropFirst())
                .filter { $0.upperBound == $1.lowerBound }.map { "\($1.lowerBound)" }
            let places = cuts.isEmpty ? "" : ", cut at " + cuts.joined(separator: ", ")
            lines.append("rendered in \(renderSegments.count) segments" + places)
        }
        for (index, track) in audioTracks.enumerated() {
            guard let counts = track.copying?.counts else { continue }
            let name = index == 0 ? "audio" : "audio track \(index + 1)"
            lines.append("\(name): \(counts.copied) packets copied, \(counts.encoded) encoded")
        }
        if audioCopying != nil { lines += moveSentence.map { ["audio: \($0)"] } ?? [] }
        if let loudness { lines.append("audio: brought to a loudness of \(loudness) LUFS") }
        lines += audioRefusals.map { "audio: \($0)" }
        if let passingRefusal { lines.append("input 1 is read to its end first: \(passingRefusal)") }
        lines += metadata.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        lines += chapters.map { "chapter at \(RenderPlan.clock($0.start)): \($0.title)" }
        lines += remarks.map { "note: \($0)" }
        return (lines + warnings.map { "warning: \($0)" }).joined(separator: "\n")
    }

    /// Which clips' audio is moved so that it can be copied; nil if none is.
    private var moveSentence: String? {
        let moved = sounds.filter { $0.clip != nil && $0.shift != .zero }
        guard let most = moved.map({ max($0.shift, .zero - $0.shift) }).max() else { return nil }
        let milliseconds = Rational((most * Rational(10_000)).rounded(), 10).decimalText
        let clips = Set(moved.compactMap(\.clip)).sorted()
        let inputs = clips.map { "\($0 + 1)" }.joined(separator: ", ")
        return "moved to the nearest packet, by up to \(milliseconds) ms "
            + "(\(clips.count == 1 ? "input" : "inputs") \(inputs); --audio-copy exact encodes it instead)"
    }

    private var videoCodec: String { video.codec ?? container.defaultVideoCodec }

    private static func clock(_ seconds: Rational) -> String {
        let milliseconds = (seconds * Rational(1000)).rounded()
        let fraction = String(milliseconds % 1000 + 1000).dropFirst()
        return "\(milliseconds / 1000).\(fraction) s"
    }
}

extension AudioTrack {
    /// The track's line in the plan's description. `track` counts from 0.
    fileprivate func description(track: Int, in container: Container) -> String {
        let inputs = Set(sounds.compactMap(\.clip)).sorted().map { "\($0 + 1)" }.joined(separator: ", ")
        return "audio track \(track + 1)\(tags.text): "
            + "\(encoding.codec ?? container.defaultAudioCodec ?? "") \(encoding.sampleRate) Hz \(encoding.layout), "
            + (inputs.isEmpty ? "of no input" : "of \(inputs.contains(",") ? "inputs" : "input") \(inputs)")
    }
}

extension Timeline.Clip {
    /// The addition to a clip's line in the plan's description; empty if it shows nothing outside its part.
    fileprivate var handlesText: String {
        handles == (0, 0) ? "" : ", \(handles.head + handles.tail) of them outside the part"
    }
}

extension FrameChoice {
    /// The addition to a clip's line in the plan's description; empty if every frame is shown once.
    fileprivate var text: String {
        (dropped > 0 ? ", \(dropped) left out" : "") + (repeated > 0 ? ", \(repeated) shown again" : "")
    }
}

extension InputClip {
    /// The part of the clip that is used, as the end of a sentence; empty if it is the whole clip.
    package var trimText: String {
        guard let video, !video.isStill, use.span != TimeSpan(duration: video.duration) else { return "" }
        return " from \(use.span.start.decimalText) to \(use.span.end.decimalText) s"
    }
}

extension RenderPlan {
    /// What shows behind the pages of a transition.
    package func background(of look: StyledLook) -> Color {
        look.background(given: givenBackground, orElse: background)
    }
}
