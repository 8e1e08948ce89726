import FlipBase
import FlipFiles
import FlipGeometry
import FlipRender

/// The look of a `Transition`, from its metadata, else from its name or type if it is known; otherwise a dissolve.
struct OTIOLook {
    var spec: TransitionSpec
    /// A sentence about the transition that the file asks for, if it is not known or has no counterpart; otherwise nil.
    var note: String?

    /// The names that other programs give their transitions, and the spec that comes nearest to each.
    static let names: [(words: [String], spec: String)] = [
        (["dissolve", "crossfade", "crossdissolve", "fade", "filmdissolve", "additivedissolve"], "dissolve"),
        (["fadethroughblack", "fadetoblack", "diptoblack", "diptocolor", "fadetocolor"], "dip"),
        (["fadethroughwhite", "fadetowhite", "diptowhite"], "dip=through=white"),
        (["pagecurl", "pagepeel", "peel", "curl"], "curl"), (["pageturn", "bookcurl", "book"], "curl=mode=book"),
        (["pageflip", "bookflip"], "flip"),
        (["cube", "cubespin", "cuberotate", "prism"], "cube"), (["box", "insidecube", "cubeinside"], "box"),
        (["swing", "swingin", "swingout", "door", "dooropen"], "swing"),
        (["doors", "doorway", "opendoors", "doublelayerdoors"], "doors"),
        (["blinds", "venetianblinds", "venetianblind"], "blinds"),
        (["push"], "push"), (["slide", "movein"], "slide"), (["wipe", "edgewipe", "linearwipe"], "wipe"),
        (["flipover", "cardflip", "spin3d", "3dflip", "flip3d"], "card"),
        (["fold", "foldup", "accordion"], "fold"), (["unfold"], "unfold"), (["closebook"], "spine-fold"),
    ]

    /// The names of transitions that have no counterpart, and the spec that comes nearest to each.
    static let nearest: [(words: [String], spec: String)] = [
        (["whippan"], "push"), (["fadeandmove"], "slide"), (["reveal"], "slide=mode=uncover"),
        (["bandwipe", "radialwipe", "clockwipe", "inset"], "wipe"),
        (["pivot", "fall", "flop", "revolvingdoor"], "swing"),
        (["barndoor", "barndoors", "centersplit", "split", "iris", "irisround", "irisbox", "circle", "zoom"], "doors"),
        (["checker", "checkerboard", "bandslide", "slashslide", "mosaic", "grid", "colorplanes"], "blinds"),
        (["swap", "switch", "twist", "twirl", "spin", "objectflip"], "card"),
        (["objectcube"], "cube"),
        (
            [
                "magicmove", "shimmer", "sparkle", "confetti", "droplet", "drop", "clothesline", "perspective",
                "reflection", "scale", "swoosh", "morphcut", "luma", "composite",
            ], "dissolve"
        ),
    ]

    /// - Parameters:
    ///   - object: a `Transition`.
    ///   - folder: what the path of a transition's sound is relative to.
    /// - Throws: `badInput` if its metadata asks for something that is not a transition.
    init(_ object: JSONText, folder: String) throws(MediaError) {
        if let own = object["metadata"]?["fliptransition"] {
            spec = try OTIOLook.read(own, folder)
            return
        }
        let name = object["name"]?.text ?? ""
        let type = object["transition_type"]?.text ?? ""
        for text in [name, type] {
            if let spec = OTIOLook.known(text, folder) {
                self.spec = spec
                return
            }
            if let spec = OTIOLook.spec(text, in: OTIOLook.nearest) {
                self.spec = spec
                note = object.location.sentence(
                    "transition '\(text.prefix(120))' has no counterpart; \(spec.look?.style.name ?? "a cut") comes nearest and "
                        + "takes its place")
                return
            }
        }
        spec = OTIOLook.dissolve
        // Transitions that come from Final Cut Pro 7 XML all have this type, whatever their name, so they aren't
        // reported.
        if type == "SMPTE_Dissolve" || (type.isEmpty && name.isEmpty) { return }
        let asked = name.isEmpty || name == type ? "'\(type)'" : "'\(name)' (\(type))"
        note = object.location.sentence("transition \(asked.prefix(120)) is not known; a dissolve takes its place")
    }

    private static var dissolve: TransitionSpec {
        TransitionSpec(look: try? StyledLook(style: Dissolve()))
    }

    /// The transition that `text` names: a spec, a style, a look, or a name that other programs use; nil if it is not
    /// known.
    private static func known(_ text: String, _ folder: String) -> TransitionSpec? {
        if let spec = try? TransitionSpec(parsing: text, folder: folder, readsGesture: false), spec.look != nil {
            return spec
        }
        if let look = try? StyledLook(style: nil, look: text, options: []) { return TransitionSpec(look: look) }
        return spec(text, in: names)
    }

    /// The spec of the table's row that has the name `text`, whose capitals, spaces and dashes don't matter.
    private static func spec(_ text: String, in table: [(words: [String], spec: String)]) -> TransitionSpec? {
        let word = text.lowercased().filter { $0.isLetter || $0.isNumber }
        guard let row = table.first(where: { $0.words.contains(word) }) else { return nil }
        return try? TransitionSpec(parsing: row.spec)
    }

    /// Reads `metadata.fliptransition`: a spec, or an object with `transition` (a spec) or with `style`, `look`, `sound`
    /// and options.
    private static func read(_ own: JSONText, _ folder: String) throws(MediaError) -> TransitionSpec {
        do {
            if let text = own.text ?? own["transition"]?.text {
                return try TransitionSpec(parsing: text, folder: folder, readsGesture: false)
            }
            var spec = TransitionSpec(look: try look(own))
            if let text = own["sound"]?.text { spec.sound = try TransitionSound.parsing(text, in: folder) }
            return spec
        } catch let error as OptionError {
            throw own.error(error.description)
        } catch {
            throw own.error("\(error)")
        }
    }

    private static func look(_ own: JSONText) throws -> StyledLook {
        var options: [(option: LookOption, value: String)] = []
        for (key, value) in own.entries where !["style", "look", "sound", "OTIO_SCHEMA"].contains(key) {
            guard let option = LookOption(rawValue: key) else {
                throw OptionError(
                    "unknown key '\(key.prefix(40))'"
                        + Suggestion.question(
                            for: key,
                            among: ["transition", "style", "look", "sound"] + LookOption.allCases.map(\.rawValue))
                        + " (expected transition, style, look, sound or an option of a style)")
            }
            options.append((option, try text(of: key, value)))
        }
        return try StyledLook(style: own["style"]?.text, look: own["look"]?.text, options: options)
    }

    private static func text(of key: String, _ value: JSONText) throws(OptionError) -> String {
        switch value.content {
        case .text(let text): return text
        case .flag(let flag): return String(flag)
        case .number(let number) where number == number.rounded() && number.magnitude < 1e6: return String(Int(number))
        case .number(let number): return String(number)
        case .null, .list, .object: throw OptionError("'\(key)' has to be text, a number or true or false")
        }
    }
}
