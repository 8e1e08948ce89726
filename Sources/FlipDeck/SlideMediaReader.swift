import FlipBase
import FlipFiles
import Foundation

/// Reads where a PowerPoint slide shows films and sounds, and how it plays them: pictures with media (ECMA-376 19.3.1.37,
/// 20.1.3) and the media nodes of its timing (19.5.5, 19.5.24, 19.5.93).
final class SlideMediaReader: XMLVisitor {
    /// A picture that stands for a film or sound.
    struct Picture {
        /// The shape's ID, which the timing refers to.
        var shape = ""
        /// The relationship to the file as programs before 2010 know it, and the one to the embedded file since then.
        var link: String?
        var embedded: String?
        var isFilm = false
        var use = MediaUse()
    }

    /// What the timing says of a shape's film or sound.
    private struct Node {
        var isNarration = false
        var isMuted = false
        var isHiddenWhileStopped = false
        var slides = 1
    }

    private(set) var pictures: [Picture] = []
    private var nodes: [String: Node] = [:]
    /// The shapes whose media start by themselves.
    private var started: Set<String> = []

    private var picture: (depth: Int, picture: Picture)?
    /// The groups around the current element, the innermost last.
    private var groups: [(depth: Int, space: GroupSpace)] = []
    private var isGroupFrame = false
    private var node: (depth: Int, node: Node)?
    /// The effect that starts a film or sound, and whether it comes without a click.
    private var effect: (depth: Int, isAutomatic: Bool)?

    /// The maximum number of pictures with media that are read of a slide.
    private static let most = 100
    /// EMU per point (ECMA-376 20.1.10.16).
    private static let point = 12700.0

    /// Whether the sound of a picture is a recorded narration: PowerPoint says so, or the sound starts by itself on this
    /// slide alone, and its picture isn't seen while it doesn't play.
    func isNarration(_ picture: Picture) -> Bool {
        guard !picture.isFilm, let node = nodes[picture.shape] else { return false }
        return node.isNarration
            || node.isHiddenWhileStopped && node.slides == 1 && started.contains(picture.shape)
    }

    /// The picture's use, with what the timing says of it.
    func use(of picture: Picture) -> MediaUse {
        var use = picture.use
        use.shape = picture.shape
        if let node = nodes[picture.shape] { (use.isMuted, use.slides) = (node.isMuted, node.slides) }
        return use
    }

    func begin(_ element: XMLElement) {
        switch element.name {
        case "grpSp": groups.append((element.depth, GroupSpace()))
        case "grpSpPr": isGroupFrame = true
        case "pic" where picture == nil: picture = (element.depth, Picture())
        case "audio", "video":
            node = (element.depth, Node())
            node?.node.isNarration = Self.isTrue(element["isNarration"])
        case "cMediaNode" where node != nil: read(node: element)
        case "cTn" where element["presetClass"] == "mediacall":
            effect = (element.depth, element["nodeType"] != "clickEffect")
        case "spTgt": note(target: element["spid"] ?? "")
        default:
            if isGroupFrame, !groups.isEmpty {
                groups[groups.count - 1].space.read(element)
            } else if picture != nil {
                read(element)
            }
        }
    }

    private func read(node element: XMLElement) {
        node?.node.isMuted = Self.isTrue(element["mute"])
        node?.node.isHiddenWhileStopped = ["0", "false"].contains(element["showWhenStopped"])
        node?.node.slides = min(max(element["numSld"].flatMap(Int.init) ?? 1, 1), PDFDeck.maximumPages)
    }

    private func note(target shape: String) {
        if let node, nodes.count < Self.most { nodes[shape] = node.node }
        if effect?.isAutomatic == true, started.count < Self.most { started.insert(shape) }
    }

