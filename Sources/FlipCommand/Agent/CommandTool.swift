import ArgumentParser
import FlipAgent
import FlipBase
import FlipFiles
import FlipGeometry
import Foundation

/// What clients are told about what a tool changes, so that they know when to ask their users.
enum ToolHints {
    /// - Parameter changesNothing: whether a tool only reads. All others write the files that they are told to, and replace
    ///   them where they are told to, so a client can't know from the tool alone that nothing is lost.
    static func json(changesNothing: Bool) -> JSON {
        [
            "readOnlyHint": .flag(changesNothing), "destructiveHint": .flag(!changesNothing), "idempotentHint": true,
            "openWorldHint": false,
        ]
    }
}

/// A subcommand as a tool.
struct CommandTool: AgentTool {
    enum Output: Sendable {
        case none, optional, required
    }

    /// What a call returns.
    enum Answer: Sendable {
        /// The JSON that `--json` prints: an object, or an array under this name.
        case printed(under: String?)
        /// What `--report` writes.
        case report
        /// The picture.
        case picture

        /// What is certain of a result's structured content. Files in docs/schemas describe the whole of it, which would take
        /// too much room in every agent's context.
        var schema: JSON {
            let required: [JSON] =
                switch self {
                case .printed(under: nil): ["schema", "program"]
                case .printed(let key?): [.text(key)]
                case .report: ["schema", "program", "plan", "framesEncoded", "framesCopied", "warnings"]
                case .picture: ["schema", "warnings"]
                }
            return ["type": "object", "required": .list(required)]
        }
    }

    let name: String
    /// All options that calls can have.
    let options: [ToolOption]
    /// The names of the options that `tools/list` describes. Its answer is in every agent's context, so the others are
    /// described by the tool `options` only.
    private let listed: Set<String>
    /// How many inputs there may be; nil if the command has none.
    let inputs: ClosedRange<Int>?
    let output: Output
    let answer: Answer
    private let place: ToolPlace
    private let summary: String

    var isLong: Bool {
        if case .report = answer { true } else { false }
    }

    /// The tools: the subcommands that make sense to an agent, all with the options that the parser knows.
    static func all(_ place: ToolPlace, allowsPrograms: Bool) throws -> [CommandTool] {
        let many = 1...10_000
        let make = { (type: any ParsableCommand.Type, inputs, output, answer: Answer, more) in
            try CommandTool(type, inputs, output, answer, more, place, allowsPrograms: allowsPrograms)
        }
        return [
            try make(
                PlanCommand.self, many, .required, .printed(under: nil), "The inputs are as for join. Returns a plan."),
            try make(
                StillCommand.self, 2...2, .optional, .picture,
                "Returns a picture, or writes it to the output: how the first input turns into the second."),
            try make(
                SheetCommand.self, 2...2, .optional, .picture,
                "Returns a picture, or writes it to the output: all styles, or the one that is given."),
            try make(
                JoinCommand.self, many, .required, .report,
                "Writes a video. The inputs are clips, lists of clips, PDF, PowerPoint or OpenDocument files, folders and "
                    + "pictures in their order, or one project (.yaml) or timeline (.otio). Returns a report."),
            try make(
                DeckCommand.self, many, .required, .report,
                "The same as join, where pictures and films are slides, too. Returns a report."),
            try make(ProbeCommand.self, many, .none, .printed(under: "files"), "Returns what is known of each file."),
            try make(StylesCommand.self, nil, .none, .printed(under: "styles"), "Returns the styles."),
        ]
    }

    private init(
        _ type: any ParsableCommand.Type, _ inputs: ClosedRange<Int>?, _ output: Output, _ answer: Answer,
        _ more: String, _ place: ToolPlace, allowsPrograms: Bool
    ) throws {
        let description = try CommandDescription.of(type)
        listed = Set(try CommandDescription.brief(type).options.filter(\.shouldDisplay).compactMap(\.longName))
        name = description.commandName
        options = (description.arguments ?? []).compactMap { ToolOption($0, allowsPrograms: allowsPrograms) }
        (self.inputs, self.output, self.answer, self.place) = (inputs, output, answer, place)
        summary = "\(description.abstract ?? "") \(more)"
    }

