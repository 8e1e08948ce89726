import FlipBase
import FlipFiles
import FlipGeometry
import FlipRender
import Foundation

/// A file that says how long each slide stays, with a line for each: a duration (`4`, `2.5s`, `90f`), the time at which
/// the slide starts (`@1:30`), or `-` for the slide's own time.
package struct TimingsFile {
    package enum Entry: Equatable {
        case length(TransitionDuration)
        /// The time of the output at which the slide starts, in seconds.
        case start(Rational)
    }
    /// The entry of each slide; nil if the file leaves its time open (`-`).
    package private(set) var entries: [Entry?] = []
    private let path: String
    /// The line number of each entry, from 1.
    private var lines: [Int] = []

    /// The largest file, in bytes.
    private static let maximumSize = 1 << 20

    init(path: String) throws(MediaError) {
        try self.init(
            InputDocument.read(path, atMost: Self.maximumSize, as: "the timings '\(path)'"), path: path)
    }

    package init(_ data: Data, path: String) throws(MediaError) {
        self.path = path
        guard data.count <= Self.maximumSize, let text = String(data: data, encoding: .utf8) else {
            throw MediaError(
                .badInput, "'\(path)' is not a list of times: it has to be UTF-8 text with one time a line")
        }
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
            if words.isEmpty { continue }
            guard let entry = Self.entry(words) else {
                throw error(
                    index + 1, "invalid time '\(words.prefix(40))' (expected 4, 2.5s, 500ms, 90f, 1:30, @1:30 or -)")
            }
            entries.append(entry)
            lines.append(index + 1)
            try checkOrder()
        }
    }

    /// The entry of slide `number`, from 1; nil if its time is open or it has no line.
    func entry(ofSlide number: Int) -> Entry? { entries.indices.contains(number - 1) ? entries[number - 1] : nil }

    /// - Returns: a warning if the file has fewer lines than the deck has slides, else nil.
    /// - Throws: if it has more lines.
    package func check(_ numbers: SlideNumbers) throws(MediaError) -> String? {
        try check(slides: numbers.count)
        guard entries.count < numbers.count else { return nil }
        let count = entries.count == 1 ? "1 line" : "\(entries.count) lines"
        var text = "'\(path)' has \(count) for \(numbers.count) slides, so the others stay as long as without it"
        if !numbers.hidden.isEmpty {
            let words = SlideNumbers.words(numbers.hidden.sorted())
            text += " (\(words), which \(numbers.hidden.count == 1 ? "is" : "are") hidden, need lines, too: write -)"
        }
        return text
    }

    /// - Throws: if the file has more lines than the deck has slides.
    package func check(slides: Int) throws(MediaError) {
        guard entries.count > slides else { return }
        throw error(lines[slides], "the deck has only \(slides == 1 ? "1 slide" : "\(slides) slides")")
    }

    /// The entry for `text`: `.some(nil)` for `-`, which leaves the slide's time open; nil if it is not a valid time.
    private static func entry(_ text: String) -> Entry?? {
        if text == "-" { return .some(nil) }
        if text.hasPrefix("@") {
            guard let time = Rational(playTime: String(text.dropFirst())), time <= Rational(30 * 86400) else {
                return nil
            }
            return .start(time)
        }
        return (try? TransitionDuration(parsingHold: text)).map { .length($0) }
    }

    private func checkOrder() throws(MediaError) {
        guard let line = lines.last, case .start(let time)?? = entries.last else { return }
        if entries.count == 1, time != .zero { throw error(line, "the first slide comes at @0") }
        guard entries.count > 1 else { return }
        for entry in entries.dropLast().reversed() {
            guard case .start(let before)? = entry else { continue }
            if before >= time { throw error(line, "the slide comes before the one above it") }
            return
        }
        try checkLengths(before: time, line)
    }

    /// Throws if all lines above say how long their slides stay, and these lengths don't add up to `time`, the start of the
    /// last slide so far.
    private func checkLengths(before time: Rational, _ line: Int) throws(MediaError) {
        var sum = Rational.zero
        for entry in entries.dropLast() {
            // The length of a number of frames isn't known yet.
            guard case .length(.seconds(let seconds))? = entry else { return }
            sum = sum + seconds
        }
        // Times may be rounded, to somewhat more than a frame.
        if sum - time <= Self.tolerance, time - sum <= Self.tolerance { return }
        throw error(
            line,
            "the slide is to start at \(time.decimalText) s, but the lines above it take \(sum.decimalText) s (write - for the "
                + "one whose time is open)")
    }

    /// The largest difference between two statements of a time that still agree, in seconds.
    private static let tolerance = Rational(1, 20)

    private func error(_ line: Int, _ text: String) -> MediaError {
        MediaError(.badInput, "'\(path)' line \(line): \(text)")
    }
}
