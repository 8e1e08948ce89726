import FlipGeometry
import Foundation

/// Lines on standard error: sentences, or an object of JSON each where `--progress json` asks for that.
enum Message {
    /// Whether standard error is lines of JSON and nothing else. Read from the command line as it stands, since it also holds
    /// for what is wrong with the command line.
    static let isJSON = asksForJSON(CommandLine.arguments)

    static func asksForJSON(_ arguments: [String]) -> Bool {
        let options = arguments.prefix { $0 != "--" }
        return options.contains("--progress=json")
            || zip(options, options.dropFirst()).contains { $0 == ("--progress", "json") }
    }

    /// Says why something failed.
    /// - Parameters:
    ///   - code: the exit code that it stands for.
    ///   - job: of a batch.
    static func error(_ text: String, code: Int32, job: Int? = nil) {
        tell(Event(event: "error", message: oneLine(text), kind: ErrorKind.name(of: code), code: code, job: job))
    }

    static func warning(_ text: String) { warning(text, job: nil) }

    static func warning(_ text: String, job: Int?) { tell(Event(event: "warning", message: oneLine(text), job: job)) }

    static func note(_ text: String) { tell(Event(event: "note", message: oneLine(text))) }

    /// Says a text of several lines.
    static func text(_ text: String) {
        if isJSON { return write(Event(event: "note", message: text)) }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { write(printable(line)) }
    }

    /// Writes an object as a line.
    static func write(_ event: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if let data = try? encoder.encode(event) { write(String(decoding: data, as: UTF8.self)) }
    }

    static func write(_ line: String, end: String = "\n") {
        // Where nobody listens any more there is nobody to tell.
        try? FileHandle.standardError.write(contentsOf: Data((line + end).utf8))
    }

    private static func tell(_ event: Event) {
        if isJSON { return write(event) }
        write("fliptransition: " + (event.event == "note" ? "" : "\(event.event): ") + printable(event.message))
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// `text` without characters that steer a terminal or turn the direction of writing, as names of files may hold them: each
    /// stands there as its number, such as \u{1b}.
    static func printable(_ text: some StringProtocol) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7f..<0xa0, 0x202a...0x202e, 0x2066...0x2069:
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A message as a line of JSON (docs/JSON.md). What is nil is left out.
    struct Event: Codable {
        var event: String
        var message: String
        var kind: String?
        var code: Int32?
        var job: Int?
    }
}

/// What JSON calls the exit codes of sysexits.h.
enum ErrorKind {
    static func name(of code: Int32) -> String {
        switch code {
        case EX_USAGE: "usage"
        case EX_DATAERR: "badInput"
        case EX_NOINPUT: "missingInput"
        case EX_UNAVAILABLE: "missingCodec"
        case EX_CANTCREAT: "cannotCreate"
        case EX_IOERR: "io"
        case EX_TEMPFAIL: "tryAgain"
        case 130: "interrupted"
        default: "internal"
        }
    }
}

/// What every document of JSON says of itself: the number of its form, which changes only where fields change their meaning,
/// and the program that wrote it.
struct DocumentHeader: Encodable {
    struct Program: Encodable {
        let name = "fliptransition"
        let version = ProductVersion.text
    }

    let schema = 1
    let program = Program()
}

/// A document, or an entry of one that is an array, with its header among its fields.
struct Headed<Body: Encodable>: Encodable {
    let body: Body

    init(_ body: Body) { self.body = body }

    func encode(to encoder: any Encoder) throws {
        try DocumentHeader().encode(to: encoder)
        try body.encode(to: encoder)
    }
}
