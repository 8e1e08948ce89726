import FlipBase
import FlipGeometry

/// The XML file in Kdenlive's folder `transitions` that adds the mixer to its lists of transitions and compositions.
package enum KdenliveDescription {
    /// The file's text. It has all parameters except those that set the progress, and the width for padded frames,
    /// which Kdenlive doesn't have.
    package static var text: String {
        let shown = HostParameter.all.filter { $0.role != .progress && !$0.isWorkaround }
        let parameters = [clock] + shown.map(element)
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

    /// The parameter `rate`, which makes the transition run over its length even if that changes: 1000 s as a time
    /// code, which MLT converts to frames. MLT sets `in` and `out` itself. Keyframes don't work: Kdenlive 22.12 always
    /// makes a single keyframe of an animated parameter's default, and in a fixed `0=0;-1=1` MLT 7.12 replaces -1 with
    /// the number of the last frame when the project is saved.
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
            names = (isChosen ? [] : [parameter.role == .look ? "None" : "The style's own"]) + parameter.choices
            attributes = [
                ("type", "list"), ("default", isChosen ? text : HostSettings.own),
                ("paramlist", parameter.listEntries.joined(separator: ";")),
            ]
        }
        let written = ([("name", parameter.name)] + attributes).map { " \($0.0)=\"\($0.1.xmlEscaped)\"" }.joined()
        let display =
            names.isEmpty
            ? "" : "        <paramlistdisplay>\(names.map(\.xmlEscaped).joined(separator: ","))</paramlistdisplay>\n"
        return """
                <parameter\(written)>
            \(display)        <name>\(title(parameter).xmlEscaped)</name>
                    <comment>\(parameter.explanation.xmlEscaped)</comment>
                </parameter>
            """
    }

    /// The most styles that a title names. Options of more styles have no list: they are those that most styles have.
    private static let mostNamed = 4

    /// The parameter's title, such as "Shadow strength" for "shadow-strength", and for options of few styles their names,
    /// since Kdenlive shows the parameters of all styles in one list.
    private static func title(_ parameter: HostParameter) -> String {
        switch parameter.role {
        case .swap: return "From the upper track to the lower"
        case .option(let option), .coordinate(let option, _):
            let styles = Styles.all.filter { $0.options.contains(option) }.map(\.name)
            return styles.count > mostNamed ? parameter.title : "\(parameter.title) (\(styles.joined(separator: ", ")))"
        default: return parameter.title
        }
    }
}
