import FlipBase
import FlipGeometry
import FlipHost
import FlipMedia

/// A plan as a filter graph for the stock ffmpeg command with the frei0r plugin `fliptransition_stack`.
///
/// Every clip is conformed to the output's frames and cut where transitions begin and end. In a transition, each frame
/// of one clip is stacked on that of the other, the plugin draws the transition from the two, and the result is
/// cropped. Then all parts are concatenated. So only the frames of transitions pass through the plugin, which is
/// limited to 8 bits. Audio is cut to the same timeline and crossfaded, to the sample.
package struct FFmpegGraph: Sendable {
    /// The graph's text, for `-filter_complex`.
    package private(set) var text = ""
    /// The labels of the graph's outputs; `audioLabel` is nil if the output has no audio.
    package let videoLabel = "[v]"
    package let audioLabel: String?

    private let plan: RenderPlan
    private var chains: [String] = []

    /// Throws `MediaError` if the plan has something that a filter graph can't do.
    package init(_ plan: RenderPlan) throws(MediaError) {
        self.plan = plan
        audioLabel = plan.audio == nil ? nil : "[a]"
        try FFmpegGraph.check(plan)
        for index in plan.clips.indices { chains.append(try conform(index)) }
        for join in plan.timeline.joins.indices where plan.timeline.joins[join].frames > 0 {
            chains.append(try transition(join))
        }
        chains.append(concatenation())
        if let audio = plan.audio { addSound(audio) }
        text = chains.joined(separator: ";\n")
    }

    private static func check(_ plan: RenderPlan) throws(MediaError) {
        let refused: [(isUsed: Bool, name: String)] = [
            (plan.sounds.contains { $0.join != nil }, "--sound"),
            (plan.sounds.contains { $0.clip == nil }, "sounds beside those of clips"),
            (!plan.fades.isEmpty, "--fade-in and --fade-out"),
            (plan.burned != nil, "--burn-captions"),
            (!plan.overlays.isEmpty, "overlays"),
            (plan.hasCaptions, "--captions and #captions="),
            (plan.loudness != nil, "--loudness"),
            (plan.clips.contains { $0.gain != 0 }, "#volume="),
            (plan.clips.contains { $0.loudness != nil }, "--clip-loudness and #loudness="),
            (plan.clips.contains { $0.motion != nil }, "stills that move"),
            (plan.clips.contains { !$0.films.isEmpty }, "films on slides"),
        ]
        if let first = refused.first(where: \.isUsed) {
            throw MediaError(.usage, "\(first.name) can't be printed as a graph (render it instead)")
        }
        if plan.audioTracks.count > 1 {
            throw MediaError(
                .usage,
                "several audio tracks can't be printed as a graph (choose one with --audio-tracks 1, or render it)"
            )
        }
        if let made = plan.clips.lazy.compactMap({ $0.info?.made }).first {
            throw MediaError(.usage, "what \(made.maker) renders can't be printed as a graph (render it instead)")
        }
        for clip in plan.clips where clip.info?.isConverted == true || clip.video?.changedProfile != nil {
            let reason =
                clip.info?.isConverted == true ? "ffmpeg can't read it" : "ffmpeg can't convert its color profile"
            throw MediaError(.usage, "'\(clip.input.path)' can't be printed as a graph: \(reason) (render it instead)")
        }
        for clip in plan.clips where clip.info == nil || clip.use.timing != nil {
            throw MediaError(
                .usage, "'\(clip.input.path)' can't be printed as a graph: only whole clips and #t= parts can")
        }
    }

    // MARK: Video

    /// The number of frames of clip `index` in the transitions before and after it, and how many of them are copies of
    /// its first or last frame (`freeze`).
    private func overlaps(_ index: Int) -> (head: Int, tail: Int, heldHead: Int, heldTail: Int) {
        let joins = plan.timeline.joins
        let before = index > 0 ? joins[index - 1] : nil
        let after = index < joins.count ? joins[index] : nil
        let (head, tail) = (before?.frames ?? 0, after?.frames ?? 0)
        return (head, tail, before?.overlap.isFrozen == true ? head : 0, after?.overlap.isFrozen == true ? tail : 0)
    }

    /// The filters that conform clip `index` and split it into up to three parts: for the transition before it (h), for
    /// the clip alone (b), and for the transition after it (t).
    private func conform(_ index: Int) throws(MediaError) -> String {
        let clip = plan.clips[index]
        guard let video = clip.video else { preconditionFailure("only files are printed as graphs") }
        let (head, tail, heldHead, heldTail) = overlaps(index)
        let frames = plan.timeline.clips[index].frames
        let rate = plan.video.frameRate
        // Times count from the first used frame. The filter fps picks the nearest frame in time for each output frame.
        let origin = video.isStill ? Rational.zero : clip.input.usedStart
        var filters = video.isStill ? [] : ["setpts=PTS-\(origin.nanosecondText)/TB"]
        filters += clip.conform.deinterlacing(of: video)
        filters += ["fps=\(rate):start_time=0", "tpad=stop_mode=clone:stop=-1", "trim=end_frame=\(frames)"]
        let conforming = try clip.conform.filters(from: video, path: clip.input.path)
        filters += conforming + FFmpegGraph.keepingFullRange(clip.conform, after: conforming) + ["setsar=1"]
        if heldHead + heldTail > 0 {
            filters.append("tpad=start_mode=clone:start=\(heldHead):stop_mode=clone:stop=\(heldTail)")
        }
        let total = frames + heldHead + heldTail
        let parts = [
            ("h", 0..<head), ("b", head..<(total - tail)), ("t", (total - tail)..<total),
        ].filter { !$0.1.isEmpty }
        let source = "[\(index):\(video.streamIndex)]" + filters.joined(separator: ",")
        if parts.count == 1 { return "\(source)[\(parts[0].0)\(index)]" }
        let labels = parts.map { "[\($0.0)\(index)s]" }.joined()
        let cuts = parts.map { name, range in
            "[\(name)\(index)s]trim=start_frame=\(range.lowerBound):end_frame=\(range.upperBound),"
                + "setpts=PTS-STARTPTS[\(name)\(index)]"
        }
        return (["\(source),split=\(parts.count)\(labels)"] + cuts).joined(separator: ";\n")
    }

    /// The filters that give frames of full range a format that doesn't imply it, if `filters` don't scale them.
    ///
    /// Decoders return such frames as yuvj420p and the like. Where these meet yuv420p, which is how all other clips arrive,
    /// FFmpeg 5.1 converts them by itself, to limited range.
    private static func keepingFullRange(_ conform: VideoConform, after filters: [String]) -> [String] {
        let format = conform.pixelFormat
        guard conform.color.isFullRange == true, !format.isRGB, format.depth == 8,
            !filters.contains(where: { $0.hasPrefix("scale=") })
        else { return [] }
        return ["scale=in_range=full:out_range=full", "format=\(format)"]
    }

    /// The filters that draw the transition after clip `join`.
    private func transition(_ join: Int) throws(MediaError) -> String {
        guard let look = plan.transitions[join].look else { throw MediaError(.internalFault, "a cut has frames") }
        if look.look.shutter > 0 {
            throw MediaError(
                .usage, "the filter doesn't know how long a frame is, so it has no shutter (render it instead)")
        }
        if let gesture = plan.transitions[join].gesture {
            throw MediaError(.usage, "the filter can't follow the gesture \(gesture.path) (give an easing instead)")
        }
        let frames = plan.timeline.joins[join].frames
        let (width, height) = (plan.video.width, plan.video.height)
        let (there, back) = plan.clips[0].conform.packing
        // If rows are padded in memory, FFmpeg 5.1 passes the padding to frei0r plugins, and no time stamps. Frames
        // whose width is a multiple of 64 have no such padding.
        let frameWidth = (width + 63) / 64 * 64
        // Frame i of n shows the transition at progress (i + 1) / (n + 1).
        let step = plan.video.frameRate.inverse
        let parameters: [String]
        do throws(OptionError) {
            parameters = try HostSettings(
                look, background: plan.background(of: look), width: width, height: height, frameWidth: frameWidth,
                offset: "-" + step.nanosecondText, duration: (step * Rational(frames + 1)).nanosecondText
            ).filterParameters
        } catch {
            throw MediaError(.usage, error.description)
        }
        let list = FFmpegGraph.escaped(parameters.joined(separator: "|"))
        let padding = frameWidth == width ? [] : ["pad=\(frameWidth):\(height)"]
        let pack = (there + padding).joined(separator: ",")
        return """
            [t\(join)]\(pack)[t\(join)p];
            [h\(join + 1)]\(pack)[h\(join + 1)p];
            [t\(join)p][h\(join + 1)p]vstack,frei0r=filter_name=fliptransition_stack:filter_params=\(list),\
            crop=\(width):\(height):0:0,\(back.joined(separator: ",")),setsar=1[x\(join)]
            """
    }

    private func concatenation() -> String {
        var labels: [String] = []
        for segment in plan.timeline.segments {
            switch segment {
            case .clip(let index, _), .copy(let index, _):
                if labels.last != "[b\(index)]" { labels.append("[b\(index)]") }
            case .transition(let join, _): labels.append("[x\(join)]")
            }
        }
        let rate = plan.video.frameRate
        let end = "settb=\(rate.inverse),setpts=N\(videoLabel)"
        if labels.count == 1 { return "\(labels[0])\(end)" }
        return "\(labels.joined())concat=n=\(labels.count):v=1:a=0,\(end)"
    }

    // MARK: Audio

    private mutating func addSound(_ audio: AudioEncoding) {
        let timeline = plan.timeline
        let sample = { [plan] (frame: Int) in plan.sample(atFrame: frame, of: audio) }
        let form = "aformat=sample_fmts=fltp:sample_rates=\(audio.sampleRate):channel_layouts=\(audio.layout)"
        for (index, clip) in timeline.clips.enumerated() {
            // If the next clip begins later, as with `freeze`, silence fills the gap.
            let isLast = index + 1 == timeline.clips.count
            let end = isLast ? clip.end : max(clip.end, timeline.clips[index + 1].start)
            let heard = sample(clip.end) - sample(clip.start)
            let length = sample(end) - sample(clip.start)
            chains.append(
                "\(soundSource(index, audio)),\(form),apad,atrim=end_sample=\(heard),apad,atrim=end_sample=\(length),"
                    + "asetpts=N/SR/TB[s\(index)]")
        }
        var label = "[s0]"
        for index in timeline.joins.indices {
            let isLast = index + 1 == timeline.joins.count
            let next = isLast ? audioLabel ?? "" : "[m\(index)]"
            let first = sample(timeline.clips[index + 1].start)
            let overlap = sample(timeline.clips[index].end) - first
            let change = change(join: index, overlap: overlap, middle: first + overlap / 2)
            chains.append("\(label)\(change.before)[s\(index + 1)]\(change.after)\(next)")
            label = next
        }
        if timeline.joins.isEmpty { chains.append("\(label)anull\(audioLabel ?? "")") }
    }

    /// The audio of clip `index` from its first used frame on, or silence.
    private func soundSource(_ index: Int, _ audio: AudioEncoding) -> String {
        let clip = plan.clips[index]
        guard let sound = clip.input.audio, plan.sounds.contains(where: { $0.clip == index }) else {
            return "anullsrc=r=\(audio.sampleRate):cl=\(audio.layout)"
        }
        let origin = clip.input.usedStart
        // ffmpeg drops the fraction of a time, which would be a sample more or less where a part begins between two.
        return "[\(index):\(sound.streamIndex)]asetpts=round(PTS-\(origin.nanosecondText)/TB),"
            + "aresample=\(audio.sampleRate):async=1:first_pts=0"
    }

    /// The filters that change over from one audio stream to the next, which overlap by `overlap` samples: the text
    /// between the labels of the two, and the text after them.
    /// - Parameters:
    ///   - join: the join's index.
    ///   - middle: the first stream's sample in the middle of the overlap.
    private func change(join: Int, overlap: Int, middle: Int) -> (before: String, after: String) {
        guard overlap > 0 else { return ("", "concat=n=2:v=0:a=1") }
        switch plan.audioCurve {
        case .equalPower: return ("", "acrossfade=ns=\(overlap):c1=qsin:c2=qsin")
        case .linear: return ("", "acrossfade=ns=\(overlap):c1=tri:c2=tri")
        case .none:
            return (
                "atrim=end_sample=\(middle)[k\(join)];\n",
                "atrim=start_sample=\(overlap / 2),asetpts=N/SR/TB[l\(join)];\n[k\(join)][l\(join)]concat=n=2:v=0:a=1"
            )
        }
    }

    // MARK: Text

    /// `text` as a value in a graph, with the characters that separate filters and options escaped.
    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "\\':,;[]".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}
