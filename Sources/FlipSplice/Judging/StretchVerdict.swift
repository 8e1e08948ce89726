import FlipBase
import FlipMedia

/// Judges the parts of a film that were encoded anew, and the copied frames around them.
struct StretchVerdict {
    private let join: CheckedJoin
    private let parts: [MatchedPart]
    private let pictures: PictureCheck
    private let finder: StretchFinder
    private(set) var findings: [CheckFinding] = []

    /// The minimum PSNR of an encoded frame against its source's, in dB.
    private static let minPSNR = 25.0
    /// By how many dB a frame has to be worse than most, where these are that bad, too.
    private static let margin = 6.0
    /// The PSNR in dB below which frames are wrong even if most of their source's are hardly better.
    private static let leastUsual = 20.0
    /// The frames that tell what is usual are at least twice as many.
    private static let fewFrames = 8

    init(
        _ join: CheckedJoin, _ parts: [MatchedPart], _ pictures: PictureCheck, _ finder: StretchFinder
    ) throws(MediaError) {
        (self.join, self.parts, self.pictures, self.finder) = (join, parts, pictures, finder)
        for (index, stretch) in pictures.stretches.sorted(by: { $0.key < $1.key }) {
            try judge(index, stretch)
        }
        for run in Self.runs(pictures.broken) { reportBroken(run) }
        // Only these containers say when each frame is shown.
        if ["mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm", "mpegts"].contains(join.film.info.format) {
            for run in Self.runs(pictures.missing) where !isLostInSource(run) {
                findings.append(
                    join.finding(
                        .damaged, at: run.lowerBound, run.count,
                        "\(frameText(run.count)) can't be decoded"))
            }
        }
    }

    /// The numbers as ranges of those that follow each other, with gaps of up to 8.
    private static func runs(_ numbers: [Int]) -> [Range<Int>] {
        numbers.reduce(into: []) { runs, number in
            if let last = runs.last, number <= last.upperBound + 8 {
                runs[runs.count - 1] = last.lowerBound..<number + 1
            } else {
                runs.append(number..<number + 1)
            }
        }
    }

    /// Whether frames that decoding doesn't give are the first or last ones of a source that lacks them, too.
    private func isLostInSource(_ run: Range<Int>) -> Bool {
        parts.contains { part in
            guard part.frames.overlaps(run), let origin = part.origin else { return false }
            let first = origin.frame + run.lowerBound - part.frames.lowerBound
            return first <= 1 || first + run.count >= join.sources[origin.film].frames.count - 1
        }
    }

    private mutating func reportBroken(_ run: Range<Int>) {
        guard let part = parts.first(where: { $0.frames.contains(run.lowerBound) }), let origin = part.origin else {
            return
        }
        let frame = origin.frame + run.lowerBound - part.frames.lowerBound
        let count = pictures.broken.filter(run.contains).count
        findings.append(
            join.finding(
                .damaged, at: run.lowerBound, count, source: origin.film, sourceFrame: frame,
                "\(frameText(count)) of \(join.name(origin.film)) from frame \(frame) on "
                    + "\(count == 1 ? "decodes" : "decode") differently than in the source"))
    }

