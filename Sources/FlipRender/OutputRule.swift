import FlipBase
import FlipMedia

/// The rule by which one output's properties follow from inputs that differ, where no option sets them. This is its only
/// home; docs/OUTPUT.md describes it for users.
///
/// - Size, frame rate, pixel format, color and codec are those of the first film, or of the first picture if there are
///   only pictures. With copied frames, that is the first film of the form that most of them have: `OutputForm`. Among slides, documents and photos outrank films: `SlideRule`.
/// - Audio has the highest sample rate of what is heard for a second or longer, and at least 44.1 kHz unless
///   everything has less. Its channels are those of the first sound, but stereo rather than mono if a later one has
///   more channels.
/// - With a preset that keeps everything (`archive`), the depth, the chroma, the sample rate and the channels are the
///   best of all inputs.
package struct OutputRule {
    /// The least time in seconds for which something is shown or heard that decides the audio rate, or that a warning
    /// mentions where it is reduced.
    static let leastTime = Rational(1)
    /// The sample rate in Hz below which audio gets no better than the best of its sources.
    private static let leastRate = 44_100

    /// The input that decides the size and the rate, the pixel format and the color, and the codec for copying.
    let picture: VideoInfo
    /// The input whose codec an output has that is partly copied.
    let film: VideoInfo
    let filmIndex: Int
    let deciders: OutputDeciders
    /// The formats of all inputs.
    private let formats: [PixelFormat]

    /// Throws `badInput` if no input shows anything.
    /// - Parameter input: the one that takes the place of the first film; nil for that one.
    init(_ sources: [InputClip.Source], _ settings: OutputSettings, following input: Int? = nil) throws(MediaError) {
        var shown: [(index: Int, video: VideoInfo)] = []
        for (index, source) in sources.enumerated() {
            if let video = try Planner.video(source) { shown.append((index, video)) }
        }
        let chosen = input.flatMap { input in shown.first { $0.index == input } }
        guard let first = chosen ?? shown.first(where: { !$0.video.isStill }) ?? shown.first else {
            throw MediaError(.badInput, "the timeline shows nothing: it consists of gaps")
        }
        (filmIndex, film) = first
        let model = settings.slides?.model(of: shown) ?? first
        picture = model.video
        formats = shown.map(\.video.pixelFormat)
        deciders = OutputDeciders(
            size: settings.slides.map(\.sizeDecider)
                ?? (settings.size == nil && settings.width == nil ? .input(model.index) : .option),
            frameRate: settings.slides.map(\.rateDecider)
                ?? (settings.frameRate == nil ? .input(model.index) : .option),
            pixelFormat: settings.pixelFormat == nil ? .input(model.index) : .option, color: .input(model.index))
    }

    /// The encoder of an output for which neither an option nor a copied clip decides: the container's, but HEVC in place of
    /// H.264 for HDR, which hardly any player shows in H.264.
    package static func standardCodec(in container: Container, isHDR: Bool) -> String {
        let suits = container.defaultVideoCodec == "libx264" && container.name != "nut"
        return isHDR && suits && Encoders.codec(of: "libx265") != nil ? "libx265" : container.defaultVideoCodec
    }

    /// The pixel format that the output follows.
    func pixelFormat(keepsBest: Bool) -> PixelFormat {
        keepsBest ? Self.best(of: formats, like: picture.pixelFormat) : picture.pixelFormat
    }

    /// The planar format without alpha that has the greatest depth and the finest chroma of `formats`; `model` itself if
    /// it has both.
    package static func best(of formats: [PixelFormat], like model: PixelFormat) -> PixelFormat {
        let all = formats + [model]
        let depth = all.map(\.depth).max() ?? model.depth
        let colors = all.filter { $0.components != .gray }
        let steps = (x: colors.map(\.chromaStepX).min() ?? 1, y: colors.map(\.chromaStepY).min() ?? 1)
        let isGray = colors.isEmpty
        let hasChroma = isGray || model.components != .gray && (model.chromaStepX, model.chromaStepY) == steps
        if model.depth == depth, hasChroma { return model }
        return PixelFormat(
            name: model.name, components: isGray ? .gray : model.isRGB ? .gbr : .yuv, depth: depth,
            chromaStepX: steps.x,
            chromaStepY: steps.y, hasAlpha: false, isRGB: model.isRGB, isPlanarNative: false, isPaletted: false
        ).nearestPlanar
    }

    /// The sample rate in Hz and the channel layout for what is heard in a track, which is not empty, and which sounds
    /// decide them.
    /// - Parameters:
    ///   - keepsBest: whether the best of all counts, however short.
    ///   - countsAll: whether every sound counts, since the length of the first is not known yet.
    package static func audio(
        _ sounds: [PlacedSound], keepsBest: Bool, countsAll: Bool
    ) -> (rate: Int, layout: String, rateFrom: Decider, layoutFrom: Decider)? {
        let heard = sounds.compactMap { sound in sound.info.audio.map { (sound: sound, audio: $0) } }
        guard let first = heard.first else { return nil }
        let counted = heard.filter { keepsBest || countsAll || $0.sound.span.duration >= leastTime }
        let top = heard.map(\.audio.sampleRate).max() ?? first.audio.sampleRate
        let rate = max(counted.map(\.audio.sampleRate).max() ?? top, min(top, leastRate))
        let model =
            counted.first { $0.audio.sampleRate == rate } ?? heard.first { $0.audio.sampleRate >= rate } ?? first
        let most = heard.max { $0.audio.channels < $1.audio.channels } ?? first
        let rateFrom = decider(model.sound)
        if keepsBest, most.audio.channels > first.audio.channels {
            return (rate, most.audio.layout, rateFrom, decider(most.sound))
        }
        let isMono = first.audio.channels == 1 && most.audio.channels > 1
        return (rate, isMono ? "stereo" : first.audio.layout, rateFrom, decider(isMono ? most.sound : first.sound))
    }

    private static func decider(_ sound: PlacedSound) -> Decider { sound.clip.map(Decider.input) ?? .sound(sound.path) }
}

