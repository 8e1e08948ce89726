import FlipAgent
import FlipBase
import FlipFiles
import FlipGeometry
import FlipRender

/// What a call asks for, checked and as a command line.
struct ToolArguments {
    /// The options, as `--name=value`.
    private(set) var options: [String] = []
    private(set) var inputs: [String] = []
    /// The output; nil if none was given.
    private(set) var output: String?
    /// Whether a picture was asked for besides its file; nil if the call doesn't say so.
    private(set) var wantsPicture: Bool?

    /// The longest word of a command line, in bytes, and the longest command line that always fits, with the environment
    /// in it: Linux takes words of 32 pages, and together a quarter of the stack, whose usual limit is 8 MiB (execve(2)).
    private static let longestWord = 128 << 10
    private static let longest = 1 << 20

    /// Throws if an argument isn't known, is of another type, or names a file outside of `root`, and if all of them are
    /// too long for a command line.
    init(_ arguments: JSONText?, of tool: CommandTool, within root: RootFolder) throws {
        for (name, value) in arguments?.entries ?? [] where !value.isNull {
            switch name {
            case "inputs" where tool.inputs != nil:
                inputs = try Self.inputs(value)
            case "output" where tool.output != .none: output = try ToolOption.word(value, of: name)
            case "image" where tool.output == .optional:
                guard let flag = value.flag else { throw OptionError("invalid image (expected true or false)") }
                wantsPicture = flag
            default:
                guard let option = tool.options.first(where: { $0.name == name }) else {
                    throw Self.unknown(name, of: tool.name, among: tool.options.map(\.name))
                }
                let words = try option.arguments(value)
                for word in words where !option.isFlag {
                    let text = String(word.dropFirst(name.count + 3))
                    for path in option.paths(in: text) { try Self.check(path, root) }
                }
                options += words
            }
        }
        if let counts = tool.inputs, !counts.contains(inputs.count) {
            let expected = counts.lowerBound == counts.upperBound ? "\(counts.lowerBound)" : "\(counts)"
            throw OptionError("invalid inputs: there are \(inputs.count) (expected \(expected))")
        }
        for word in inputs { for path in Self.paths(in: word) { try Self.check(path, root) } }
        if let output { try Self.check(output, root) }
        if output == nil, tool.output == .required { throw MediaError(.usage, "\(tool.name) needs an output") }
        let lengths = (options + inputs + [output ?? ""]).map(\.utf8.count)
        guard lengths.allSatisfy({ $0 < Self.longestWord }), lengths.reduce(0, { $0 + $1 + 1 }) <= Self.longest else {
            throw OptionError("the arguments are too long (name many clips in a list, @list.txt)")
        }
    }

    /// The error that refuses the argument `name`, where `names` exist.
    static func unknown(_ name: String, of tool: String, among names: [String]) -> OptionError {
        OptionError("there is no option '\(name)' of \(tool)" + Suggestion.question(for: name, among: names))
    }

    private static func inputs(_ value: JSONText) throws(OptionError) -> [String] {
        guard case .list(let items) = value.content else {
            throw OptionError("invalid inputs (expected a list of paths)")
        }
        var words: [String] = []
        for item in items { words.append(try ToolOption.word(item, of: "inputs")) }
        return words
    }

    /// The files that an input refers to: itself, or a list, a cut list, captions.
    private static func paths(in word: String) -> [String] {
        let captions = ClipSpec.split(word).words.filter { $0.hasPrefix("captions=") }.map { String($0.dropFirst(9)) }
        return InputList.files(behind: [word]) + captions
    }

    private static func check(_ path: String, _ root: RootFolder) throws(MediaError) {
        guard !path.isEmpty, path != "-" else {
            throw MediaError(.usage, "a path is needed in place of '\(path)', since calls have no pipes")
        }
        guard root.contains(path) else { throw Confinement.refusal(of: path, by: root) }
    }
}
