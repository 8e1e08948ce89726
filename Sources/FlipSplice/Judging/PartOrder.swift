import FlipBase

/// Says to which input each part of a film belongs, and what is missing, repeated or out of order.
struct PartOrder {
    private let join: CheckedJoin
    private(set) var parts: [MatchedPart]
    private(set) var findings: [CheckFinding] = []

    /// The frames of a run that may be misplaced: a longer one is there on purpose.
    private static let maxMisplaced = 12

    init(_ join: CheckedJoin, _ parts: [MatchedPart]) {
        (self.join, self.parts) = (join, parts)
        assign()
        for use in join.uses.indices { judge(use) }
        findings.sort { ($0.frame ?? 0) < ($1.frame ?? 0) }
    }

    // MARK: Which input a part belongs to

    private mutating func assign() {
        var current: Int?
        var next = 0
        for index in parts.indices {
            guard let origin = parts[index].origin else { continue }
            if let use = current, isIsland(index, use, next) {
                (parts[index].belonging, parts[index].use) = (next + between(index), use)
                continue
            }
            let use = use(of: origin, index, after: current, next)
            parts[index].use = use
            if let current, use < current, join.uses[current].film != origin.film {
                findings.append(
                    join.finding(
                        .order, at: parts[index].frames.lowerBound, parts[index].frames.count, source: origin.film,
                        sourceFrame: origin.frame, "\(join.name(origin.film)) comes in another place than given"))
            }
            (current, next) = (use, parts[index].own.upperBound)
        }
    }

    /// The frames that were put before part `index` since the last part that lies where it belongs.
    private func between(_ index: Int) -> Int {
        parts[..<index].reversed().prefix { $0.origin == nil || $0.isMisplaced }.reduce(0) { $0 + $1.frames.count }
    }

    /// Whether part `index` is a short run in a place where the frames around it belong together without it.
    /// - Parameter next: the frame of the source of `use` that should follow.
    private func isIsland(_ index: Int, _ use: Int, _ next: Int) -> Bool {
        let part = parts[index]
        guard let origin = part.origin, part.frames.count <= Self.maxMisplaced else { return false }
        let film = join.uses[use].film
        if origin.film == film, origin.frame == next { return false }
        guard let following = parts[(index + 1)...].first(where: { $0.origin != nil }),
            let resumed = following.origin, resumed.film == film
        else { return false }
        let between = following.frames.lowerBound - part.frames.upperBound
        if origin.film == film, following.frames.count <= part.frames.count, following.own.upperBound <= origin.frame {
            return false
        }
        let count = self.between(index) + part.frames.count + between
        if resumed.frame == next + count { return true }
        return origin.film != film && (next...next + count).contains(resumed.frame)
    }

    private func use(of origin: FramePlace, _ index: Int, after current: Int?, _ next: Int) -> Int {
        let holds = { (use: Int) in
            join.uses[use].film == origin.film && join.uses[use].range.contains(origin.frame)
        }
        guard let current else {
            // More frames than the input has before it belong to another.
            let fits = { (use: Int) in
                holds(use) && parts[index].frames.lowerBound <= origin.frame - join.uses[use].range.lowerBound
            }
            return join.uses.indices.first(where: fits) ?? join.uses.indices.last(where: holds)
                ?? join.uses.firstIndex { $0.film == origin.film } ?? 0
        }
        let later = (current + 1..<join.uses.count).first(where: holds)
        if join.uses[current].film == origin.film {
            guard let later else { return current }
            let begins = (join.uses[later].range.lowerBound...join.uses[later].needed.lowerBound).contains(origin.frame)
            if origin.frame < next { return begins || !isResumed(after: index, origin.film, next) ? later : current }
            // More frames than are passed over don't fit in.
            let filler = parts[..<index].reversed().prefix { $0.origin == nil }.reduce(0) { $0 + $1.frames.count }
            let isFull = filler > origin.frame - next
            return holds(current) && !isFull && !(begins && origin.frame > next) ? current : later
        }
        return later ?? (current + 1..<join.uses.count).first { join.uses[$0].film == origin.film }
            ?? join.uses.firstIndex { $0.film == origin.film } ?? current
    }

    /// Whether a source goes on behind part `index` about where it was left, at frame `next`.
    private func isResumed(after index: Int, _ film: Int, _ next: Int) -> Bool {
        guard parts[index].frames.count <= Self.maxMisplaced,
            let following = parts[(index + 1)...].first(where: { $0.origin != nil })?.origin
        else { return false }
        return following.film == film && (next...next + Self.maxMisplaced).contains(following.frame)
    }

