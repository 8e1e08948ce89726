import FlipBase
import FlipMedia

/// Warns of inputs that are better than the output, so that some of what they have is lost. What an option asks for
/// needs no warning. See `OutputRule` for what decides.
extension Planner {
    /// A film is worth a warning if it has so many times the pixels of the output.
    private static let largerBy = Rational(11, 10)
    /// The same for frames per second. 30 to 25 is below it: one frame of six is lost.
    private static let fasterBy = Rational(4, 3)
    /// At a film's own rate, so many of its frames may be left out without a warning.
    private static let droppedShare = Rational(3, 100)
    /// The number of inputs that a warning names.
    private static let maxNames = 3

    /// Warns of films that are shown for a second or longer and have a larger picture, more frames, a greater depth or
    /// transparency.
    mutating func warnOfReductions(
        _ clips: [RenderPlan.Clip], _ encoding: VideoEncoding, like rule: OutputRule
    ) throws(MediaError) {
        if settings.isStill { return }
        if settings.videoCodec == nil, encoding.color.isHDR, Encoders.codec(of: encoding.codec ?? "") == "h264" {
            try warn(
                "the output is HDR in H.264, which hardly any player shows (--video-codec chooses another encoder)")
        }
        let films = clips.filter { !$0.input.isStill && $0.use.span.duration >= OutputRule.leastTime }
        let isSmall = settings.presetFor?.isSmall ?? false
        if rule.deciders.size != .option, !isSmall {
            let shown = encoding.form.shown(width: encoding.width, height: encoding.height)
            let area = Rational(shown.width * shown.height) * Self.largerBy
            try warn(
                of: films.filter { $0.video.map { Rational($0.displayWidth * $0.displayHeight) > area } ?? false },
                "\(shown.width)x\(shown.height) pixels", "--size"
            ) { "\($0.displayWidth)x\($0.displayHeight)" }
        }
        if rule.deciders.frameRate != .option, !isSmall {
            try warn(
                of: films.filter { clip in
                    clip.use.runsAtSpeed
                        && clip.video.map { $0.frameRate >= encoding.frameRate * Self.fasterBy } ?? false
                },
                "\(encoding.frameRate.decimalText) frames per second", "--fps"
            ) { $0.frameRate.decimalText }
            try warnOfUnevenFrames(films, encoding.frameRate)
        }
        if settings.pixelFormat == nil {
            // What the codec can't have is not warned of in the input that decides.
            let depth = max(encoding.pixelFormat.depth, rule.picture.pixelFormat.depth)
            try warn(
                of: films.filter { clip in
                    clip.video.map { $0.pixelFormat.depth > depth && !clip.conform.changesDynamicRange(of: $0) }
                        ?? false
                },
                "\(encoding.pixelFormat.depth) bits per component", "--pix-fmt"
            ) { "\($0.pixelFormat.depth)" }
            try warnOfAlpha(films, encoding)
        }
    }

    /// Warns of films whose frames come too unevenly for the output's rate, although that is no lower than their own.
    private mutating func warnOfUnevenFrames(_ films: [RenderPlan.Clip], _ rate: Rational) throws(MediaError) {
        let lost = films.compactMap { clip -> String? in
            guard let video = clip.video, let times = video.unevenTimes, video.frameRate <= rate,
                let choice = clip.input.choice(slots: (clip.use.span.duration * rate).rounded(), rate: rate),
                Rational(choice.dropped) > Rational(times.count) * Self.droppedShare
            else { return nil }
            return "\(clip.name) (\(choice.dropped) of \(times.count))"
        }
        guard !lost.isEmpty else { return }
        try warn(
            "\(Self.names(lost)): frames are left out, because they come too close together for \(rate.decimalText) frames per "
                + "second (--fps chooses another rate)")
    }

    /// Warns of films whose transparency is lost. Pictures and animations often have an alpha channel without using it.
    private mutating func warnOfAlpha(_ films: [RenderPlan.Clip], _ encoding: VideoEncoding) throws(MediaError) {
        if encoding.pixelFormat.hasAlpha || settings.background != nil { return }
        let lost = films.filter { $0.video.map { $0.pixelFormat.hasAlpha && !$0.isAnimatedPicture } ?? false }
        guard !lost.isEmpty else { return }
        try warn(
            "\(Self.names(lost.map(\.name))): transparent parts become black, since the output has no transparency "
                + "(--preset-for edit or --video-codec prores_ks in a mov keeps it, --background sets another color)")
    }

    /// Warns of sounds that are heard for a second or longer and have more channels than the track.
    mutating func warnOfChannels(_ heard: [PlacedSound], _ encoding: AudioEncoding) throws(MediaError) {
        guard settings.audioLayout == nil, let channels = Encoders.channels(in: encoding.layout) else { return }
        let reduced = heard.filter {
            $0.join == nil && $0.span.duration >= OutputRule.leastTime && ($0.info.audio?.channels ?? 0) > channels
        }
        guard let first = reduced.first?.info.audio else { return }
        try warn(
            "\(Self.names(reduced.map(\.name))): the audio is reduced from \(first.layout) to \(encoding.layout) "
                + "(--audio-layout chooses the channels)")
    }

    /// - Parameters:
    ///   - limit: what the output has.
    ///   - value: what a film has instead.
    private mutating func warn(
        of clips: [RenderPlan.Clip], _ limit: String, _ option: String, _ value: (VideoInfo) -> String
    ) throws(MediaError) {
        guard !clips.isEmpty else { return }
        let names = clips.compactMap { clip in clip.video.map { "\(clip.name) (\(value($0)))" } }
        try warn("\(Self.names(names)): reduced to \(limit) (\(option) chooses what the output has)")
    }

    /// Several names in a sentence, each once.
    private static func names(_ all: [String]) -> String {
        let names = all.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let rest = names.count > maxNames ? " and \(names.count - maxNames) more" : ""
        return names.prefix(maxNames).joined(separator: ", ") + rest
    }
}
