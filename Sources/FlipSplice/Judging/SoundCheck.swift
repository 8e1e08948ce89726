import FlipBase

/// Compares how far sound lies from its picture with how far it does in the sources.
struct SoundCheck {
    private(set) var findings: [CheckFinding] = []
    private let join: CheckedJoin
    private let parts: [MatchedPart]

    /// Packets of a source that follow one another in the film.
    private struct Run {
        let film: Int
        let first: Int
        var packets: Range<Int>
    }

    /// The fewest packets that tell something.
    private static let minPackets = 4
    /// The least offset that is reported, in seconds, besides half a packet.
    private static let minOffset = 0.02

    init(_ join: CheckedJoin, _ parts: [MatchedPart]) {
        (self.join, self.parts) = (join, parts)
        for track in join.film.sounds.indices { check(track) }
    }

    private mutating func check(_ track: Int) {
        let sounds = join.sources.map { $0.sounds.indices.contains(track) ? $0.sounds[track] : JudgedFilm.Sound() }
        let own = join.film.sounds[track]
        var reported: [Int: Double] = [:]
        for run in runs(own, sounds) where run.packets.count >= Self.minPackets {
            let middle = (run.packets.lowerBound + run.packets.upperBound) / 2
            let source = sounds[run.film]
            let shift = own.packets[middle].time - source.packets[run.first + middle - run.packets.lowerBound].time
            guard let part = part(at: own.packets[middle].time, of: run.film) else { continue }
            let off = shift - part.shift
            if abs(off) <= max(Self.minOffset, 0.6 * max(own.step, source.step)) + join.film.tick { continue }
            if let before = reported[part.use], abs(before - off) < 0.005 { continue }
            reported[part.use] = off
            findings.append(
                join.finding(
                    .sound, at: part.frame, source: run.film,
                    "the sound of \(join.name(run.film))\(track > 0 ? " in track \(track + 1)" : "") is "
                        + "\((1000 * abs(off)).thousandths) ms \(off > 0 ? "later" : "earlier") beside its picture than in the source"))
        }
    }

    /// The copied part of a source that is nearest to `time`, and the seconds by which it was moved.
    private func part(at time: Double, of film: Int) -> (use: Int, frame: Int, shift: Double)? {
        var best: (distance: Double, part: MatchedPart)?
        for part in parts where part.origin?.film == film && !part.isMisplaced {
            let start = join.film.time(part.frames.lowerBound)
            let end = join.film.time(part.frames.upperBound - 1)
            let distance = max(0, start - time, time - end)
            if best.map({ distance < $0.distance }) ?? true { best = (distance, part) }
        }
        guard let part = best?.part, let origin = part.origin, best?.distance ?? 0 < 10 else { return nil }
        let frame = part.frames.lowerBound
        return (part.use ?? 0, frame, join.film.time(frame) - join.sources[film].time(origin.frame))
    }

    // MARK: Which packets are whose

    private func runs(_ own: JudgedFilm.Sound, _ sounds: [JudgedFilm.Sound]) -> [Run] {
        let entries = sounds.indices.flatMap { film in
            sounds[film].packets.enumerated().map { (hash: $1.hash, film: film, number: $0) }
        }.sorted { ($0.hash, $0.film, $0.number) < ($1.hash, $1.film, $1.number) }
        var runs: [Run] = []
        for (number, packet) in own.packets.enumerated() {
            if let last = runs.indices.last, runs[last].packets.upperBound == number {
                let next = runs[last].first + runs[last].packets.count
                let packets = sounds[runs[last].film].packets
                if next < packets.count, packets[next].hash == packet.hash {
                    runs[last].packets = runs[last].packets.lowerBound..<number + 1
                    continue
                }
            }
            let places = entries[entries.partitioningIndex { $0.hash >= packet.hash }...].prefix(64)
                .prefix { $0.hash == packet.hash }
            let likeliest = places.max { one, other in
                rank(number, own, sounds, one.film, one.number) < rank(number, own, sounds, other.film, other.number)
            }
            if let likeliest {
                runs.append(Run(film: likeliest.film, first: likeliest.number, packets: number..<number + 1))
            }
        }
        return runs
    }

    /// How likely it is that packet `number` is packet `place` of a source: by how many follow, then by its distance from
    /// where the picture says that it belongs.
    private func rank(
        _ number: Int, _ own: JudgedFilm.Sound, _ sounds: [JudgedFilm.Sound], _ film: Int, _ place: Int
    ) -> (Int, Double) {
        let length = zip(own.packets[number...].prefix(32), sounds[film].packets[place...]).prefix { $0.hash == $1.hash }.count
        let time = own.packets[number].time
        guard let part = part(at: time, of: film) else { return (length, -.infinity) }
        return (length, -abs(time - sounds[film].packets[place].time - part.shift))
    }
}