    // MARK: What is missing or too much

    /// A place where frames of the source are passed over.
    private struct Gap {
        var missing: Range<Int>
        /// The frames that take their place.
        let filler: Int
        /// The film's frame before which they are missing.
        let place: Int
        /// The missing frames that come later.
        var late = 0
    }

    private mutating func judge(_ use: Int) {
        guard let first = parts.firstIndex(where: { $0.use == use }),
            let last = parts.lastIndex(where: { $0.use == use })
        else { return }
        var gaps: [Gap] = []
        var (high, filler) = (parts[first].isMisplaced ? 0 : parts[first].own.lowerBound, 0)
        for index in first...last {
            let part = parts[index]
            guard part.use == use, !part.isMisplaced else {
                if part.use == use || part.use == nil { filler += part.frames.count }
                if part.isMisplaced { report(misplaced: part, use) }
                continue
            }
            if part.own.lowerBound > high || filler > 0, part.own.lowerBound >= high {
                gaps.append(Gap(missing: high..<part.own.lowerBound, filler: filler, place: part.frames.lowerBound))
            } else if part.own.lowerBound < high {
                report(late: part, use, &gaps, high)
            }
            high = max(high, part.own.upperBound)
            filler = 0
        }
        for gap in gaps { report(gap, use) }
    }

    private mutating func report(misplaced part: MatchedPart, _ use: Int) {
        guard let origin = part.origin else { return }
        let (count, film) = (part.frames.count, join.uses[use].film)
        let isSwapped = { (other: MatchedPart) in
            other.use == use && other.belonging == origin.frame && other.origin?.frame == part.belonging
                && other.frames.count == count
        }
        if origin.film == film, let other = parts.first(where: isSwapped) {
            guard other.frames.lowerBound > part.frames.lowerBound else { return }
            let text = "frames \(other.own.lowerBound) and \(origin.frame) of \(join.name(film)) have changed places"
            findings.append(
                join.finding(
                    .order, at: part.frames.lowerBound, 2 * count, source: film, sourceFrame: other.own.lowerBound, text
                ))
            return
        }
        let shown =
            origin.film == film
            ? "frame \(origin.frame)\(count > 1 ? " to \(part.own.upperBound - 1)" : "")"
            : "\(join.name(origin.film))"
        findings.append(
            join.finding(
                .wrong, at: part.frames.lowerBound, count, source: origin.film, sourceFrame: origin.frame,
                "\(frameText(count)) within \(join.name(film)) \(count == 1 ? "shows" : "show") \(shown)"))
    }

    /// Notes a run that begins before frames that have been shown already.
    private mutating func report(late part: MatchedPart, _ use: Int, _ gaps: inout [Gap], _ high: Int) {
        let film = join.uses[use].film
        var late = 0
        for index in gaps.indices {
            let common = part.own.clamped(to: gaps[index].missing).count
            gaps[index].late += common
            late += common
        }
        let repeated = max(0, min(part.own.upperBound, high) - part.own.lowerBound - late)
        if late > 0 {
            findings.append(
                join.finding(
                    .order, at: part.frames.lowerBound, late, source: film, sourceFrame: part.own.lowerBound,
                    "\(frameText(late)) of \(join.name(film)) from frame \(part.own.lowerBound) on "
                        + "\(late == 1 ? "comes" : "come") too late"))
        }
        if repeated > 0 {
            findings.append(
                join.finding(
                    .repeated, at: part.frames.lowerBound, repeated, source: film, sourceFrame: part.own.lowerBound,
                    "\(frameText(repeated)) of \(join.name(film)) from frame \(part.own.lowerBound) on "
                        + "\(repeated == 1 ? "is" : "are") repeated"))
        }
    }

    private mutating func report(_ gap: Gap, _ use: Int) {
        let film = join.uses[use].film
        // What a part leaves out was not asked for.
        let asked = gap.missing.clamped(to: join.uses[use].needed).count
        let missing = asked - gap.late - gap.filler
        if missing > 0 {
            findings.append(
                join.finding(
                    .lost, at: gap.place, missing, source: film, sourceFrame: gap.missing.lowerBound,
                    "\(frameText(missing)) of \(join.name(film)) from frame \(gap.missing.lowerBound) on "
                        + "\(missing == 1 ? "is" : "are") missing"))
        } else if missing < 0, gap.filler > 0 {
            findings.append(
                join.finding(
                    .repeated, at: gap.place - gap.filler, -missing, source: film,
                    "there \(missing == -1 ? "is" : "are") \(frameText(-missing)) too many within \(join.name(film))"))
        }
    }
}
