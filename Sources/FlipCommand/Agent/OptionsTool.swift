import FlipAgent
import FlipBase
import FlipFiles
import FlipGeometry

/// The tool that describes the options of the others, most of which `tools/list` leaves out.
struct OptionsTool: AgentTool {
    let name = "options"
    let isLong = false
    /// The tools that have options.
    private let tools: [CommandTool]

    init(_ tools: [CommandTool]) { self.tools = tools.filter { !$0.options.isEmpty } }

    var listing: JSON {
        [
            "name": .text(name),
            "description": "Describe all options of a tool, or those about a subject. Returns their JSON schemas.",
            "inputSchema": [
                "type": "object",
                "properties": [
                    "tool": ["type": "string", "enum": .list(tools.map { .text($0.name) })],
                    "about": [
                        "type": "string", "description": "A word, such as audio or caption. (default: all options)",
                    ],
                ],
                "required": ["tool"], "additionalProperties": false,
            ],
            "outputSchema": ["type": "object", "required": ["schema", "tool", "options"]],
            "annotations": ToolHints.json(changesNothing: true),
        ]
    }

    func call(_ arguments: JSONText?, _ call: AgentCall) -> ToolResult {
        do throws(OptionError) {
            return try describe(arguments)
        } catch {
            let (code, message) = Failure.describe(error)
            return CommandTool.failure(code, message)
        }
    }

    private func describe(_ arguments: JSONText?) throws(OptionError) -> ToolResult {
        let names = ["tool", "about"]
        for (name, value) in arguments?.entries ?? [] where !value.isNull {
            guard names.contains(name) else { throw ToolArguments.unknown(name, of: self.name, among: names) }
            guard value.text != nil else { throw OptionError("invalid \(name) (expected a text)") }
        }
        let asked = arguments?["tool"]?.text
        guard let tool = tools.first(where: { $0.name == asked }) else {
            let expected = tools.map(\.name).joined(separator: ", ")
            throw OptionError("invalid tool '\(asked ?? "")' (expected \(expected))")
        }
        let word = arguments?["about"]?.text ?? ""
        let options = tool.options.filter { word.isEmpty || $0.mentions(word) }
        return ToolResult([
            "schema": .whole(DocumentHeader.version), "tool": .text(tool.name),
            "options": .object(options.map { ($0.name, $0.schema) }),
        ])
    }
}
