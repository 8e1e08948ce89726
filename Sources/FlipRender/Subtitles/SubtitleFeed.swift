import FlipBase
import FlipFiles
import FlipMedia
import FlipSplice

/// The packets of all subtitle tracks of an output, in order of time. Only files that are shown now are open.
final class SubtitleMerger {
    /// The voices that have not begun, in the order in which they do.
    private var waiting: [SubtitleVoice]
    /// The voices that have begun, each with its next cue.
    private var open: [(voice: SubtitleVoice, next: Cue)] = []
    private var ended: [SubtitleVoice] = []
    /// For each track that shows one cue at a time, what cuts its cues.
    private var separators: [Int: Cue.Separator] = [:]
    private var ahead: [Cue] = []
    /// The start of the latest cue of each track, in milliseconds.
    private var latest: [Int: Int] = [:]
    private let keepsOrder: Bool
    private var hasEnded = false

    /// - Parameter keepsOrder: whether no cue of a track may start before the one before it, as containers want it. Files
    ///   may have their cues in disorder.
    init(_ tracks: [SubtitleTrack], keepsOrder: Bool) {
        self.keepsOrder = keepsOrder
        var groups: [[(track: Int, of: SubtitleTrack, placed: PlacedSubtitles)]] = []
        for (number, track) in tracks.enumerated() {
            if track.isExclusive { separators[number] = Cue.Separator() }
            for placed in track.sources {
                let same = groups.firstIndex {
                    $0[0].placed.path == placed.path && $0[0].placed.clip == placed.clip
                        && !$0.contains { $0.placed.info.streamIndex == placed.info.streamIndex }
                }
                if let same {
                    groups[same].append((number, track, placed))
                } else {
                    groups.append([(number, track, placed)])
                }
            }
        }
        waiting = groups.map { SubtitleVoice($0) }.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// The next cue; nil after the last.
    func next() throws(MediaError) -> Cue? {
        while ahead.isEmpty, !hasEnded {
            guard let cue = try merged() else {
                hasEnded = true
                for track in separators.keys.sorted() { ahead += try separators[track]?.finish() ?? [] }
                break
            }
            guard let cue = inOrder(cue) else { continue }
            if separators[cue.track] == nil { return cue }
            ahead = try separators[cue.track]?.add(cue) ?? []
        }
        return ahead.isEmpty ? nil : ahead.removeFirst()
    }

    /// `cue` without what lies before the latest start in its track, if order is kept; nil if nothing is left.
    private func inOrder(_ cue: Cue) -> Cue? {
        guard keepsOrder else { return cue }
        let start = max(cue.range.lowerBound, latest[cue.track] ?? 0)
        latest[cue.track] = start
        return start < cue.range.upperBound
            ? Cue(track: cue.track, range: start..<cue.range.upperBound, packet: cue.packet) : nil
    }

    /// The cue of all voices that starts first.
    private func merged() throws(MediaError) -> Cue? {
        while let voice = waiting.first, open.allSatisfy({ voice.range.lowerBound <= $0.next.range.lowerBound }) {
            waiting.removeFirst()
            if let next = try voice.next() { open.append((voice, next)) } else { ended.append(voice) }
        }
        let first = open.indices.min { open[$0].next.range.lowerBound < open[$1].next.range.lowerBound }
        guard let first else { return nil }
        let (voice, cue) = open[first]
        if let next = try voice.next() {
            open[first].next = next
        } else {
            ended.append(voice)
            open.remove(at: first)
        }
        return cue
    }

    /// Sentences about subtitles that are damaged, or whose text can't be read.
    var warnings: [String] { (ended + open.map(\.voice)).flatMap(\.warnings) }
}

/// Makes the subtitle packets ahead in a thread of its own, and hands them over as the video reaches their times.
final class SubtitleFeed: @unchecked Sendable {
    /// Describes the tracks to the output.
    let tracks: [OutputSubtitles]
    private let plan: RenderPlan
    private let merger: SubtitleMerger
    private let queue = BoundedQueue<Cue>(limit: 256)
    /// Nil before `start`.
    private var work: Work?
    /// The cue that was taken but isn't due yet.
    private var ahead: Cue?
    /// The number of events written to each track of ASS, which numbers them.
    private var counts: [Int: Int] = [:]

    /// Returns nil if the output has no subtitles.
    init?(_ plan: RenderPlan) {
        if plan.subtitles.isEmpty { return nil }
        self.plan = plan
        tracks = plan.subtitles.map {
            OutputSubtitles(codec: $0.codec, isData: $0.isData, header: $0.header, tags: $0.tags)
        }
        merger = SubtitleMerger(plan.subtitles, keepsOrder: true)
    }

    func start() {
        work = Work("subtitles") { [self] in
            queue.finish(Result { while let cue = try merger.next(), queue.put(cue) {} })
        }
    }

    /// Writes the packets that begin before output frame `frame`, or all the rest if `frame` is the number of frames.
    func write(toFrame frame: Int, into writer: MediaWriter) throws {
        let end =
            frame < plan.timeline.frames
            ? (plan.timeline.times[frame] * Rational(1000)).rounded() : .max
        while let cue = try ahead ?? queue.take() {
            ahead = cue
            if cue.range.lowerBound >= end { return }
            try write(cue, into: writer)
            ahead = nil
        }
    }

    private func write(_ cue: Cue, into writer: MediaWriter) throws {
        var packet = cue.packet
        if plan.subtitles[cue.track].codec == "ass" {
            packet = try numbered(packet, counts[cue.track] ?? 0)
            counts[cue.track, default: 0] += 1
        }
        // Pictures stay until the next packet of the track.
        let stays = PictureSubtitles(plan.subtitles[cue.track].codec) != nil
        packet.setTimes(
            presentation: cue.range.lowerBound, decoding: cue.range.lowerBound, duration: stays ? 0 : cue.range.count)
        packet.setFlags(isKey: true)
        try writer.write(subtitles: packet, track: cue.track)
    }

    /// An event of ASS with another number. Players take events with the same number for one event.
    private func numbered(_ packet: Packet, _ number: Int) throws(MediaError) -> Packet {
        let rest = packet.bytes.drop { $0 != UInt8(ascii: ",") }
        return try Packet(Array("\(number)".utf8) + rest)
    }

    /// Ends the work: `write` throws a `CancellationError` once the captions that are there have been taken. Safe to call
    /// from any thread.
    func cancel() { queue.finish(.failure(CancellationError())) }

    /// Stops the thread if it has not ended, and waits until it has.
    func stop() {
        queue.close()
        work?.join()
    }

    /// Sentences about subtitles that are damaged, or whose text can't be read. Must not be used before `stop`.
    var warnings: [String] { merger.warnings }
}
