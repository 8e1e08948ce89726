import FlipBase
import FlipMedia

/// Judges a joined film, made by any program, against the files that it was made of.
package struct FilmCheck {
    /// A file that the film was made of.
    package struct Input: Sendable {
        package let path: String
        /// The part that has to be in the film; without bounds, whatever is there of it.
        package let part: ClipPart

        package init(path: String, part: ClipPart) { (self.path, self.part) = (path, part) }
    }

    /// - Parameters:
    ///   - path: the joined film.
    ///   - inputs: what it was made of, in order. The same file may be there several times.
    ///   - made: its frames that come from none of them, such as titles.
    ///   - wantsWhole: whether inputs without bounds have to be there from the first to the last frame.
    ///   - threads: the number of frames decoded at a time, at least 1.
    /// - Throws: `badInput` if a file has no video, and what `MediaProbe.probe` throws.
    package static func report(
        on path: String, _ inputs: [Input], made: [Range<Int>] = [], wantsWhole: Bool, threads: Int
    ) throws(MediaError) -> CheckReport {
        let film = try JudgedFilm(path: path)
        var (sources, numbers, uses) = ([JudgedFilm](), [String: Int](), [CheckUse]())
        for input in inputs {
            let number = numbers[input.path] ?? sources.count
            if number == sources.count { sources.append(try JudgedFilm(path: input.path)) }
            numbers[input.path] = number
            uses.append(
                CheckUse(
                    film: number, range: sources[number].range(of: input.part),
                    needed: sources[number].surelyIn(input.part),
                    isWhole: wantsWhole || input.part.start != nil || input.part.end != nil))
        }
        return try report(CheckedJoin(film: film, sources: sources, uses: uses, made: made), threads)
    }

    private static func report(_ join: CheckedJoin, _ threads: Int) throws(MediaError) -> CheckReport {
        let matching = FrameMatching(join.sources, join.uses)
        let order = PartOrder(join, matching.parts(of: join.film))
        let parts = order.parts
        let finder = StretchFinder(join, parts, threads: threads)
        let alignments = try finder.alignments()
        let pictures = try PictureCheck(join, parts, alignments, threads: threads)
        try pictures.run()
        let verdict = try StretchVerdict(join, parts, pictures, finder)
        let ends = EndCheck(join, parts, verdict, recognized: Set(alignments.values.joined().map(\.use)))
        let tags = TagCheck(join, parts)
        var findings = order.findings + finder.findings + verdict.findings + ends.findings
        findings += LagCheck(join, pictures.stretches, known: findings).findings
        findings += try TimeCheck(join, parts).findings + soundFindings(join, parts, alignments, finder)
        findings.sort { ($0.frame ?? .max) < ($1.frame ?? .max) }
        findings += tags.findings
        let copied = parts.indices.filter { parts[$0].origin != nil || pictures.stretches[$0]?.isExact == true }
            .reduce(0) { $0 + parts[$1].frames.count }
        return CheckReport(
            path: join.film.info.path, frames: join.film.frames.count, copied: copied,
            encoded: join.film.frames.count - copied,
            parts: parts.indices.map { part(parts[$0], pictures.stretches[$0], join) }, findings: findings,
            notes: ends.notes + tags.notes
                + join.made.map { frames in
                    "\(frameText(frames.count)) from \(join.time(frames.lowerBound).thousandths) s on aren't compared, since the "
                        + "project makes them"
                })
    }

    private static func soundFindings(
        _ join: CheckedJoin, _ parts: [MatchedPart], _ alignments: [Int: [StretchAlignment]], _ finder: StretchFinder
    ) throws(MediaError) -> [CheckFinding] {
        let places = SoundPlace.all(join, parts, alignments.values.flatMap(\.self))
        let packets = SoundCheck(join, places)
        // Where an input wasn't found, it isn't known whose sound is heard.
        let clear = alignments.filter { !finder.unclear.contains($0.key) }.values.flatMap(\.self)
        let alone = SoundPlace.heardAlone(join, parts, SoundPlace.all(join, parts, clear))
        return try packets.findings + HeardCheck(join, alone, copied: { packets.copied[$0] }).findings
    }

    private static func part(
        _ part: MatchedPart, _ stretch: PictureCheck.Stretch?, _ join: CheckedJoin
    ) -> CheckPart {
        let place = part.origin ?? stretch?.compared.first?.best?.place
        let isCopied = part.origin != nil || stretch?.isExact == true
        let found = stretch?.compared.compactMap { $0.places.count == 1 ? $0.best?.psnr : nil } ?? []
        return CheckPart(
            kind: isCopied ? .copied : .encoded, frame: part.frames.lowerBound, count: part.frames.count,
            source: place.map { join.name($0.film) }, sourceFrame: place?.frame,
            minPSNR: found.min().map { ($0 * 10).rounded() / 10 }, compared: stretch?.compared.count)
    }
}