    var listing: JSON {
        var properties: [(key: String, value: JSON)] = []
        var required: [JSON] = []
        if let inputs {
            properties.append(
                (
                    "inputs",
                    .object([
                        ("type", "array"), ("items", ["type": "string"]), ("minItems", .whole(inputs.lowerBound)),
                        ("maxItems", .whole(inputs.upperBound)),
                        ("description", "Paths. clip.mp4#t=2.5,9 is a part of a clip, in seconds."),
                    ])
                ))
            required.append("inputs")
        }
        if output != .none {
            properties.append(("output", ["type": "string", "description": "The path of the output."]))
            if output == .required { required.append("output") }
        }
        if output == .optional {
            let text = "Return the picture as well. (default: true if there is no output)"
            properties.append(("image", ["type": "boolean", "description": .text(text)]))
        }
        let shown = options.filter { listed.contains($0.name) }
        properties += shown.map { ($0.name, $0.schema) }
        let hasMore = shown.count < options.count
        let count = options.count - shown.count
        let more = hasMore ? " Takes further options (\(count)), which the tool options describes." : ""
        let changesNothing = output == .none
        return [
            "name": .text(name), "description": .text(summary + more),
            "inputSchema": .object([
                ("type", "object"), ("properties", .object(properties)), ("required", .list(required)),
                ("additionalProperties", hasMore ? ["type": ["string", "number", "boolean", "array"]] : false),
            ]),
            "outputSchema": answer.schema,
            "annotations": ToolHints.json(changesNothing: changesNothing),
        ]
    }

    // MARK: Calls

    func call(_ arguments: JSONText?, _ call: AgentCall) -> ToolResult {
        do {
            let arguments = try ToolArguments(arguments, of: self, within: place.root)
            let process = ToolProcess(place, call, FieldNames(options))
            switch answer {
            case .printed(let key): return try printed(arguments, process, under: key)
            case .report:
                let words = ["--progress=json", "--report=-"] + arguments.options
                let ending = try process.run([name] + words + files(arguments))
                return try result(ending) { document in .encoded(document) }
            case .picture: return try PictureCall(name, arguments, process).result()
            }
        } catch {
            let (code, message) = Failure.describe(error)
            return Self.failure(code, message)
        }
    }

    private func files(_ arguments: ToolArguments) -> [String] {
        ["--"] + arguments.inputs + (arguments.output.map { [$0] } ?? [])
    }

    private func printed(_ arguments: ToolArguments, _ process: ToolProcess, under key: String?) throws -> ToolResult {
        // styles has no messages.
        let messages = inputs == nil ? [] : ["--messages=json"]
        let ending = try process.run([name, "--json"] + messages + arguments.options + files(arguments))
        guard let key else { return try result(ending) { document in .encoded(document) } }
        // probe describes the other files, too, if it can't use one.
        if ending.status != 0, Self.isJSON(ending.output) {
            return Self.failure(ending, more: [(key, .encoded(ending.output))])
        }
        return try result(ending) { document in .object([(key, .encoded(document))]) }
    }

    /// What the process ended with, with the document that it wrote.
    private func result(_ ending: ToolProcess.Ending, _ make: ([UInt8]) -> JSON) throws(MediaError) -> ToolResult {
        if ending.status != 0 { return Self.failure(ending) }
        guard Self.isJSON(ending.output) else {
            throw MediaError(.internalFault, "\(name) ended without the JSON that it should have written")
        }
        return ToolResult(make(ending.output))
    }

    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
    }

    static func failure(_ ending: ToolProcess.Ending, more: [(key: String, value: JSON)] = []) -> ToolResult {
        let warnings = ending.warnings.isEmpty ? [] : [("warnings", JSON.list(ending.warnings.map { .text($0) }))]
        return failure(ending.status, ending.message ?? "the call ended with \(ending.status)", more: warnings + more)
    }

    /// The result of a call that failed: a sentence for all clients, and the error as `probe --json` has it.
    static func failure(_ code: Int32, _ message: String, more: [(key: String, value: JSON)] = []) -> ToolResult {
        let error: JSON = [
            "kind": .text(ErrorKind.name(of: code)), "code": .whole(Int(code)), "message": .text(message),
        ]
        return ToolResult(
            content: [["type": "text", "text": .text(message)]],
            structured: .object(
                [("schema", .whole(DocumentHeader.version)), ("error", error), ("exit", .whole(Int(code)))] + more),
            isError: true)
    }
}
