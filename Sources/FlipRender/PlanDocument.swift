import FlipBase
import FlipMedia
import FlipFiles

/// A plan as `plan --json` and `--report` write it. Frames are output frames counted from 0.
package struct PlanDocument: Encodable, Sendable {
    struct Output: Encodable {
        let path: String
        let container: String
        let width: Int
        let height: Int
        /// How players turn the frames, the width of a pixel over its height, and the size that is then seen.
        let transform: DisplayTransform
        let sampleAspectRatio: Rational
        let displayWidth, displayHeight: Int
        /// Which field of a frame is shown first; nil for progressive frames.
        let fieldOrder: FieldOrder?
        let frameRate: Rational
        /// Whether frames keep the times of their clips, so that `frameRate` is that of what is drawn between them.
        let isVariableFrameRate: Bool
        let frames: Int
        let seconds: Double
        let pixelFormat: PixelFormat
        let color: ColorDescription
        /// The preset that was asked for; nil if none was.
        let preset: AppliedPreset?
        let hdr: HDRMetadata?
        let videoCodec: String
        /// What decided each of these properties, and those of the main audio track.
        let decidedBy: OutputDeciders
        /// The main audio track.
        let audio: Audio?
        /// All audio tracks, the main one first.
        let audioTracks: [Track]
        let subtitles: [Subtitles]
        /// The style of the captions that are drawn into the picture; nil if none are.
        let burnedCaptions: String?
        let metadata: [String: String]
        /// The loudness in LUFS to which the audio is brought; nil if it isn't changed.
        let loudness: Double?
        /// How many frames fade in and out at the output's ends; nil for none.
        let fadeInFrames: Int?
        let fadeOutFrames: Int?
        /// Whether a held picture is written as frames of one length or as one long frame.
        let heldFrames: HoldTiming
    }

    struct Audio: Encodable {
        let codec: String?
        let sampleRate: Int
        let layout: String
        let samples: Int
    }

    struct Track: Encodable {
        let codec: String?
        let sampleRate: Int
        let layout: String
        let tags: TrackTags
        /// For each input, the index of the stream that is heard in this track; nil where none is.
        let streams: [Int?]
        /// The number of packets that are copied; nil if none are.
        let packetsCopied: Int?
    }

    struct Subtitles: Encodable {
        struct Source: Encodable {
            let path: String
            let stream: Int
            /// The index of the input that they belong to; nil for captions of the whole output.
            let input: Int?
            /// Whether the packets are copied; otherwise the text is converted.
            let isCopied: Bool
        }

        let codec: String
        let tags: TrackTags
        let sources: [Source]
    }

    struct Input: Encodable {
        /// A film that a document stores and that plays on its slide.
        struct Film: Encodable {
            /// The document, and the film's name in it.
            let path: String
            /// The frame of the input, counted at the output's rate, at which it begins.
            let start: Int
            let seconds: Double
            /// Its place, as fractions of the slide's width and height from the upper left corner.
            let x, y, width, height: Double

            init(_ film: PlacedFilm) {
                (path, start, seconds) = (film.media.name, film.start, film.span.duration.doubleValue)
                (x, y, width, height) = (film.place.x, film.place.y, film.place.width, film.place.height)
            }
        }

        let path: String
        /// The number of the slide in its document; nil for an input that is not a slide.
        let slide: Int?
        let start: Int
        let frames: Int
        /// The start of the part that is used, in seconds from the clip's first frame, and the part's length.
        let usedStart: Double
        let usedSeconds: Double
        let isStill: Bool
        let codec: String
        let frameRate: Rational
        let isVariableFrameRate: Bool
        /// How many of the used frames are dropped, and how many output frames repeat the one before, because frame
        /// rates differ or frames are unevenly spaced; nil if unknown, or not a matter of rates, as for stills.
        let framesDropped: Int?
        let framesRepeated: Int?
        let hasAudio: Bool
        /// The index of the audio stream in the file; nil if there is none.
        let audioStream: Int?
        /// By how many seconds the clip's audio is heard later than its picture, or earlier if negative, so that its
        /// packets can be copied; nil if it isn't moved.
        let audioShift: Double?
        /// By how many decibels the clip's audio is made louder; nil if it isn't.
        let audioGain: Double?
        /// The loudness in LUFS to which the clip's audio is brought before that; nil if it isn't.
        let audioLoudness: Double?
        /// The films that play on a slide; nil if none do.
        let films: [Film]?
        let conversions: [String]
        /// How many frames are copied, and why the input isn't copied; nil if it may be, or if that wasn't asked for.
        let copiedFrames: Int
        let copyRefusal: String?
        let ignoredStreams: [String]
        /// The program that renders the input's frames, and why; nil for an input that is read from a file.
        let renderedBy: String?
        let renderedReason: String?
    }

    struct Join: Encodable {
        let after: Int
        let transition: String
        let style: String
        /// Nil for a cut, and where a gesture takes its place.
        let easing: String?
        /// The path of the gesture that the transition follows; nil for none.
        let gesture: String?
        let overlap: TransitionSpec.Overlap
        let start: Int
        let frames: Int
        let askedFrames: Int
    }

    /// A sound besides the inputs' own audio, in seconds of the output.
    struct Sound: Encodable {
        let path: String
        let start: Double
        let seconds: Double
        /// The index of the input before the transition whose sound this is, and when its marked moment comes; nil for
        /// other sounds.
        let after: Int?
        let landing: Double?
        /// The index of the input with which a sound begins that its document stores; nil for other sounds.
        let input: Int?
    }

    /// A chapter, in seconds of the output.
    struct Marker: Encodable {
        let title: String
        let start: Double
        let end: Double
    }

    struct Segment: Encodable {
        let kind: String
        let start: Int
        let frames: Int
        /// Whether the packets are copied.
        let isCopied: Bool
        /// The index of the clip, or of the clip before the transition, counted from 0.
        let input: Int
        /// The first frame of the clip that the segment shows; nil for a transition.
        let firstFrame: Int?
    }

    /// A range of the output that is encoded on its own, and the inputs that it is made from.
    struct RenderSegment: Encodable {
        struct Source: Encodable {
            let input: Int
            /// A frame of the used part of the input, counted at the output's rate.
            let firstFrame: Int
            let frames: Int
        }

        let index: Int
        let firstFrame: Int
        let frames: Int
        let inputs: [Source]
    }

    let output: Output
    let inputs: [Input]
    let joins: [Join]
    let segments: [Segment]
    let sounds: [Sound]
    /// What is drawn over the frames, from the back to the front.
    let overlays: [Overlay]
    /// The segments that can be rendered in parallel; a single one if the output is encoded in one pass.
    let renderSegments: [RenderSegment]
    let chapters: [Marker]
    /// Why inputs are not copied although that was asked for.
    let copyRefusals: [String]
    /// Why audio is not copied although video is.
    let audioCopyRefusals: [String]
    /// What there is to say of the output that is no warning.
    var remarks: [String]
    let warnings: [String]

    package init(_ plan: RenderPlan) {
        let timeline = plan.timeline
        let shown = plan.video.form.shown(width: plan.video.width, height: plan.video.height)
        output = Output(
            path: plan.path, container: plan.container.name, width: plan.video.width, height: plan.video.height,
            transform: plan.video.form.transform, sampleAspectRatio: plan.video.form.sampleAspectRatio,
            displayWidth: shown.width, displayHeight: shown.height, fieldOrder: plan.video.form.fieldOrder,
            frameRate: plan.video.frameRate, isVariableFrameRate: plan.video.keptTimes != nil,
            frames: timeline.frames, seconds: plan.seconds.doubleValue,
            pixelFormat: plan.video.pixelFormat, color: plan.video.color, preset: plan.preset, hdr: plan.video.hdr,
            videoCodec: plan.video.codec ?? plan.container.defaultVideoCodec, decidedBy: plan.deciders,
            audio: plan.audio.map { audio in
                Audio(
                    codec: audio.codec, sampleRate: audio.sampleRate, layout: audio.layout,
                    samples: plan.sample(atFrame: timeline.frames, of: audio))
            },
            audioTracks: plan.audioTracks.map { track in
                Track(
                    codec: track.encoding.codec, sampleRate: track.encoding.sampleRate,
                    layout: track.encoding.layout, tags: track.tags,
                    streams: plan.clips.indices.map { clip in
                        track.sounds.first { $0.clip == clip }?.info.audio?.streamIndex
                    }, packetsCopied: track.copying?.counts.copied)
            },
            subtitles: plan.subtitles.map { track in
                Subtitles(
                    codec: track.codec, tags: track.tags,
                    sources: track.sources.map {
                        Subtitles.Source(
                            path: $0.made?.name ?? $0.path, stream: $0.info.streamIndex, input: $0.clip,
                            isCopied: track.copies($0))
                    })
            },
            burnedCaptions: plan.burned?.style.text,
            metadata: plan.metadata,
            loudness: plan.loudness,
            fadeInFrames: plan.fades.fadeIn > 0 ? plan.fades.fadeIn : nil,
            fadeOutFrames: plan.fades.fadeOut > 0 ? plan.fades.fadeOut : nil, heldFrames: plan.holds)
        inputs = zip(plan.clips, timeline.clips).enumerated().map { index, pair in
            let (clip, place) = pair
            let choice = plan.unfinished == nil ? plan.frameChoice(index) : nil
            return Input(
                path: clip.input.path, slide: clip.input.page?.number, start: place.start, frames: place.frames,
                usedStart: clip.use.span.start.doubleValue, usedSeconds: clip.use.span.duration.doubleValue,
                isStill: clip.input.isStill, codec: clip.video?.codec ?? "none",
                frameRate: clip.video?.frameRate ?? Rational(25),
                isVariableFrameRate: clip.video?.isVariableFrameRate ?? false,
                framesDropped: choice?.dropped, framesRepeated: choice?.repeated,
                hasAudio: clip.input.audio != nil, audioStream: clip.input.audio?.streamIndex,
                audioShift: plan.sounds.first { $0.clip == index && $0.shift != .zero }?.shift.doubleValue,
                audioGain: clip.gain == 0 ? nil : clip.gain, audioLoudness: clip.loudness,
                films: clip.films.isEmpty ? nil : clip.films.map(Input.Film.init),
                conversions: clip.conversions,
                copiedFrames: timeline.segments.reduce(0) { $0 + $1.copied(of: index) },
                copyRefusal: plan.clipRefusals[index],
                ignoredStreams: clip.info?.ignoredStreams ?? [], renderedBy: clip.info?.made?.maker,
                renderedReason: clip.info?.made?.reason)
        }
        joins = zip(plan.transitions, timeline.joins).enumerated().map { index, join in
            let (spec, place) = join
            return Join(
                after: index, transition: spec.look?.description ?? "cut", style: spec.look?.style.name ?? "cut",
                easing: spec.gesture == nil ? spec.look?.look.easing.name : nil, gesture: spec.gesture?.path,
                overlap: place.overlap, start: place.start, frames: place.frames, askedFrames: place.asked)
        }
        segments = timeline.placedSegments.map { segment, place in
            let row = { (kind: String, input: Int, first: Int?) in
                Segment(
                    kind: kind, start: place.lowerBound, frames: place.count, isCopied: segment.isCopied, input: input,
                    firstFrame: first)
            }
            return switch segment {
            case .clip(let index, let frames): row("clip", index, frames.lowerBound)
            case .copy(let index, let frames): row("copy", index, frames.lowerBound)
            case .transition(let join, _): row("transition", join, nil)
            }
        }
        sounds = plan.sounds.filter { $0.clip == nil }.map { sound in
            let frame = plan.timeline.times.frame(nearest: sound.span.start)
            return Sound(
                path: sound.path, start: sound.span.start.doubleValue, seconds: sound.span.duration.doubleValue,
                after: sound.join, landing: sound.landing?.doubleValue,
                input: sound.isStored ? timeline.clips.lastIndex { $0.start <= frame } : nil)
        }
        overlays = plan.overlays.map(Overlay.init)
        renderSegments = plan.renderSegments.enumerated().map { index, range in
            RenderSegment(
                index: index, firstFrame: range.lowerBound, frames: range.count,
                inputs: timeline.sources(of: range).map {
                    RenderSegment.Source(input: $0.clip, firstFrame: $0.frames.lowerBound, frames: $0.frames.count)
                })
        }
        chapters = plan.chapters.map { Marker(title: $0.title, start: $0.start.doubleValue, end: $0.end.doubleValue) }
        copyRefusals = plan.copyRefusals
        audioCopyRefusals = plan.audioRefusals
        remarks = plan.remarks
        warnings = plan.warnings
    }
}
