import FlipBase

/// Says where in each input the film begins and ends, and whether something is missing there, or all of it.
struct EndCheck {
    private(set) var findings: [CheckFinding] = []
    private(set) var notes: [String] = []
    private let join: CheckedJoin
    private let parts: [MatchedPart]

    /// The seconds of an input that can't be hidden in a part that was encoded.
    private static let longest = 3.0

    /// - Parameter recognized: the inputs that were found by what they look like.
    init(_ join: CheckedJoin, _ parts: [MatchedPart], _ verdict: StretchVerdict, recognized: Set<Int>) {
        (self.join, self.parts) = (join, parts)
        for use in join.uses.indices {
            if parts.contains(where: { $0.use == use }) {
                check(use, verdict)
            } else if !recognized.contains(use) {
                reportLost(use)
            }
        }
    }

    /// Reports an input of which nothing was found. A short one may be hidden in a transition.
    private mutating func reportLost(_ use: Int) {
        let (range, film) = (join.uses[use].needed, join.uses[use].film)
        let isShort = Double(range.count) * join.sources[film].step < Self.longest
        if isShort, parts.contains(where: { $0.origin == nil }) {
            notes.append("\(join.name(film)) wasn't found")
        } else {
            findings.append(
                CheckFinding(
                    kind: .lost, count: range.count, source: join.name(film), sourceFrame: range.lowerBound,
                    message: "nothing of \(join.name(film)) was found"))
        }
    }

    private mutating func check(_ use: Int, _ verdict: StretchVerdict) {
        let (range, film) = (join.uses[use].needed, join.uses[use].film)
        let isOwn = { (part: MatchedPart) in part.use == use && part.origin != nil && !part.isMisplaced }
        guard let first = parts.firstIndex(where: isOwn), let last = parts.lastIndex(where: isOwn) else { return }
        let head = parts[first].own.lowerBound - range.lowerBound
        let tail = range.upperBound - parts[last].own.upperBound
        let before = first > 0 && parts[first - 1].origin == nil ? first - 1 : nil
        let behind = last + 1 < parts.count && parts[last + 1].origin == nil ? last + 1 : nil
        // A transition shows frames of both films.
        let lostHead = head - (before.map { covered($0, film, verdict, fromEnd: true) } ?? 0)
        let lostTail = tail - (behind.map { covered($0, film, verdict, fromEnd: false) } ?? 0)
        report(lostHead, use, parts[first].frames.lowerBound, range.lowerBound, isHead: true)
        report(lostTail, use, parts[last].frames.upperBound, range.upperBound - lostTail, isHead: false)
    }

    /// How many frames of a film an encoded part beside it can show: its own, and those that are mixed with others.
    private func covered(_ index: Int, _ film: Int, _ verdict: StretchVerdict, fromEnd: Bool) -> Int {
        let neighbor = fromEnd ? index - 1 : index + 1
        guard parts.indices.contains(neighbor), let other = parts[neighbor].origin?.film, other != film else {
            return parts[index].frames.count
        }
        return parts[index].frames.count - verdict.plainFrames(of: index, film: other, fromEnd: !fromEnd)
    }

    private mutating func report(_ count: Int, _ use: Int, _ place: Int, _ frame: Int, isHead: Bool) {
        guard count > 0 else { return }
        let film = join.uses[use].film
        if join.uses[use].isWhole {
            findings.append(
                join.finding(
                    .lost, at: place, count, source: film, sourceFrame: frame,
                    "\(frameText(count)) at the \(isHead ? "start" : "end") of \(join.name(film)) \(count == 1 ? "is" : "are") "
                        + "missing, from frame \(frame) on"))
        } else {
            notes.append(
                isHead
                    ? "\(join.name(film)) starts at frame \(frame + count)"
                    : "\(join.name(film)) ends before frame \(frame) of \(join.uses[use].range.upperBound)")
        }
    }
}
