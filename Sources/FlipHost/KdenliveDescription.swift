/// The mixer as Kdenlive's lists of transitions and compositions show it: an XML file in its folder `transitions`.
package enum KdenliveDescription {
    /// The file's text. Its parameters are the catalogue's, without those that set the progress by a clock, which Kdenlive
    /// animates over the transition, and that of padded frames, which it has none of.
    package static var text: String {
        let parameters = HostParameter.all.filter { ![.offset, .duration, .width].contains($0.role) }.map(element)
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

    private static func element(_ parameter: HostParameter) -> String {
        let attributes: [(String, String)]
        var names: [String] = []
        switch parameter.initial {
        case .flag(let flag): attributes = [("type", "bool"), ("default", flag ? "1" : "0")]
        case .number(let number):
            // Over the whole transition, from its first frame to its last.
            let initial = parameter.role == .progress ? "0=0;%out=1" : String(number)
            attributes = [
                ("type", "animated"), ("default", initial), ("min", "0"), ("max", "1"), ("decimals", "3"),
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
            \(display)        <name>\(escaped(title(parameter.name)))</name>
                    <comment>\(escaped(parameter.explanation))</comment>
                </parameter>
            """
    }

    /// "shadow-strength" as "Shadow strength".
    private static func title(_ name: String) -> String {
        let words = name.split(separator: "-").joined(separator: " ")
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
