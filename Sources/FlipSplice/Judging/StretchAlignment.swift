import FlipBase
import FlipMedia

/// Where an input lies within a stretch of the film that was encoded anew.
struct StretchAlignment: Sendable {
    /// The number of the input.
    let use: Int
    /// The seconds that are added to times of the film to get those of the source.
    let offset: Double
    /// The times of the film, in seconds, for which that holds.
    let span: Range<Double>
    /// By how many seconds `offset` may be wrong, where little moves.
    var slack = 0.0

    /// The source's frame shown at `time` of the film; nil if the input has none then.
    func frame(at time: Double, _ join: CheckedJoin) -> Int? {
        let source = join.sources[join.uses[use].film]
        let range = join.uses[use].range
        guard span.contains(time), time + offset < source.end(before: range.upperBound) + source.step / 4 else {
            return nil
        }
        let frame = source.frame(at: time + offset)
        return range.contains(frame) ? frame : nil
    }
}

/// Finds the inputs of which no packet is in the film, by what their frames look like.
final class StretchFinder {
    private(set) var findings: [CheckFinding] = []
    /// The parts in which an input wasn't found that has to be there.
    private(set) var unclear: Set<Int> = []
    /// The parts in which inputs were looked for.
    private(set) var found: Set<Int> = []
    private let join: CheckedJoin
    private let parts: [MatchedPart]
    private let threads: Int

    /// The difference of thumbnails above which frames are simply different.
    static let limit = 12.0
    /// The mean difference up to which an input counts as found.
    static let maxDifference = 7.0
    /// By how many frames the film may jump within an input.
    private static let reach = 12
    /// What a jump costs, in differences of thumbnails. Where pictures were scaled, perhaps by another part of a line than the
    /// thumbnails, slow motion looks like a jump wherever its direction changes.
    private static let (jump, jumpOfScaled) = (14.0, 42.0)
    /// The fewest frames that tell a jump from a frame that is another's.
    static let minRun = 8

    init(_ join: CheckedJoin, _ parts: [MatchedPart], threads: Int) {
        (self.join, self.parts, self.threads) = (join, parts, threads)
    }

    /// Where inputs lie in each part that was encoded, by the number of the part.
    func alignments() throws(MediaError) -> [Int: [StretchAlignment]] {
        var result: [Int: [StretchAlignment]] = [:]
        for index in parts.indices where parts[index].origin == nil {
            let before = parts[..<index].compactMap(\.use).last ?? -1
            let behind = parts[(index + 1)...].compactMap(\.use).first ?? join.uses.count
            let uses = before + 1 < behind ? Array(before + 1..<behind) : []
            let missing = uses.filter { use in !parts.contains { $0.use == use } }
            if missing.isEmpty { continue }
            found.insert(index)
            result[index] = try align(missing, index)
        }
        return result
    }

    /// Where the input that goes on in a part, with `offset` between the times, jumps within it.
    func jumps(in part: Int, _ use: Int, _ offset: Double) throws(MediaError) -> [CheckFinding] {
        let (film, frames) = (join.sources[join.uses[use].film], parts[part].frames)
        let own = try Thumbnails(of: join.film, frames, as: join.film.video, threads: threads)
        let range =
            film.frame(at: join.film.time(frames.lowerBound) + offset) - Self.reach..<film.frame(
                at: join.film.time(frames.upperBound - 1) + offset) + 1 + Self.reach
        let source = try Thumbnails(
            of: film, range.clamped(to: join.uses[use].range), as: join.film.video, threads: threads)
        let count = findings.count
        if source.count > 0 { _ = segments(use, source, film, own, offset, isKnown: true) }
        defer { findings.removeLast(findings.count - count) }
        return Array(findings[count...])
    }

