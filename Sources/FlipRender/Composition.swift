import FlipBase
import FlipFiles
import FlipMedia
import FlipGeometry
import FlipSamples

/// What the user asked for: clips to show one after another, the transition at each join, and the output. A plain
/// value; no file has been opened yet.
package struct Composition: Sendable {
    /// The clips, at least one.
    package var inputs: [ClipSpec]
    package var reading: InputSettings
    /// The transition at each join, in order; the last one applies to all further joins. Not empty.
    package var transitions: [TransitionSpec]
    /// Sounds besides the clips' own audio.
    package var sounds: [SoundSpec] = []
    package var output: OutputSettings
    /// Paths of further files that the output must not replace, such as the file that this composition was read from.
    package var sources: [String] = []
    /// What is left out of the files that describe the composition, or done differently, one sentence each. These
    /// become warnings of the plan.
    package var notes: [String] = []
    /// What the files that describe the composition have and no video can have, one sentence each. These are said with the
    /// plan and are not warnings.
    package var remarks: [String] = []
    /// The least time that both clips of a join are shown for if there is a transition; where one is shown for less,
    /// the join is a cut. Nil for no such limit.
    package var cutBelow: TransitionDuration?
    /// Whether damage in an input, and what can't be done as asked, is an error rather than a warning.
    package var isStrict = false

    package init(
        inputs: [ClipSpec], reading: InputSettings = InputSettings(), transitions: [TransitionSpec],
        output: OutputSettings
    ) {
        (self.inputs, self.reading, self.transitions, self.output) = (inputs, reading, transitions, output)
    }

    /// The paths of all files that the composition reads.
    package var files: [String] {
        inputs.filter { $0.kind != .gap && $0.made == nil }.flatMap { PictureFiles.paths(of: $0.path) }
            + inputs.compactMap(\.captions)
            + output.captions
            + output.overlays.compactMap(\.path) + sounds.filter { $0.made == nil }.map(\.path)
            + transitions.flatMap(\.files)
            + sources
    }

    /// Which styles are meant where the user names transitions as other programs do, a sentence each.
    package var otherNames: [String] {
        var sentences: [String] = []
        for look in transitions.compactMap(\.look) {
            guard let name = look.otherName else { continue }
            let sentence = "'\(name)' is drawn as \(look.description)"
            if !sentences.contains(sentence) { sentences.append(sentence) }
        }
        return sentences
    }

    /// The transition asked for after clip `index`, counted from 0. What was not asked for is as the cut list has it that
    /// both clips come from, if one does.
    func transition(afterClip index: Int) -> TransitionSpec {
        var spec = transitions[min(index, transitions.count - 1)]
        if let duration = cut(afterClip: index)?.duration { spec.duration = duration }
        spec.overlap = spec.overlap ?? defaultOverlap(afterClip: index)
        return spec
    }

    /// The join after clip `index` in the cut list that both clips come from; nil if they come from none.
    private func cut(afterClip index: Int) -> CutJoin? { index + 1 < inputs.count ? inputs[index + 1].cut : nil }

    /// The overlap after clip `index` if the user asks for none.
    package func defaultOverlap(afterClip index: Int) -> TransitionSpec.Overlap {
        cut(afterClip: index) == nil ? .play : .handles
    }
}

/// How inputs are read.
package struct InputSettings: Sendable {
    /// How long a still is shown if its own specification doesn't say.
    package var stillDuration = TransitionDuration.seconds(Rational(3))
    /// The audio tracks to use of each clip.
    package var audioTracks = TrackChoice.all
    /// The subtitle tracks to use of each clip.
    package var subtitleTracks = TrackChoice.all
    package var deinterlaces = true
    /// Whether the middle of long clips may be left unread until it is needed, as in a preview.
    package var isHasty = false
    /// Whether a first clip from a pipe is passed on live where possible: its frames are written as they come in,
    /// before its length is known.
    package var passesOn = false

    package init() {}
}

