import FlipGeometry
import FlipMedia

/// What will be done, computed before anything is opened for writing. A value that prints itself and is written as JSON.
package struct RenderPlan: Sendable {
    /// One input as it will be used.
    package struct Clip: Sendable {
        package let info: MediaInfo
        package let conform: VideoConform
        /// What is converted on the way in, in words; empty where frames pass as they are.
        package let conversions: [String]
        /// The clip's first video stream, which every planned clip has.
        package let video: VideoInfo
        /// Of its chapter; nil is the file's own.
        package let title: String?
        /// Whether its audio is left out.
        package let isMuted: Bool
    }

    package let clips: [Clip]
    /// What was asked of each join.
    package let transitions: [TransitionSpec]
    package let timeline: Timeline
    package let path: String
    package let container: Container
    package var overwrites: Bool
    package let video: VideoEncoding
    /// nil: no audio stream.
    package let audio: AudioEncoding?
    package let audioCurve: AudioCurve
    /// All that is heard.
    package let sounds: [PlacedSound]
    /// Of the output, in order.
    package let chapters: [Chapter]
    package let background: Color
    package let holds: HoldTiming
    package let threads: Int
    /// Whether damage in an input ends the run.
    package let isStrict: Bool
    /// The output's frames, in ranges that are rendered and encoded apart from each other; one where it is encoded in one pass.
    package let renderSegments: [Range<Int>]
    /// What is copied, if anything is.
    let copying: CopyPlan?
    /// How sound is copied, if any is.
    let soundCopying: SoundPlan?
    /// Why sound is not copied though the pictures are, a sentence each.
    let soundRefusals: [String]
    /// Why inputs are not copied, where that was asked for: the end of a sentence each.
    package var copyRefusals: [String]
    /// Why a first clip that comes through a pipe is read to its end first, as the end of a sentence.
    let passingRefusal: String?
    /// Where the first clip is passed on as it comes: what is planned when it has ended.
    package let unfinished: UnfinishedPlan?
    /// What is done where copying fails; nil where nothing is copied, or the user wants copies or nothing.
    let fallback: FallbackPlan?
    /// What the user should know, a sentence each.
    package let warnings: [String]

    /// The output's length in seconds.
    package var seconds: Rational { Rational(timeline.frames) / video.frameRate }

    /// What every clip's frames become before they are joined.
    var frames: VideoConform { clips[0].conform }

    /// How many of a clip's frames are left out or shown again to meet the output's rate; nil where that is not a matter of rates.
    func frameChoice(_ clip: Int) -> FrameChoice? {
        clips[clip].video.choice(slots: timeline.clips[clip].frames, rate: video.frameRate)
    }

    /// The audio sample at which output frame `frame` begins.
    func sample(atFrame frame: Int, of audio: AudioEncoding) -> Int {
        audioSample(atFrame: frame, frameRate: video.frameRate, sampleRate: audio.sampleRate)
    }
}

extension RenderPlan: CustomStringConvertible {
    /// The plan for people: the output, then one line a segment.
    package var description: String {
        if let unfinished { return unfinished.description(of: self) }
        var lines = [
            "output \(path): \(video.width)x\(video.height) \(video.pixelFormat) at \(video.frameRate) fps, "
                + "\(timeline.frames) frames (\(RenderPlan.clock(seconds))), \(videoCodec)"
                + (audio.map { " + \($0.codec ?? container.defaultAudioCodec ?? "") \($0.sampleRate) Hz \($0.layout)" }
                    ?? ", no audio")
        ]
        for (index, clip) in clips.enumerated() {
            lines.append(
                "input \(index + 1) \(clip.info.name): \(timeline.clips[index].frames) frames" + clip.video.trimText
                    + (frameChoice(index)?.text ?? "")
                    + (clip.conversions.isEmpty ? "" : ", " + clip.conversions.joined(separator: ", ")))
        }
        for (segment, place) in timeline.placedSegments {
            let range = "frames \(place.lowerBound)...\(place.upperBound - 1):"
            switch segment {
            case .clip(let index, let frames):
                lines.append("\(range) input \(index + 1) frames \(frames.lowerBound)...\(frames.upperBound - 1)")
            case .copy(let index, let frames):
                lines.append(
                    "\(range) input \(index + 1) frames \(frames.lowerBound)...\(frames.upperBound - 1), copied")
            case .transition(let join, _):
                let look = transitions[join].look?.description ?? "cut"
                lines.append("\(range) \(look) from input \(join + 1) to input \(join + 2)")
            }
        }
        lines += sounds.filter { $0.clip == nil }.map { sound in
            "sound \(sound.info.path): from \(RenderPlan.clock(sound.span.start)) to \(RenderPlan.clock(sound.span.end))"
        }
        if renderSegments.count > 1 {
            let cuts = renderSegments.dropFirst().map { "\($0.lowerBound)" }
            lines.append("rendered in \(renderSegments.count) segments, cut at \(cuts.joined(separator: ", "))")
        }
        if let sound = soundCopying {
            lines.append("audio: \(sound.counts.copied) packets copied, \(sound.counts.encoded) encoded")
        }
        lines += soundRefusals.map { "audio: \($0)" }
        if let passingRefusal { lines.append("input 1 is read to its end first: \(passingRefusal)") }
        lines += chapters.map { "chapter at \(RenderPlan.clock($0.start)): \($0.title)" }
        return (lines + warnings.map { "warning: \($0)" }).joined(separator: "\n")
    }

    private var videoCodec: String { video.codec ?? container.defaultVideoCodec }

    private static func clock(_ seconds: Rational) -> String {
        let milliseconds = (seconds * Rational(1000)).rounded()
        let fraction = String(milliseconds % 1000 + 1000).dropFirst()
        return "\(milliseconds / 1000).\(fraction) s"
    }
}

extension FrameChoice {
    /// For the plan; empty where every frame is shown once.
    fileprivate var text: String {
        (dropped > 0 ? ", \(dropped) left out" : "") + (repeated > 0 ? ", \(repeated) shown again" : "")
    }
}

extension VideoInfo {
    /// Which part of the clip is used, where it isn't all of it.
    package var trimText: String {
        if isStill || used == TimeSpan(duration: duration) { return "" }
        return " from \(used.start.decimalText) to \(used.end.decimalText) s"
    }
}
