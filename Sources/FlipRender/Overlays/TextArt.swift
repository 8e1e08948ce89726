import FlipBase
import FlipFiles
import FlipGeometry
import FlipMedia
import FlipRaster
import FlipSamples

/// The pictures of a text, which libass draws. Where the text differs between clips, each distinct one is drawn when it
/// is first needed.
final class TextArt: Sendable {
    /// The distinct texts, and which of them each clip has.
    let texts: [String]
    let textOfClip: [Int]
    private let spec: OverlaySpec
    private let frames: VideoConform
    private let state = Mutex<State>(State())

    private struct State {
        var painter: TextPainter?
        /// The pictures that were made last, by the index of their text.
        var made: [(index: Int, picture: OverlayPicture?)] = []
    }

    /// The number of pictures that are kept: those of the two clips of a transition.
    private static let kept = 2

    /// - Parameters:
    ///   - text: the text with its braces.
    ///   - frames: the form of the frames that it is drawn over.
    /// - Throws: `missingCodec` if this FFmpeg can't draw text.
    init(_ text: String, _ spec: OverlaySpec, labels: [ClipLabel], over frames: VideoConform) throws(MediaError) {
        try CaptionFilter.check()
        var texts: [String] = []
        var indices: [String: Int] = [:]
        textOfClip = labels.map { label in
            let filled = String(OverlayWord.fill(text, label).prefix(OverlaySpec.longestText))
            if let index = indices[filled] { return index }
            indices[filled] = texts.count
            texts.append(filled)
            return texts.count - 1
        }
        (self.texts, self.spec, self.frames) = (texts, spec, frames)
    }

    /// The picture of text `index`; nil if it shows nothing, as where a clip has no title.
    func picture(_ index: Int) throws(MediaError) -> OverlayPicture? {
        try state.withLock { (state) throws(MediaError) in
            if let known = state.made.first(where: { $0.index == index }) { return known.picture }
            let painter: TextPainter
            if let known = state.painter {
                painter = known
            } else {
                painter = try TextPainter(texts, spec, over: frames)
            }
            state.painter = painter
            let picture = try painter.picture(index)
            state.made = state.made.suffix(Self.kept - 1) + [(index, picture)]
            return picture
        }
    }
}

/// Draws texts as masks, in white on black frames, and colors them. Texts without a box have an outline.
private final class TextPainter {
    private let spec: OverlaySpec
    private let frames: VideoConform
    private let filter: CaptionFilter
    private let blank: VideoFrame
    /// The texts as libass reads them: each is an event of its own second, and its box or outline one of another.
    private let script: NamelessFile

    /// The opacity of the box behind a text.
    private static let boxOpacity = 0.7

    init(_ texts: [String], _ spec: OverlaySpec, over frames: VideoConform) throws(MediaError) {
        (self.spec, self.frames) = (spec, frames)
        script = try NamelessFile()
        try script.append(Array(Self.script(texts, spec, frames).utf8))
        filter = CaptionFilter([(script.location, nil)], threads: 1)
        var black = frames
        black.pixelFormat = .planarRGB(depth: 8)
        black.color = ColorDescription()
        black.color.matrix = "gbr"
        black.color.isFullRange = true
        black.background = (0, 0, 0)
        blank = try black.blankFrame()
    }

    /// The picture of text `index`; nil if nothing is seen of it.
    func picture(_ index: Int) throws(MediaError) -> OverlayPicture? {
        let text = try mask(event: 2 * index)
        let behind = try mask(event: 2 * index + 1)
        guard let shown = seen(behind) else { return nil }
        let bounds = inWholeSamples(shown)
        let ink = frames.colors.samples(red: spec.color.red, green: spec.color.green, blue: spec.color.blue)
        let shade = hasLightOutline ? 1.0 : 0
        let paper = frames.colors.samples(red: shade, green: shade, blue: shade)
        var cover: [UInt16] = []
        var planes = [[UInt16]](repeating: [], count: ink.count)
        let (letters, edges) = (text.plane(0), behind.plane(0))
        for y in bounds.y..<bounds.y + bounds.height {
            let front = (letters.base + y * letters.stride).assumingMemoryBound(to: UInt8.self)
            let edge = (edges.base + y * edges.stride).assumingMemoryBound(to: UInt8.self)
            for x in bounds.x..<bounds.x + bounds.width {
                let letter = Double(front[x]) / 255 * spec.color.alpha
                // Behind all lines there is one box, however long each of them is.
                let box = shown.contains(x, y) ? Self.boxOpacity : 0
                let rest = (spec.hasBox ? box : Double(edge[x]) / 255 * spec.color.alpha) * (1 - letter)
                let all = letter + rest
                cover.append(UInt16((all * spec.opacity * 65535).rounded()))
                for plane in ink.indices {
                    let mixed = all > 0 ? (Double(ink[plane]) * letter + Double(paper[plane]) * rest) / all : 0
                    planes[plane].append(UInt16(mixed.rounded()))
                }
            }
        }
        let raster = OverlayRaster(
            x: bounds.x, y: bounds.y, width: bounds.width, height: bounds.height, samples: planes, cover: cover)
        return OverlayPicture(raster, PictureFormat(frames), frame: (frames.width, frames.height))
    }

