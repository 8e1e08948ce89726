import FlipBase

/// Compares how far sound lies from its picture with how far it does in the sources.
struct SoundCheck {
    private(set) var findings: [CheckFinding] = []
    /// For each track, the times of the film at which packets are a source's own and no silence, in seconds.
    private(set) var copied: [[Range<Double>]] = []
    private let join: CheckedJoin
    private let places: [SoundPlace]

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

    /// - Parameter places: where the pictures of the inputs are shown.
    init(_ join: CheckedJoin, _ places: [SoundPlace]) {
        (self.join, self.places) = (join, places)
        for track in join.film.sounds.indices { check(track) }
    }

    private mutating func check(_ track: Int) {
        let sounds = join.sources.map { $0.sounds.indices.contains(track) ? $0.sounds[track] : JudgedFilm.Sound() }
        let own = join.film.sounds[track]
        var reported: [Int: Double] = [:]
        let runs = runs(own, sounds)
        copied.append(spans(own, runs))
        for run in runs {
            let source = sounds[run.film]
            let tolerance = max(SoundPlace.minOffset, 0.6 * max(own.step, source.step)) + join.film.tick
            // A frame that is shown as several says less exactly where its sound belongs.
            let isSlower = join.sources[run.film].step > 1.01 * join.film.step
            // The packets that are not where they belong, silence and other repetitions aside.
            let off = run.packets.compactMap { number -> (place: SoundPlace, offset: Double)? in
                let packet = own.packets[number]
                guard packet.isTelling else { return nil }
                let near = places.filter { $0.film == run.film && $0.distance(to: packet.time) < Self.reach }
                for place in near {
                    let time = packet.time - place.shift
                    if holds(packet, source, at: time, tolerance + (isSlower ? place.slack : 0)) { return nil }
                }
                let moved = packet.time - source.packets[run.first + number - run.packets.lowerBound].time
                return near.min { abs(moved - $0.shift) < abs(moved - $1.shift) }.map { ($0, moved - $0.shift) }
            }
            guard off.count >= Self.minPackets, case let (place, offset) = off[off.count / 2] else { continue }
            if let before = reported[place.use], abs(before - offset) < 0.005 { continue }
            reported[place.use] = offset
            findings.append(
                join.finding(
                    .sound, at: max(0, join.film.frame(at: place.span.lowerBound)), source: run.film,
                    Self.text(
                        "the sound of \(join.name(run.film))\(track > 0 ? " in track \(track + 1)" : "")",
                        offset: offset)))
        }
    }

    static func text(_ subject: String, offset: Double) -> String {
        "\(subject) is \((1000 * abs(offset)).thousandths) ms \(offset > 0 ? "later" : "earlier") beside its picture than in "
            + "the source"
    }

    /// The times of packets that are a source's own and tell something.
    private func spans(_ own: JudgedFilm.Sound, _ runs: [Run]) -> [Range<Double>] {
        var spans: [Range<Double>] = []
        for packet in runs.lazy.flatMap({ own.packets[$0.packets] }) where packet.isTelling {
            if let last = spans.last, packet.time < last.upperBound + own.step {
                spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, packet.time + own.step)
            } else {
                spans.append(packet.time..<packet.time + own.step)
            }
        }
        return spans
    }

    /// Whether a source has the same packet at `time` of its own.
    private func holds(
        _ packet: JudgedFilm.Sound.Packet, _ source: JudgedFilm.Sound, at time: Double, _ tolerance: Double
    ) -> Bool {
        let first = source.packets.partitioningIndex { $0.time >= time - tolerance }
        return source.packets[first...].prefix { $0.time <= time + tolerance }.contains { $0.hash == packet.hash }
    }

    /// Where the pictures of a source are shown nearest to `time`; nil if not within `reach`.
    private func place(near time: Double, of film: Int) -> SoundPlace? {
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
