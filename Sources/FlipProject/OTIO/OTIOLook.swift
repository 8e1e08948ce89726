import FlipBase
import FlipFiles
import FlipGeometry
import FlipRender

/// The look of a `Transition`, from its metadata, else from its name or type if it is known; otherwise a dissolve.
struct OTIOLook {
    var spec: TransitionSpec
    /// A sentence about the transition that the file asks for, if it is not known or has no counterpart; otherwise nil.
    var note: String?

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
            guard let row = TransitionNames.familiar(text), let (style, options) = row.look() else { continue }
            spec = TransitionSpec(look: try? StyledLook(style: style, options: options))
            if row.isNearest {
                note = object.location.sentence(
                    "transition '\(text.prefix(120))' has no counterpart; \(style.name) comes nearest and takes its place"
                )
            }
            return
        }
        spec = OTIOLook.dissolve
        // Transitions that come from Final Cut Pro 7 XML all have this type, whatever their name, so they aren't
        // reported.
        if type == "SMPTE_Dissolve" || (type.isEmpty && name.isEmpty) { return }
        let asked = name.isEmpty || name == type ? "'\(type)'" : "'\(name)' (\(type))"
        note = object.location.sentence("transition \(asked.prefix(120)) is not known; a dissolve takes its place")
    }

    private static var dissolve: TransitionSpec { TransitionSpec(look: try? StyledLook(style: Dissolve())) }

    /// The transition that `text` names as this program does: a spec, a style or a look; nil if it is none of them.
    private static func known(_ text: String, _ folder: String) -> TransitionSpec? {
        if let spec = try? TransitionSpec(parsing: text, folder: folder, readsGesture: false), let look = spec.look,
            look.otherName == nil
        {
            return spec
        }
        return (try? StyledLook(style: nil, look: text, options: [])).map { TransitionSpec(look: $0) }
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