    private mutating func judge(_ index: Int, _ stretch: PictureCheck.Stretch) throws(MediaError) {
        let part = parts[index]
        let damaged = stretch.compared.filter(\.isDamaged).map(\.frame)
        // What an encoder makes begins with a keyframe.
        let key = part.frames.map { join.film.frames[$0] }.filter(\.isKey).map(\.order).min() ?? .max
        let changed = stretch.compared.map { (join.film.frames[$0.frame], $0.isExact) }
        if changed.contains(where: { $0.isTelling && $0.order < key && !$1 }) {
            let least = stretch.compared.compactMap { $0.best?.psnr }.min()
            findings.append(
                join.finding(
                    .damaged, at: part.frames.lowerBound, part.frames.count,
                    "the packet\(part.frames.count == 1 ? "" : "s") of \(frameText(part.frames.count)) "
                        + "\(part.frames.count == 1 ? "is" : "are") neither a source's own nor encoded anew"
                        + (least.map { ", \(Int($0)) dB from the source" } ?? "")))
            return
        }
        if let first = damaged.first {
            findings.append(
                join.finding(
                    .damaged, at: first, damaged.count, "\(frameText(damaged.count)) can't be decoded without errors"))
        }
        if finder.unclear.contains(index) { return }
        reportForeign(index, stretch)
        // Where everything looks different, it was made so.
        let single = stretch.compared.filter { $0.places.count == 1 && !$0.isDamaged && !join.isMade($0.frame) }
        let usual = single.map { $0.places[0].psnr }.sorted()
        let least =
            usual.count < 2 * Self.fewFrames ? Self.minPSNR : min(Self.minPSNR, usual[usual.count / 2] - Self.margin)
        let films = Dictionary(grouping: single) { $0.places[0].place.film }
        let leastOf = films.filter { $0.value.count >= Self.fewFrames }.mapValues { frames in
            min(least, max(Self.leastUsual, frames.map { $0.places[0].psnr }.sorted()[frames.count / 2] - Self.margin))
        }
        let wrong = single.filter { $0.places[0].psnr < leastOf[$0.places[0].place.film] ?? least }
        if !wrong.isEmpty, let jumps = try jumps(index), !jumps.isEmpty {
            findings += jumps
            return
        }
        for run in Self.runs(wrong.map(\.frame)) where !isBesideTransition(run, index, stretch) {
            let own = wrong.filter { run.contains($0.frame) }
            guard let worst = own.compactMap(\.best).min(by: { $0.psnr < $1.psnr }),
                let place = own.first?.places.first?.place
            else { continue }
            findings.append(
                join.finding(
                    .wrong, at: run.lowerBound, own.count, source: place.film, sourceFrame: place.frame,
                    "\(frameText(own.count)) \(own.count == 1 ? "isn't" : "aren't") what \(join.name(place.film)) shows from "
                        + "frame \(place.frame) on (\(Int(worst.psnr)) dB)"))
        }
    }

    /// Notes frames for which no source has any.
    private mutating func reportForeign(_ index: Int, _ stretch: PictureCheck.Stretch) {
        // Ends are rounded to frames, and those found by pictures are less exact.
        let isExact = join.sources.allSatisfy { $0.hasRate(of: join.film) }
        let fewest = finder.found.contains(index) ? 12 : isExact ? 1 : 3
        let foreign = stretch.compared.filter { $0.isKnownToNone && !join.isMade($0.frame) }.map(\.frame)
        for run in Self.runs(foreign) where run.count >= fewest {
            findings.append(
                join.finding(
                    .repeated, at: run.lowerBound, run.count,
                    "\(frameText(run.count)) \(run.count == 1 ? "comes" : "come") from no source: all have ended or not begun"
                ))
        }
    }

    /// Whether frames lie beside a transition whose place is only known from what frames look like.
    private func isBesideTransition(_ run: Range<Int>, _ index: Int, _ stretch: PictureCheck.Stretch) -> Bool {
        guard finder.found.contains(index) else { return false }
        return stretch.compared.contains {
            $0.places.count != 1 && $0.frame >= run.lowerBound - 3 && $0.frame < run.upperBound + 3
        }
    }

    /// Where an input that goes on in a part jumps within it; nil if it isn't known which one does.
    private func jumps(_ index: Int) throws(MediaError) -> [CheckFinding]? {
        let isKnown = { (part: MatchedPart) in part.origin != nil && !part.isMisplaced }
        let (before, behind) = (parts[..<index].last(where: isKnown), parts[(index + 1)...].first(where: isKnown))
        guard !finder.found.contains(index), before == nil || behind == nil || before?.use == behind?.use,
            let known = before ?? behind, let origin = known.origin, let use = known.use
        else { return nil }
        let offset = join.sources[origin.film].time(origin.frame) - join.film.time(known.frames.lowerBound)
        return try finder.jumps(in: index, use, offset)
    }

    /// The frames of each input that the encoded stretches beside it show.
    /// - Returns: how many frames of part `index` show `film` alone, from its first or its last frame on.
    func plainFrames(of index: Int, film: Int, fromEnd: Bool) -> Int {
        guard let stretch = pictures.stretches[index] else { return 0 }
        // Within a transition, some frames are neither film's.
        if stretch.compared.contains(where: { $0.places.count > 1 && $0.best.map(\.psnr) ?? 0 < Self.minPSNR }) {
            return 0
        }
        let compared = fromEnd ? stretch.compared.reversed() : stretch.compared
        return compared.prefix { frame in
            guard let best = frame.best, best.place.film == film, best.psnr >= Self.minPSNR else { return false }
            return frame.places.allSatisfy { $0.place == best.place || $0.psnr < best.psnr - Self.margin }
        }.count
    }
}
