/// The mixer as Kdenlive's lists of transitions and compositions show it: an XML file in its folder `transitions`.
package enum KdenliveDescription {
    /// The file's text. Its parameters are the catalogue's, without those that set the progress by a clock and that of padded
    /// frames, which Kdenlive has none of.
    package static var text: String {
        let hidden: [HostParameter.Role] = [.progress, .offset, .duration, .width, .rate, .firstFrame, .lastFrame]
        let parameters = [clock] + HostParameter.all.filter { !hidden.contains($0.role) }.map(element)
        return """
            <?xml version="1.0"?>
            <!DOCTYPE kpartgui>
            <transition tag="frei0r.fliptransition" id="frei0r.fliptransition" type="videotransition">
                <name>Page Flip, Fold and Card</name>
                <description>Turns the first clip into the second as paper and cards in space do</description>
                <author>The fliptransition authors</author>
            \(parameters.joined(separator: "\n"))
            </transition>

            """
    }

    /// Makes the transition run over its length, however long that comes to be. MLT turns this time into frames and sets `in` and
    /// `out` itself. Keyframes would not do: of an animated parameter's default Kdenlive 22.12 makes one, whatever it says, and a
    /// fixed `0=0;-1=1` MLT 7.12 rewrites with the number that the last frame has when the project is saved.
    private static var clock: String {
        let name = HostParameter.all.first { $0.role == .rate }?.name ?? ""
        return "    <parameter type=\"fixed\" name=\"\(name)\" value=\"00:16:40.000\"/>"
    }

    private static func element(_ parameter: HostParameter) -> String {
        let attributes: [(String, String)]
        var names: [String] = []
        switch parameter.initial {
        case .flag(let flag): attributes = [("type", "bool"), ("default", flag ? "1" : "0")]
        case .number(let number):
            attributes = [
                ("type", "animated"), ("default", String(number)), ("min", "0"), ("max", "1"), ("decimals", "3"),
            ]
        case .color(let color): attributes = [("type", "color"), ("default", color.description)]
        case .text(let text):
            let isChosen = parameter.choices.contains(text)
            let list = (isChosen ? [] : [HostSettings.own]) + parameter.choices
            names = (isChosen ? [] : [parameter.role == .look ? "None" : "The style's own"]) + parameter.choices
            attributes = [
                ("type", "list"), ("default", isChosen ? text : HostSettings.own),
                ("paramlist", list.joined(separator: ";")),
            ]
        }
        let written = ([("name", parameter.name)] + attributes).map { " \($0.0)=\"\(escaped($0.1))\"" }.joined()
        let display =
            names.isEmpty
            ? "" : "        <paramlistdisplay>\(names.map(escaped).joined(separator: ","))</paramlistdisplay>\n"
        return """
                <parameter\(written)>
            \(display)        <name>\(escaped(title(parameter)))</name>
                    <comment>\(escaped(parameter.explanation))</comment>
                </parameter>
            """
    }

    /// "shadow-strength" as "Shadow strength".
    private static func title(_ parameter: HostParameter) -> String {
        if parameter.role == .swap { return "From the upper track to the lower" }
        let words = parameter.name.split(separator: "-").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}