    private func align(_ uses: [Int], _ part: Int) throws(MediaError) -> [StretchAlignment] {
        let own = try Thumbnails(of: join.film, parts[part].frames, as: join.film.video, threads: threads)
        var (places, begun, slacks) = ([(use: Int, source: Thumbnails, offset: Double)](), 0, [Int: Double]())
        let around = around(part)
        for use in uses {
            let source = join.sources[join.uses[use].film]
            let thumbnails = try Thumbnails(of: source, join.uses[use].range, as: join.film.video, threads: threads)
            let isRepeated = uses.contains { $0 > use && join.uses[$0].film == join.uses[use].film }
            let search = OffsetSearch(
                source: thumbnails, step: source.step, own: own, filmStep: join.film.step, begun: begun, around: around,
                isLast: use == uses.last, isRepeated: isRepeated)
            guard let found = search.place() ?? earlier(search, places) else {
                unclear.insert(part)
                continue
            }
            begun = max(begun, found.end ?? begun)
            let start = thumbnails.times[0] - found.offset
            if places.contains(where: { start + source.step * Double(Self.minRun) < $0.source.times[0] - $0.offset }) {
                reportOrder(use, start)
            }
            places.append((use, thumbnails, found.offset))
            slacks[use] = found.slack
        }
        var result: [StretchAlignment] = []
        for (number, place) in places.enumerated() {
            let others = places.indices.filter { $0 != number }.map { other in
                let film = join.sources[join.uses[places[other].use].film]
                let source = places[other].source
                return source.times[0] - places[other].offset..<source.last + film.step - places[other].offset
            }
            let source = join.sources[join.uses[place.use].film]
            // Within transitions, no place fits.
            result += segments(place.use, place.source, source, own, place.offset) { time in
                others.contains { $0.contains(time) } || time < around.lowerBound || time >= around.upperBound
            }
        }
        for index in result.indices { result[index].slack = slacks[result[index].use] ?? 0 }
        return result
    }

    /// Where an input lies before others that were given before it; nil if it doesn't seem to be there.
    private func earlier(
        _ search: OffsetSearch, _ places: [(use: Int, source: Thumbnails, offset: Double)]
    ) -> OffsetSearch.Found? {
        var search = search
        (search.begun, search.around) = (0, -.infinity..<(.infinity))
        guard let found = search.place(), let end = found.end else { return nil }
        // A few frames may lie in both.
        let time = search.own.times[max(0, end - 1 - Self.minRun)]
        let isTaken = places.contains { place in
            let times = place.source.times[0]...max(place.source.times[0], place.source.last)
            return times.contains(time + place.offset)
        }
        return isTaken ? nil : found
    }

    /// Reports an input that comes earlier than others which were given before it.
    private func reportOrder(_ use: Int, _ time: Double) {
        let (range, film) = (join.uses[use].range, join.uses[use].film)
        findings.append(
            join.finding(
                .order, at: max(0, join.film.frame(at: time)), range.count, source: film, sourceFrame: range.lowerBound,
                "\(join.name(film)) comes in another place than given"))
    }

    /// The times of a part for which the inputs before and behind it have no frames.
    private func around(_ part: Int) -> Range<Double> {
        let isKnown = { (part: MatchedPart) in part.origin != nil && !part.isMisplaced }
        var (start, end) = (-Double.infinity, Double.infinity)
        if let before = parts[..<part].last(where: isKnown), let origin = before.origin, let use = before.use {
            let source = join.sources[origin.film]
            let shift = join.film.time(before.frames.lowerBound) - source.time(origin.frame)
            start = source.end(before: join.uses[use].range.upperBound) + shift
        }
        if let behind = parts[(part + 1)...].first(where: isKnown), let origin = behind.origin, let use = behind.use {
            let source = join.sources[origin.film]
            end =
                join.film.time(behind.frames.lowerBound) - source.time(origin.frame)
                + source.time(join.uses[use].range.lowerBound)
        }
        return start..<max(start, end)
    }

    // MARK: Jumps within an input

