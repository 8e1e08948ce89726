import FlipBase
import FlipGeometry
import FlipRender

/// The command line and the project that give exactly what the page shows.
package struct PreviewTexts: Sendable {
    /// The clips as they are typed; empty if they come from a project, a timeline or a deck.
    let clips: [String]
    /// The transitions as specs, one for each join.
    let specs: [String]
    /// All inputs as they are typed.
    let inputs: [String]
    /// Whether transitions can be given beside the inputs; a project or a timeline sets them itself.
    let takesTransitions: Bool

    /// - Parameters:
    ///   - clips: the clips as they are typed; empty if they come from a project, a timeline or a deck.
    package init(clips: [String], inputs: [String], takesTransitions: Bool, specs: [String]) {
        (self.clips, self.inputs, self.takesTransitions, self.specs) = (clips, inputs, takesTransitions, specs)
    }

    /// The command and the YAML with the transition `spec` at join `seam`.
    func texts(of spec: String, at seam: Int) -> (command: String, yaml: String) {
        var specs = specs
        specs[seam] = spec
        let isOne = Set(specs).count == 1
        let options = (isOne ? [specs[0]] : specs).flatMap { ["--transition", $0] }
        if clips.isEmpty {
            let words = ["fliptransition"] + inputs + ["out.mp4"] + (takesTransitions ? options : [])
            return (words.map { ShellText.quoted($0) }.joined(separator: " "), "transition: \(Self.yaml(specs[seam]))")
        }
        let command = (["fliptransition"] + clips + ["out.mp4"] + options).map { ShellText.quoted($0) }.joined(
            separator: " ")
        var lines = isOne ? ["transition: \(Self.yaml(specs[0]))"] : []
        lines.append("clips:")
        for (index, clip) in clips.enumerated() {
            let (file, part) = Self.parts(clip)
            if isOne || index == specs.count {
                lines.append(part.isEmpty ? "  - \(Self.yaml(file))" : "  - file: \(Self.yaml(file))")
            } else {
                lines.append("  - file: \(Self.yaml(file))")
            }
            lines += part.map { "    \($0)" }
            if !isOne, index < specs.count { lines.append("    transition: \(Self.yaml(specs[index]))") }
        }
        return (command, lines.joined(separator: "\n"))
    }

    /// The look as a spec: a named one by its name, since it may bring a background of its own, and what differs from it.
    package static func spec(of styled: StyledLook) -> String {
        let look = styled.asked
        guard let name = look.named, let named = try? StyledLook(style: look.style, look: name, options: []) else {
            return look.description
        }
        let changed = look.style.options.filter { $0.value(in: look.look) != $0.value(in: named.look) }
        return "\(look.style.name)=look=\(name)" + changed.map { ":\($0.rawValue)=\($0.value(in: look.look))" }.joined()
    }

    /// The transition as a spec, without what is the default.
    package static func spec(of transition: TransitionSpec, defaultOverlap: TransitionSpec.Overlap) -> String {
        guard let look = transition.look else { return "cut" }
        var text = spec(of: look)
        let append = { (more: String) in text += (text.contains("=") ? ":" : "=") + more }
        if transition.hasDuration, transition.duration != .standard {
            append("duration=\(transition.duration.optionText)")
        }
        if let overlap = transition.overlap, overlap != defaultOverlap { append("overlap=\(overlap.rawValue)") }
        text += transition.gestureText(after: text)
        return text + transition.soundText(after: text)
    }

    /// A clip's file, and the keys that say what is used of it and how.
    private static func parts(_ clip: String) -> (file: String, part: [String]) {
        let (path, words) = ClipSpec.split(clip)
        var part: [String] = []
        for word in words {
            let name = word.prefix { $0 != "=" }
            guard name == "t" else {
                part.append("\(name): \(Self.yaml(String(word.dropFirst(name.count + 1))))")
                continue
            }
            let times = word.dropFirst("t=".count).split(separator: ",", omittingEmptySubsequences: false)
            if let start = times.first, !start.isEmpty { part.append("start: \(start)") }
            if times.count > 1, !times[1].isEmpty { part.append("end: \(times[1])") }
        }
        return (path, part)
    }

    /// `text` as a scalar of YAML.
    private static func yaml(_ text: String) -> String {
        let isPlain =
            text.first?.isLetter == true
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "=,./_+-() ".contains($0)) }
        return isPlain ? text : "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
