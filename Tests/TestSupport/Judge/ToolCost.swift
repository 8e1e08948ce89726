import Foundation

/// What a program has cost, together with the helper programs that it has waited for.
package struct ToolCost: Sendable {
    /// The processor time of all these processes, in seconds.
    package var processorSeconds: Double
    /// The largest of the processes' peak resident set sizes, in bytes.
    package var peakMemory: Int
}

extension Tool {
    /// Runs `program`, which has to succeed, and returns what it has cost (Tests/Tools/measure.py).
    /// - Parameter input: a file that the program reads from a pipe as its standard input.
    package static func cost(
        _ program: String, _ arguments: [String], input: String? = nil, timeout: Double = 120
    ) throws -> ToolCost {
        let folder = try TemporaryFolder()
        let words = ["python3", Places.package + "/Tests/Tools/measure.py", folder / "cost", program] + arguments
        if let input {
            try succeed("sh", ["-c", #"cat "$0" | "$@""#, input] + words, timeout: timeout)
        } else {
            try succeed(words[0], Array(words.dropFirst()), timeout: timeout)
        }
        let text = try String(contentsOf: folder / "cost")
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 2, numbers[1] > 0 else { throw ToolError("measure.py wrote '\(text)'") }
        return ToolCost(processorSeconds: numbers[0], peakMemory: Int(numbers[1]))
    }
}