    /// Follows the film through an input, frame by frame, and notes where it jumps.
    private func segments(
        _ use: Int, _ source: Thumbnails, _ film: JudgedFilm, _ own: Thumbnails, _ offset: Double,
        isKnown: Bool = false,
        isShared: (_ time: Double) -> Bool = { _ in false }
    ) -> [StretchAlignment] {
        let shown = own.times.indices.compactMap { index in
            isShared(own.times[index])
                ? nil : source.index(at: own.times[index] + offset, step: film.step).map { (own: index, source: $0) }
        }
        guard !shown.isEmpty else {
            return [StretchAlignment(use: use, offset: offset, span: -Double.infinity..<Double.infinity)]
        }
        let path = path(
            shown, own, source, jump: film.video.hasForm(of: join.film.video) ? Self.jump : Self.jumpOfScaled)
        var result: [StretchAlignment] = []
        var (start, begin) = (0, -Double.infinity)
        var runs: [Range<Int>] = []
        for index in 1...path.count where index == path.count || path[index] != path[start] {
            runs.append(start..<index)
            start = index
        }
        let isSameRate = abs(film.step / join.film.step - 1) < 0.001
        var last = 0
        let isClear = { (run: Range<Int>) in
            let differences = run.map { index in
                let other = shown[index].source + path[index]
                return (0..<source.count).contains(other)
                    ? own.difference(shown[index].own, source, other, limit: Self.limit) : Self.limit
            }
            return differences.reduce(0, +) / Double(run.count) < Self.maxDifference / 2
        }
        // In a transition, no place fits.
        let clear = runs.filter { $0.count >= Self.minRun && isClear($0) }
        last = isKnown ? 0 : clear.first.map { path[$0.lowerBound] } ?? 0
        for run in clear {
            let change = path[run.lowerBound] - last
            let place = own.times[shown[run.lowerBound].own]
            if change != 0, isSameRate || abs(change) > 2, !source.isDamaged {
                report(
                    change, use, own.first + shown[run.lowerBound].own,
                    source.first + shown[run.lowerBound].source + last)
            }
            if change != 0, let previous = result.indices.last {
                result[previous] = StretchAlignment(
                    use: use, offset: result[previous].offset, span: result[previous].span.lowerBound..<place)
                begin = place
            }
            if change != 0 || result.isEmpty {
                last = path[run.lowerBound]
                result.append(
                    StretchAlignment(use: use, offset: offset + Double(last) * film.step, span: begin..<Double.infinity)
                )
            }
        }
        if result.isEmpty {
            result = [StretchAlignment(use: use, offset: offset, span: begin..<Double.infinity)]
        }
        return result
    }

    private func report(_ change: Int, _ use: Int, _ frame: Int, _ sourceFrame: Int) {
        let (count, film) = (abs(change), join.uses[use].film)
        findings.append(
            join.finding(
                change > 0 ? .lost : .repeated, at: frame, count, source: film, sourceFrame: sourceFrame,
                "\(frameText(count)) of \(join.name(film)) near frame \(sourceFrame) \(count == 1 ? "is" : "are") "
                    + (change > 0 ? "missing" : "repeated")))
    }

    /// By how many frames of the source each frame of the film lies off, so that the pictures differ least and jumps are few.
    private func path(
        _ shown: [(own: Int, source: Int)], _ own: Thumbnails, _ source: Thumbnails, jump: Double
    ) -> [Int] {
        let states = 2 * Self.reach + 1
        var costs = [Double](repeating: 0, count: states)
        var steps: [[UInt8]] = []
        for (index, place) in shown.enumerated() {
            let best = costs.indices.min { costs[$0] < costs[$1] } ?? Self.reach
            var (next, from) = (costs, [UInt8](repeating: 0, count: states))
            for state in 0..<states {
                let jumps = index > 0 && costs[best] + jump < costs[state]
                from[state] = UInt8(jumps ? best : state)
                let other = place.source + state - Self.reach
                let difference =
                    (0..<source.count).contains(other)
                    ? own.difference(place.own, source, other, limit: Self.limit) : Self.limit
                // Where nothing moves, frames lie where they are expected.
                let bias = state == Self.reach ? 0 : 0.02
                next[state] = (jumps ? costs[best] + jump : costs[state]) + difference + bias
            }
            costs = next
            steps.append(from)
        }
        var state = costs.indices.min { costs[$0] < costs[$1] } ?? Self.reach
        var path = [Int](repeating: 0, count: shown.count)
        for index in shown.indices.reversed() {
            path[index] = state - Self.reach
            state = Int(steps[index][state])
        }
        return path
    }
}
