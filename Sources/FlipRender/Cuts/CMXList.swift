import FlipBase
import Foundation

/// An EDL of CMX 3600: events with the time codes of the source and of the output.
struct CMXList {
    private let writer: CutWriter
    private var events: [CMXEvent] = []
    private var isDropFrame = false
    private var sounds = 0

    static func read(_ lines: [EDL.Line], into writer: CutWriter) throws(MediaError) {
        var list = CMXList(writer: writer)
        for line in lines { try list.read(line) }
        try list.write()
    }

    private init(writer: CutWriter) { self.writer = writer }

    // MARK: Reading

    private mutating func read(_ line: EDL.Line) throws(MediaError) {
        let words = line.words
        if words[0] == "FCM:" {
            isDropFrame = words.count > 1 && words[1] == "DROP"
        } else if words[0] == "M2" {
            throw writer.file.error(line.number, "changes of speed (M2) are not supported")
        } else if CMXEvent.isEvent(words) {
            let event = try CMXEvent(words, line: line.number, isDropFrame: isDropFrame, writer.file)
            if event.showsVideo { events.append(event) } else { sounds += 1 }
        } else if let first = words.first, first.allSatisfy(\.isNumber), words.count > 2 {
            throw writer.file.error(
                line.number, "this is no event (expected a reel, a track, a transition and four time codes)")
        } else if line.text.hasPrefix("*") {
            readComment(String(line.text.dropFirst()).trimmingCharacters(in: .whitespaces))
        }
    }

    /// Reads the name of a clip, which belongs to the last event. Of two events with one number, the first one shows
    /// what a transition begins with.
    private mutating func readComment(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), let last = events.indices.last else { return }
        let value = String(text[text.index(after: colon)...]).trimmingCharacters(in: .whitespaces)
        let isPair = last > 0 && events[last - 1].number == events[last].number
        switch text[..<colon].uppercased() {
        case "FROM CLIP NAME":
            let index = isPair ? last - 1 : last
            events[index].name = events[index].name ?? value
        case "TO CLIP NAME": events[last].name = value
        case "SOURCE FILE": events[last].name = events[last].name ?? value
        default: break
        }
    }

    // MARK: Writing

    private func write() throws(MediaError) {
        if sounds > 0 {
            writer.note(
                "\(sounds == 1 ? "1 event" : "\(sounds) events") of audio only \(sounds == 1 ? "is" : "are") left out, since "
                    + "each part has the audio of its film")
        }
        var now: Timecode?
        var fadesFromBlack = false
        let places = events.indices.sorted { first, second in
            let (one, other) = (events[first].record.lowerBound, events[second].record.lowerBound)
            return one == other ? first < second : one < other
        }
        for event in places.map({ events[$0] }) {
            if let now, event.record.lowerBound < now {
                throw writer.file.error(
                    event.line,
                    "the event begins before the one before it ends, and only one track of video is supported")
            }
            // An event of no length only says what a transition begins with, which is the event before.
            if event.record.isEmpty {
                fadesFromBlack = event.isBlack
                continue
            }
            if let now, event.record.lowerBound > now {
                try add(gap: now..<event.record.lowerBound, event.line, CutJoin())
            }
            var join = event.frames.map { CutJoin(duration: .frames($0), place: .beginning) } ?? CutJoin()
            if event.frames != nil, fadesFromBlack || now == nil {
                writer.note("the transition in line \(event.line), which begins with black, is left out")
                join = CutJoin(isHard: true)
            }
            fadesFromBlack = false
            try add(event, join)
            now = event.record.upperBound
        }
    }

    private func add(_ event: CMXEvent, _ join: CutJoin) throws(MediaError) {
        if event.isBlack { return try add(gap: event.record, event.line, join) }
        guard writer.base != nil || event.name != nil else {
            throw writer.file.error(
                event.line,
                "the event names no film (add a line '* FROM CLIP NAME: film.mp4', or write film.mp4#cuts=\(writer.file.path))"
            )
        }
        var clip = try writer.film(event.name, line: event.line)
        clip.listed = ListedPart(
            start: .code(event.source.lowerBound), end: .code(event.source.upperBound), record: event.record,
            place: writer.file.place(event.line))
        try writer.add(clip, join: join, line: event.line)
    }

    private func add(gap record: Range<Timecode>, _ line: Int, _ join: CutJoin) throws(MediaError) {
        var clip = ClipSpec.blank(seconds: .zero)
        clip.listed = ListedPart(
            start: .code(record.lowerBound), record: record, place: writer.file.place(line))
        try writer.add(clip, join: join, line: line)
    }
}

/// An event of an EDL of CMX 3600.
struct CMXEvent {
    let number: Substring
    let line: Int
    /// Whether it shows nothing.
    let isBlack: Bool
    let showsVideo: Bool
    /// The length of the transition to it in frames; nil for a cut.
    let frames: Int?
    let source: Range<Timecode>
    let record: Range<Timecode>
    /// The name of the film.
    var name: String?

    /// Whether these words of a line are an event: a number, and four time codes at the end.
    static func isEvent(_ words: [Substring]) -> Bool {
        words.count >= 8 && words[0].allSatisfy(\.isNumber)
            && words.suffix(4).allSatisfy { Timecode(parsing: $0) != nil }
    }

    /// - Parameter words: those of a line that `isEvent`.
    init(_ words: [Substring], line: Int, isDropFrame: Bool, _ file: ListFile) throws(MediaError) {
        number = words[0]
        self.line = line
        isBlack = words[1] == "BL"
        let tracks = words[2].split(separator: "/").map { $0.uppercased() }
        showsVideo = tracks.contains { $0 == "B" || $0.hasPrefix("V") }
        if let track = tracks.first(where: { $0.hasPrefix("V") && $0 != "V" && $0 != "V1" }) {
            throw file.error(line, "only one track of video is supported, not '\(track)'")
        }
        let kind = words[3].uppercased()
        if kind == "C" {
            frames = nil
        } else if kind == "D" || kind.hasPrefix("W"), words.count >= 9, let count = Int(words[4]),
            (0...10_000_000).contains(count)
        {
            frames = count == 0 ? nil : count
        } else {
            throw file.error(
                line, "the transition '\(words[3])' is not supported (expected C, or D or W with a length)")
        }
        let codes = words.suffix(4).compactMap { Timecode(parsing: $0, isDropFrame: isDropFrame) }
        guard codes[0] <= codes[1], codes[2] <= codes[3] else {
            throw file.error(line, "the event ends before it begins")
        }
        guard codes[2] == codes[3] || codes[0] < codes[1] || isBlack else {
            throw file.error(line, "the event shows no frame of its film")
        }
        source = codes[0]..<codes[1]
        record = codes[2]..<codes[3]
    }
}
