import FlipBase
import FlipMedia

/// Finds frames of encoded parts that have changed places, or are missing or repeated where little moves.
struct LagCheck {
    private(set) var findings: [CheckFinding] = []
    private let join: CheckedJoin

    /// The fewest frames that tell that the film goes on with another frame.
    private static let fewest = 5
    /// By how many frames findings of the same fault may be apart.
    private static let reach = 16

    /// A frame that looks more like one frame of its source than like those beside it.
    private struct Sign {
        let frame: Int
        let place: FramePlace
        /// By how many frames of the source it shows a later one than it should.
        let lag: Int
    }

    /// - Parameter known: what was found so far.
    init(_ join: CheckedJoin, _ stretches: [Int: PictureCheck.Stretch], known: [CheckFinding]) {
        self.join = join
        for (_, stretch) in stretches.sorted(by: { $0.key < $1.key }) {
            let signs = stretch.compared.compactMap { compared in
                compared.lag.flatMap { lag in
                    compared.places.first.map { Sign(frame: compared.frame, place: $0.place, lag: lag) }
                }
            }
            reportJumps(withoutSwaps(signs, known).filter { mayJump(join.sources[$0.place.film]) }, known)
        }
    }

    /// Whether lags of a source's frames tell of jumps: where times were made even, frames are repeated and left out, and where
    /// pictures were scaled, perhaps by another part of a line than here, slow motion looks like a lag.
    private func mayJump(_ source: JudgedFilm) -> Bool {
        let (video, own) = (source.video, join.film.video)
        return video.hasForm(of: own) && video.isVariableFrameRate == own.isVariableFrameRate
            && abs(source.step / join.film.step - 1) < 0.02
    }

    private func isKnown(_ frame: Int, _ known: [CheckFinding], _ kinds: [CheckFinding.Kind]) -> Bool {
        known.contains { kinds.contains($0.kind) && abs(($0.frame ?? .min / 2) - frame) < Self.reach }
    }

    /// Reports two frames each of which shows the other. Returns the signs without them.
    private mutating func withoutSwaps(_ signs: [Sign], _ known: [CheckFinding]) -> [Sign] {
        var (rest, index) = ([Sign](), 0)
        while index < signs.count {
            let sign = signs[index]
            if index + 1 < signs.count, sign.lag == 1, signs[index + 1].lag == -1,
                signs[index + 1].frame == sign.frame + 1, signs[index + 1].place.film == sign.place.film,
                signs[index + 1].place.frame == sign.place.frame + 1
            {
                if !isKnown(sign.frame, known, [.order]) {
                    let (film, frame) = (sign.place.film, sign.place.frame)
                    findings.append(
                        join.finding(
                            .order, at: sign.frame, 2, source: film, sourceFrame: frame,
                            "frames \(frame) and \(frame + 1) of \(join.name(film)) have changed places"))
                }
                index += 2
            } else {
                rest.append(sign)
                index += 1
            }
        }
        return rest
    }

    /// Reports where the film goes on with a later or an earlier frame than before.
    private mutating func reportJumps(_ signs: [Sign], _ known: [CheckFinding]) {
        var runs: [ArraySlice<Sign>] = []
        var start = 0
        for index in signs.indices.dropFirst()
        where signs[index].lag != signs[start].lag || signs[index].place.film != signs[start].place.film {
            runs.append(signs[start..<index])
            start = index
        }
        if start < signs.count { runs.append(signs[start...]) }
        runs.removeAll { $0.count < Self.fewest }
        for (before, behind) in zip(runs, runs.dropFirst()) {
            guard let last = before.last, let next = behind.first, last.place.film == next.place.film,
                last.lag != next.lag, !isKnown(next.frame, known, [.lost, .repeated, .times])
            else { continue }
            let (isLost, film) = (next.lag > last.lag, next.place.film)
            let frame = last.place.frame + last.lag + 1
            findings.append(
                join.finding(
                    isLost ? .lost : .repeated, at: next.frame, abs(next.lag - last.lag), source: film,
                    sourceFrame: frame,
                    "\(frameText(abs(next.lag - last.lag))) of \(join.name(film)) near frame \(frame) "
                        + "\(abs(next.lag - last.lag) == 1 ? "is" : "are") \(isLost ? "missing" : "repeated")"))
        }
    }
}