    /// Reads an element of a picture.
    private func read(_ element: XMLElement) {
        switch element.name {
        case "cNvPr": picture?.picture.shape = element["id"] ?? ""
        case "videoFile", "quickTimeFile", "audioFile", "wavAudioFile":
            let isEmbedded = element.name == "wavAudioFile"
            picture?.picture.link = element.attribute(isEmbedded ? "embed" : "link", in: "/relationships")
            picture?.picture.isFilm = ["videoFile", "quickTimeFile"].contains(element.name)
        case "media" where element.space.hasSuffix("/powerpoint/2010/main"):
            picture?.picture.embedded = element.attribute("embed", in: "/relationships")
        case "trim" where element.space.hasSuffix("/powerpoint/2010/main"):
            picture?.picture.use.head = Self.milliseconds(element["st"])
            picture?.picture.use.tail = Self.milliseconds(element["end"])
        case "srcRect":
            let sides = ["l", "t", "r", "b"].compactMap { element[$0].flatMap(Int.init) }
            if sides.contains(where: { $0 != 0 }) { picture?.picture.use.isCropped = true }
        case "xfrm": if GroupSpace.isTurned(element) { picture?.picture.use.isTurned = true }
        case "off":
            picture?.picture.use.frame.x = GroupSpace.length(element["x"])
            picture?.picture.use.frame.y = GroupSpace.length(element["y"])
        // Extensions are elements of this name, too.
        case "ext" where element["cx"] != nil:
            picture?.picture.use.frame.width = GroupSpace.length(element["cx"])
            picture?.picture.use.frame.height = GroupSpace.length(element["cy"])
        default: break
        }
    }

    func end(_ name: String, depth: Int) {
        if name == "grpSpPr" { isGroupFrame = false }
        if node?.depth == depth { node = nil }
        if effect?.depth == depth { effect = nil }
        if let (start, ended) = picture, start == depth {
            add(ended)
            picture = nil
        }
        if groups.last?.depth == depth { groups.removeLast() }
    }

    private func add(_ ended: Picture) {
        var ended = ended
        guard ended.link != nil || ended.embedded != nil, pictures.count < Self.most,
            // The same shape comes twice where there is one form for newer programs and one for older ones.
            !pictures.contains(where: { $0.shape == ended.shape })
        else { return }
        for (_, space) in groups.reversed() {
            ended.use.frame = space.outer(ended.use.frame)
            if space.isTurned { ended.use.isTurned = true }
        }
        let frame = ended.use.frame
        ended.use.frame = MediaUse.Frame(
            x: frame.x / Self.point, y: frame.y / Self.point, width: frame.width / Self.point,
            height: frame.height / Self.point)
        pictures.append(ended)
    }

    fileprivate static func isTrue(_ text: String?) -> Bool { ["1", "true"].contains(text) }

    /// Milliseconds as seconds; 0 if there are none, or more than a day of them.
    private static func milliseconds(_ text: String?) -> Rational {
        guard let value = text.flatMap(Double.init), value > 0, value < 86_400_000 else { return .zero }
        return Rational(Int((value * 1000).rounded()), 1_000_000)
    }
}

/// The coordinates within a group of shapes, and the rectangle that they have around it (ECMA-376 20.1.7.5), in EMU.
private struct GroupSpace {
    private var inner = MediaUse.Frame()
    private var own = MediaUse.Frame()
    private(set) var isTurned = false

    /// Reads an element of the group's frame.
    mutating func read(_ element: XMLElement) {
        switch element.name {
        case "xfrm": isTurned = Self.isTurned(element)
        case "off": (own.x, own.y) = (Self.length(element["x"]), Self.length(element["y"]))
        case "ext" where element["cx"] != nil:
            (own.width, own.height) = (Self.length(element["cx"]), Self.length(element["cy"]))
        case "chOff": (inner.x, inner.y) = (Self.length(element["x"]), Self.length(element["y"]))
        case "chExt": (inner.width, inner.height) = (Self.length(element["cx"]), Self.length(element["cy"]))
        default: break
        }
    }

    /// The rectangle `frame` in the coordinates around the group.
    func outer(_ frame: MediaUse.Frame) -> MediaUse.Frame {
        guard inner.width > 0, inner.height > 0, own.width > 0, own.height > 0 else { return frame }
        let (scaleX, scaleY) = (own.width / inner.width, own.height / inner.height)
        return MediaUse.Frame(
            x: own.x + (frame.x - inner.x) * scaleX, y: own.y + (frame.y - inner.y) * scaleY,
            width: frame.width * scaleX, height: frame.height * scaleY)
    }

    /// Whether a frame is turned or mirrored.
    static func isTurned(_ element: XMLElement) -> Bool {
        // Angles are in 60,000ths of a degree.
        (element["rot"].flatMap(Int.init) ?? 0) % 21_600_000 != 0 || SlideMediaReader.isTrue(element["flipH"])
            || SlideMediaReader.isTrue(element["flipV"])
    }

    /// A length or coordinate; 0 if it is none, or beyond what the standard allows.
    static func length(_ text: String?) -> Double {
        guard let value = text.flatMap(Int.init), abs(value) <= 27_273_042_316_900 else { return 0 }
        return Double(value)
    }
}