/// What decided a property of an output.
package enum Decider: Sendable, Hashable {
    /// An input, by its index counted from 0.
    case input(Int)
    /// A sound besides the inputs' own audio, by its path.
    case sound(String)
    /// An option, or the preset that was asked for.
    case option
    /// The default of the container, or of decks.
    case standard
}

/// What decided each property of an output.
package struct OutputDeciders: Sendable {
    var size: Decider
    var frameRate: Decider
    var pixelFormat: Decider
    var color: Decider
    var videoCodec = Decider.standard
    /// Nil if there is no audio.
    var audioRate: Decider?
    var audioLayout: Decider?

    /// The properties by their names in JSON and in text.
    private var rows: [(key: String, name: String, decider: Decider?)] {
        [
            ("size", "size", size), ("frameRate", "frame rate", frameRate),
            ("pixelFormat", "pixel format", pixelFormat), ("color", "color", color),
            ("videoCodec", "codec", videoCodec),
            ("audioRate", "audio rate", audioRate), ("audioLayout", "audio channels", audioLayout),
        ]
    }

    /// The line of the plan's text.
    var text: String {
        var groups: [(decider: Decider, names: [String])] = []
        for row in rows {
            guard let decider = row.decider else { continue }
            if let index = groups.firstIndex(where: { $0.decider == decider }) {
                groups[index].names.append(row.name)
            } else {
                groups.append((decider, [row.name]))
            }
        }
        return "decided by "
            + groups.map { "\($0.decider.text): \($0.names.joined(separator: ", "))" }.joined(separator: "; by ")
    }
}

extension Decider {
    fileprivate var text: String {
        switch self {
        case .input(let index): "input \(index + 1)"
        case .sound(let path): path
        case .option: "options"
        case .standard: "default"
        }
    }
}

extension OutputDeciders: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: NamedKey.self)
        for row in rows { try fields.encodeIfPresent(row.decider, forKey: NamedKey(stringValue: row.key)) }
    }
}

extension Decider: Encodable {
    private enum CodingKeys: CodingKey { case by, input, path }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .input(let index):
            try fields.encode("input", forKey: .by)
            try fields.encode(index, forKey: .input)
        case .sound(let path):
            try fields.encode("sound", forKey: .by)
            try fields.encode(path, forKey: .path)
        case .option: try fields.encode("option", forKey: .by)
        case .standard: try fields.encode("default", forKey: .by)
        }
    }
}
