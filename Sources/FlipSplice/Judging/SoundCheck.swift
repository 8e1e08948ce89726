import FlipBase

/// Compares how far sound lies from its picture with how far it does in the sources.
struct SoundCheck {
    private(set) var findings: [CheckFinding] = []
    private let join: CheckedJoin
    /// Where the pictures of the inputs are shown.
    private let places: [Place]

    /// A time during which the pictures of a source are shown, in seconds, and by how much they were moved.
    private struct Place {
        let use: Int
        let film: Int
        let span: ClosedRange<Double>
        let shift: Double

        func distance(to time: Double) -> Double { max(0, span.lowerBound - time, time - span.upperBound) }
    }

    /// Packets of a source that follow one another in the film.
    private struct Run {
        let film: Int
        let first: Int
        var packets: Range<Int>
    }

    /// The fewest packets that tell something.
    private static let minPackets = 4
    /// How far from its picture sound may lie, in seconds.
    private static let reach = 10.0
    /// The least offset that is reported, in seconds, besides half a packet.
    private static let minOffset = 0.04

    init(_ join: CheckedJoin, _ parts: [MatchedPart], _ alignments: [StretchAlignment]) {
        self.join = join
        let film = join.film
        places =
            parts.compactMap { part in
                guard let origin = part.origin, let use = part.use, !part.isMisplaced else { return nil }
                let (first, last) = (film.time(part.frames.lowerBound), film.time(part.frames.upperBound - 1))
                return Place(
                    use: use, film: origin.film, span: first...last,
                    shift: first - join.sources[origin.film].time(origin.frame))
            }
            + alignments.compactMap { alignment in
                let use = join.uses[alignment.use]
                let source = join.sources[use.film]
                let first = max(source.time(use.range.lowerBound) - alignment.offset, alignment.span.lowerBound)
                let last = min(source.time(use.range.upperBound - 1) - alignment.offset, alignment.span.upperBound)
                guard first <= last else { return nil }
                return Place(use: alignment.use, film: use.film, span: first...last, shift: -alignment.offset)
            }
        for track in join.film.sounds.indices { check(track) }
    }

    private mutating func check(_ track: Int) {
        let sounds = join.sources.map { $0.sounds.indices.contains(track) ? $0.sounds[track] : JudgedFilm.Sound() }
        let own = join.film.sounds[track]
        var reported: [Int: Double] = [:]
        for run in runs(own, sounds) {
            let source = sounds[run.film]
            let tolerance = max(Self.minOffset, 0.6 * max(own.step, source.step)) + join.film.tick
            // The packets that are not where they belong, silence and other repetitions aside.
            let off = run.packets.compactMap { number -> (place: Place, offset: Double)? in
                let packet = own.packets[number]
                guard packet.isTelling else { return nil }
                let near = places.filter { $0.film == run.film && $0.distance(to: packet.time) < Self.reach }
                for place in near where holds(packet, source, at: packet.time - place.shift, tolerance) { return nil }
                let moved = packet.time - source.packets[run.first + number - run.packets.lowerBound].time
                return near.min { abs(moved - $0.shift) < abs(moved - $1.shift) }.map { ($0, moved - $0.shift) }
            }
            guard off.count >= Self.minPackets, case let (place, offset) = off[off.count / 2] else { continue }
            if let before = reported[place.use], abs(before - offset) < 0.005 { continue }
            reported[place.use] = offset
            findings.append(
                join.finding(
                    .sound, at: max(0, join.film.frame(at: place.span.lowerBound)), source: run.film,
                    "the sound of \(join.name(run.film))\(track > 0 ? " in track \(track + 1)" : "") is "
                        + "\((1000 * abs(offset)).thousandths) ms \(offset > 0 ? "later" : "earlier") beside its picture than "
                        + "in the source"))
        }
    }

    /// Whether a source has the same packet at `time` of its own.
    private func holds(
        _ packet: JudgedFilm.Sound.Packet, _ source: JudgedFilm.Sound, at time: Double, _ tolerance: Double
    ) -> Bool {
        let first = source.packets.partitioningIndex { $0.time >= time - tolerance }
        return source.packets[first...].prefix { $0.time <= time + tolerance }.contains { $0.hash == packet.hash }
    }

    /// Where the pictures of a source are shown nearest to `time`; nil if not within `reach`.
    private func place(near time: Double, of film: Int) -> Place? {
        let nearest = places.filter { $0.film == film }.min { $0.distance(to: time) < $1.distance(to: time) }
        return nearest.flatMap { $0.distance(to: time) < Self.reach ? $0 : nil }
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

    /// How likely it is that packet `index` is packet `number` of a source: by how many follow, then by its distance from
    /// where the picture says that it belongs.
    private func rank(
        _ index: Int, _ own: JudgedFilm.Sound, _ sounds: [JudgedFilm.Sound], _ film: Int, _ number: Int
    ) -> (Int, Double) {
        let length = zip(own.packets[index...].prefix(32), sounds[film].packets[number...]).prefix {
            $0.hash == $1.hash
        }.count
        let time = own.packets[index].time
        guard let place = place(near: time, of: film) else { return (length, -.infinity) }
        return (length, -abs(time - sounds[film].packets[number].time - place.shift))
    }
}
