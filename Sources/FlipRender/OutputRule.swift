import FlipBase
import FlipFiles
import FlipMedia

/// The rule by which one output's properties follow from inputs that differ, where no option sets them. This is its only
/// home; docs/OUTPUT.md describes it for users.
///
/// - Size, frame rate, pixel format, color and codec are those of the film that is shown longest, or of the picture if there
///   are only pictures; `LikeChoice` names another. With copied frames, they are those of a film of the form that most of them
///   have: `OutputForm`. Among slides, documents and photos outrank films: `SlideRule`.
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
    /// The input that the output is like in its size or rate; nil if options decide both.
    var likeIndex: Int? {
        if case .input(let index) = deciders.size { return index }
        if case .input(let index) = deciders.frameRate { return index }
        return nil
    }
    /// The formats of all inputs.
    private let formats: [PixelFormat]

    /// - Parameters:
    ///   - times: how long each input is shown, in units of their own.
    ///   - members: those whose form copied frames have, of which one decides if no other is asked for; empty for all.
    /// - Throws: `badInput` if no input shows anything, `usage` if there is no such input as the output is to be like.
    init(
        _ sources: [InputClip.Source], shownFor times: [Rational], _ settings: OutputSettings, among members: [Int] = []
    ) throws(MediaError) {
        var shown: [(index: Int, video: VideoInfo)] = []
        for (index, source) in sources.enumerated() {
            if let video = try Planner.video(source) { shown.append((index, video)) }
        }
        guard !shown.isEmpty else { throw MediaError(.badInput, "the timeline shows nothing: it consists of gaps") }
        let allFilms = shown.filter { !$0.video.isStill }
        // What another program makes from the films has lost what they say of themselves.
        let ownFilms = allFilms.filter { sources[$0.index].info?.made == nil }
        let films = ownFilms.isEmpty ? allFilms : ownFilms
        let choice = settings.slides == nil ? settings.like ?? .longest : .first
        let alike = settings.like == nil ? films.filter { members.contains($0.index) } : []
        let like = try Self.index(choice, among: !alike.isEmpty ? alike : films.isEmpty ? shown : films, sources, times)
        let model = settings.slides?.model(of: shown) ?? shown.first { $0.index == like } ?? shown[0]
        (filmIndex, film) = films.first { $0.index == like } ?? films.first ?? model
        picture = model.video
        formats = shown.map(\.video.pixelFormat)
        deciders = OutputDeciders(
            size: settings.slides.map(\.sizeDecider)
                ?? (settings.size == nil && settings.width == nil ? .input(model.index) : .option),
            frameRate: settings.slides.map(\.rateDecider)
                ?? (settings.frameRate == nil ? .input(model.index) : .option),
            pixelFormat: settings.pixelFormat == nil ? .input(model.index) : .option, color: .input(model.index))
    }

    /// The index of the input that `choice` names.
    private static func index(
        _ choice: LikeChoice, among shown: [(index: Int, video: VideoInfo)], _ sources: [InputClip.Source],
        _ times: [Rational]
    ) throws(MediaError) -> Int {
        switch choice {
        case .first: return shown[0].index
        case .longest:
            // How long a clip that is still coming in lasts is not known.
            if sources.first?.live != nil { return shown[0].index }
            var whole: [String: Rational] = [:]
            for (index, _) in shown {
                whole[sources[index].path] = (whole[sources[index].path] ?? .zero) + times[index]
            }
            // Clips that differ by some frames count as equally long.
            let least = (whole.values.max() ?? .zero) - Rational(1, 10)
            return shown.first { whole[sources[$0.index].path] ?? .zero >= least }?.index ?? shown[0].index
        case .number(let number):
            guard sources.indices.contains(number - 1), sources[number - 1].video != nil else {
                throw MediaError(
                    .usage,
                    "there is no input \(number) for --like (expected \(sources.count == 1 ? "1" : "1...\(sources.count)"))"
                )
            }
            return number - 1
        case .file(let path):
            let real = Files.realPath(path) ?? path
            guard
                let index = sources.firstIndex(where: {
                    $0.video != nil && (Files.realPath($0.path) ?? $0.path) == real
                })
            else {
                throw MediaError(.usage, "'\(path)' is not among the inputs (--like takes an input's file or number)")
            }
            return index
        }
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