/// What the user asked for of the output; nil leaves a choice to the first clip, the container or the codec.
package struct OutputSettings: Sendable {
    package var path: String
    /// The muxer's name; nil chooses one by the path's extension.
    package var format: String?
    /// Whether the output is a single frame.
    package var isStill = false
    /// The input that the output is like where no option says otherwise; nil for the one that is shown longest.
    package var like: LikeChoice?
    package var size: (width: Int, height: Int)?
    /// The width in pixels, from 2, if `size` is nil; the height follows from the first clip's aspect ratio.
    package var width: Int?
    package var frameRate: Rational?
    /// What decided `size` and `frameRate` if the inputs are slides, and decides the color; nil for other inputs.
    package var slides: SlideRule?
    package var fit = VideoConform.Fit.pad
    /// The color behind the pages, and around clips with another aspect ratio.
    /// Nil means black, or transparent if the output has alpha.
    package var background: Color?
    /// The preset whose settings apply where none are given here; nil for none.
    package var presetFor: OutputPreset?
    /// The preset once its settings are included here.
    var appliedPreset: AppliedPreset?
    package var videoCodec: String?
    package var crf: Double?
    /// In bits per second.
    package var videoBitrate: Int?
    /// The number of bytes that the whole output comes near to and must not exceed; nil for any.
    package var targetSize: Int?
    package var preset: String?
    package var pixelFormat: PixelFormat?
    /// Options passed to the encoder unchanged.
    package var videoOptions: [(key: String, value: String)] = []
    package var audioCodec: String?
    /// In bits per second.
    package var audioBitrate: Int?
    /// In samples per second.
    package var audioRate: Int?
    /// libav's name of the channel layout.
    package var audioLayout: String?
    package var hasAudio = true
    package var audioCurve = AudioCurve.equalPower
    /// The integrated loudness of the output in LUFS (EBU R 128); nil to leave it as it is.
    package var loudness: Double?
    /// The integrated loudness in LUFS to which the audio of each clip, and each voice, is brought; nil to leave it as it is.
    package var clipLoudness: Double?
    /// Where sounds lie whose packets are copied; without effect if none are.
    package var audioCopy = AudioCopy.near
    package var render = RenderMode.full
    package var segments = SegmentChoice.off
    /// Where what is made is kept for further runs; nil for nowhere.
    package var cache: WorkCache?
    package var holds = HoldTiming.cfr
    /// Whether pictures that are shown for long are encoded only at their beginning where that is possible.
    var repeatsHolds = true
    /// Files with subtitles for the whole output, in its time.
    package var captions: [String] = []
    /// Further captions for the whole output that come from no file of the user's.
    package var madeCaptions: [MadeCaptions] = []
    /// How captions are drawn into the picture; nil if they aren't.
    package var captionStyle: CaptionStyle?
    /// What is drawn over the frames, from the back to the front.
    package var overlays: [OverlaySpec] = []
    /// The language, as a three-letter code, of the audio and subtitle tracks that name none; nil leaves them without one.
    package var language: String?
    /// The language, likewise, of narration; nil if it isn't known. `language` takes precedence.
    package var narrationLanguage: String?
    /// The languages, as three-letter codes, of further audio tracks, in which other narrations are heard.
    package var translations: [String] = []
    /// Tags to set, such as "title"; an empty value removes one that the clips have.
    package var metadata: [(key: String, value: String)] = []
    /// Whether each clip begins a chapter.
    package var marksClips = false
    /// How long the film fades in at its beginning and out at its end; nil for not at all.
    package var fadeIn: TransitionDuration?
    package var fadeOut: TransitionDuration?
    /// The color from which and to which it fades.
    package var fadeColor = Color.black
    /// How stills without a motion of their own move.
    package var stillMotion = StillMotionMode.none
    /// The number of threads for rendering, which is also requested from the codecs.
    package var threads = 1
    /// Whether an existing output may be replaced.
    package var overwrites = false

    package init(path: String) { self.path = path }

    /// Whether there are captions for the whole output.
    var hasCaptions: Bool { !captions.isEmpty || !madeCaptions.isEmpty }
}

/// How a hold, a frame shown for long, is written.
package enum HoldTiming: String, Sendable, CaseIterable, Codable {
    /// As repeated frames, at a constant frame rate.
    case cfr
    /// As a single frame with a long duration, a keyframe so that players can seek to it.
    case vfr
}
