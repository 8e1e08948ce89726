import FlipBase
import FlipFiles
import FlipGeometry
import Foundation

/// Writes lines to standard error: sentences, or JSON objects if `--progress json` or `--messages json` asks for them.
enum Message {
    /// Whether standard error consists of JSON lines only. Read from the unparsed command line, because it also applies
    /// to errors in parsing it.
    static let isJSON = asksForJSON(CommandLine.arguments)

    private static let quietness = Mutex(false)

    /// Whether only errors are written.
    static var isQuiet: Bool {
        get { quietness.withLock { $0 } }
        set { quietness.withLock { $0 = newValue } }
    }

    static func asksForJSON(_ arguments: [String]) -> Bool {
        let options = arguments.prefix { $0 != "--" }
        return ["--progress", "--messages"].contains { name in
            options.contains(name + "=json") || zip(options, options.dropFirst()).contains { $0 == (name, "json") }
        }
    }

    /// Reports why something failed.
    /// - Parameters:
    ///   - code: the exit code that the error stands for.
    ///   - job: the index of the batch's job that failed; nil outside of batches.
    static func error(_ text: String, code: Int32, job: Int? = nil) {
        tell(Event(event: "error", message: text.onOneLine, kind: ErrorKind.name(of: code), code: code, job: job))
    }

    static func warning(_ text: String) { warning(text, job: nil) }

    static func warning(_ text: String, job: Int?) { tell(Event(event: "warning", message: text.onOneLine, job: job)) }

    static func note(_ text: String) { tell(Event(event: "note", message: text.onOneLine)) }

    /// Writes a text of several lines.
    static func text(_ text: String) {
        if isJSON { return write(Event(event: "note", message: text)) }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { write(printable(line)) }
    }

    /// Writes an object as a line of JSON, with the version of its schema.
    static func write(_ event: some Encodable) {
        if let data = try? JSONEncoder.stable.encode(Versioned(body: event)) {
            write(String(decoding: data, as: UTF8.self))
        }
    }

    static func write(_ line: String) {
        clearProgress()
        put(line + "\n")
    }

    /// Whether the terminal's last line shows progress.
    private static let showsProgress = Mutex(false)
    /// Returns to the start of the terminal's line, and clears it.
    private static let clearing = "\r\u{1B}[K"

    /// Replaces the line that shows progress on the terminal. Lines that are written later take its place.
    static func progress(_ line: String) {
        showsProgress.withLock { $0 = true }
        put(clearing + Terminal.fitted(line))
    }

    /// Clears the line that shows progress, if there is one.
    static func clearProgress() {
        let isShown = showsProgress.withLock { shown in
            defer { shown = false }
            return shown
        }
        if isShown { put(clearing) }
    }

    private static func put(_ text: String) {
        // If nobody reads standard error, there is no way left to report that.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    private static func tell(_ event: Event) {
        if isQuiet, event.event != "error" { return }
        if isJSON { return write(event) }
        write("fliptransition: " + (event.event == "note" ? "" : "\(event.event): ") + printable(event.message))
    }

    /// `text` with control characters and bidirectional formatting characters, which file names may contain, replaced
    /// by escapes such as \u{1b}.
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

    /// A message as a line of JSON (docs/JSON.md). Fields that are nil are left out.
    struct Event: Codable {
        var event: String
        var message: String
        var kind: String?
        var code: Int32?
        var job: Int?
    }
}

/// An event with the version of its schema. Unlike a document, it doesn't name the program every time.
private struct Versioned<Body: Encodable>: Encodable {
    let body: Body

    private enum CodingKeys: CodingKey { case schema }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(DocumentHeader.version, forKey: .schema)
        try body.encode(to: encoder)
    }
}

/// The names of the exit codes of sysexits.h in JSON.
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
        case Interruption.exitCode: "interrupted"
        default: "internal"
        }
    }
}

/// The header of every JSON document: the version of its schema, which changes only if fields change their meaning, and
/// the program that wrote it.
struct DocumentHeader: Encodable {
    struct Program: Encodable {
        let name = "fliptransition"
        let version = ProductVersion.text
    }

    static let version = 1

    let schema = version
    let program = Program()
}

/// A document, or an element of a document that is an array, with the header's fields among its own.
struct Headed<Body: Encodable>: Encodable {
    let body: Body

    init(_ body: Body) { self.body = body }

    func encode(to encoder: any Encoder) throws {
        try DocumentHeader().encode(to: encoder)
        try body.encode(to: encoder)
    }
}
