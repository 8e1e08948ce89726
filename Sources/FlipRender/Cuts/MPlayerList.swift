import FlipBase
import FlipClip

/// An EDL of MPlayer: the start and the end of what is left out (0, or 3 for a commercial), or of what is silent (1), in
/// each line. A scene (2) means nothing for the parts.
enum MPlayerList {
    private static let kinds: Set<Substring> = ["0", "1", "2", "3"]

    static func isEntry(_ line: EDL.Line) -> Bool {
        let words = line.words
        return (2...3).contains(words.count) && kinds.contains(words[words.count - 1])
            && words.dropLast().allSatisfy { $0.first?.isNumber ?? false }
    }

    /// A moment at which something begins (1) or ends (-1) to be left out or to be silent.
    private struct Change {
        var time: Rational
        var omitted = 0
        var silent = 0
        var line: Int
    }

    static func read(_ lines: [EDL.Line], into writer: CutWriter) throws(MediaError) {
        var changes: [Change] = []
        for line in lines where !line.text.hasPrefix("#") {
            let words = line.words.map(String.init)
            if words.last == "2", words.count >= 2 { continue }
            guard words.count == 3, isEntry(line), let start = try writer.time(words[0], line: line.number),
                let end = try writer.time(words[1], line: line.number)
            else { throw writer.file.error(line.number, "expected a start, an end, and 0, 1, 2 or 3") }
            guard start < end, end <= CutWriter.longest else {
                throw writer.file.error(line.number, "the end has to come after the start, within 30 days")
            }
            let (omitted, silent) = words[2] == "1" ? (0, 1) : (1, 0)
            changes.append(Change(time: start, omitted: omitted, silent: silent, line: line.number))
            changes.append(Change(time: end, omitted: -omitted, silent: -silent, line: line.number))
        }
        guard !changes.isEmpty else { return }
        try write(changes.sorted { $0.time < $1.time }, writer.film(nil, line: lines[0].number), into: writer)
    }

    /// Writes what remains of the film. Where only the audio begins or ends to be silent, there is no transition.
    private static func write(_ changes: [Change], _ film: ClipSpec, into writer: CutWriter) throws(MediaError) {
        var (start, omitted, silent) = (Rational.zero, 0, 0)
        var lastEnd: Rational?
        func add(to end: Rational?, _ line: Int) throws(MediaError) {
            guard omitted == 0, end != start else { return }
            var clip = film
            if silent > 0 { clip.isMuted = true }
            clip.listed = ListedPart(
                start: .seconds(start), end: end.map { .seconds($0) }, place: writer.file.place(line),
                mayBeMissing: true)
            try writer.add(clip, join: lastEnd == start ? CutJoin(isHard: true) : nil, line: line)
            lastEnd = end
        }
        var rest = changes[...]
        while let change = rest.first {
            var after = (omitted: omitted, silent: silent)
            while let same = rest.first, same.time == change.time {
                after = (after.omitted + same.omitted, after.silent + same.silent)
                rest = rest.dropFirst()
            }
            if (after.omitted > 0, after.silent > 0) != (omitted > 0, silent > 0) {
                try add(to: change.time, change.line)
                start = change.time
            }
            (omitted, silent) = after
        }
        try add(to: nil, changes[changes.count - 1].line)
    }
}