    /// Whether the letters are dark, so that their outline is white rather than black.
    private var hasLightOutline: Bool {
        let color = spec.color
        return !spec.hasBox && 0.2126 * color.red + 0.7152 * color.green + 0.0722 * color.blue < 0.5
    }

    /// What libass draws of event `event`.
    private func mask(event: Int) throws(MediaError) -> VideoFrame {
        try filter.draw(over: blank, at: event * 1000 + 500)
    }

    /// The smallest rectangle around what is drawn in `mask`; nil if nothing is.
    private func seen(_ mask: VideoFrame) -> OverlayBox? {
        let (base, stride) = mask.plane(0)
        var (left, right, top, bottom) = (mask.width, 0, mask.height, 0)
        for y in 0..<mask.height {
            let line = (base + y * stride).assumingMemoryBound(to: UInt8.self)
            guard let first = (0..<mask.width).first(where: { line[$0] > 0 }),
                let last = (0..<mask.width).last(where: { line[$0] > 0 })
            else { continue }
            (left, right) = (min(left, first), max(right, last + 1))
            (top, bottom) = (min(top, y), max(bottom, y + 1))
        }
        return left < right ? OverlayBox(x: left, y: top, width: right - left, height: bottom - top) : nil
    }

    /// The same rectangle, beginning at a whole number of chroma samples.
    private func inWholeSamples(_ box: OverlayBox) -> OverlayBox {
        let (stepX, stepY) = (frames.pixelFormat.chromaStepX, frames.pixelFormat.chromaStepY)
        let (left, top) = (box.x / stepX * stepX, box.y / stepY * stepY)
        return OverlayBox(x: left, y: top, width: box.x + box.width - left, height: box.y + box.height - top)
    }
}

extension TextPainter {
    /// The texts as a script whose events follow each other by the second.
    private static func script(_ texts: [String], _ spec: OverlaySpec, _ frames: VideoConform) -> String {
        let size = max(spec.size.pixels(of: frames.height), 1)
        let padding = spec.hasBox ? max(size / 4, 1) : 0
        let margin = spec.margin.pixels(of: min(frames.width, frames.height)) + padding
        // The numbers of the keys on a keypad.
        let alignment = 1 + Int(spec.place.x * 2) + 3 * Int(2 - spec.place.y * 2)
        // Letters are readable on any picture if they have an outline of the opposite brightness.
        let outline = max(Double(size) / 16, 1)
        // With the encoding -1, libass begins each paragraph at the side where its script does.
        let style = { (name: String, border: Int, width: Double) in
            "Style: \(name),\(spec.font ?? "Sans"),\(size),&H00FFFFFF,&H00FFFFFF,&H00FFFFFF,&H00FFFFFF,0,0,0,0,100,100,0,0,"
                + "\(border),\(width),0,\(alignment),\(margin),\(margin),\(margin),-1\n"
        }
        var script = """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: \(frames.width)
            PlayResY: \(frames.height)
            WrapStyle: 0
            ScaledBorderAndShadow: yes

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
            Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, \
            MarginV, Encoding

            """
        script +=
            style("Text", 1, 0) + (spec.hasBox ? style("Behind", 3, Double(padding)) : style("Behind", 1, outline))
        script += "\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
        for (index, text) in texts.enumerated() {
            let line = escaped(text)
            for (event, name) in [(2 * index, "Text"), (2 * index + 1, "Behind")] {
                let times = [event, event + 1].map { SubtitleClock.text($0 * 1000, point: ".", digits: 2) }
                script += "Dialogue: 0,\(times[0]),\(times[1]),\(name),,0,0,0,,\(line)\n"
            }
        }
        return script
    }

    /// `text` without characters that mean something to libass.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\\u{2060}"
            case "{": result += "\\{"
            case "}": result += "\\}"
            case _ where character.isNewline: result += "\\N"
            case _ where character.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }): break
            default: result.append(character)
            }
        }
    }
}
