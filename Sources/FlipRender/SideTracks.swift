import FlipBase
import FlipFiles
import FlipMedia
import FlipSplice

/// The packets of all tracks beside the video, handed over as the video reaches their times.
final class SideTracks: @unchecked Sendable {
    private let feeds: [AudioFeed]
    private let subtitleFeed: SubtitleFeed?
    /// Describes the audio tracks to the output.
    let sounds: [OutputAudio]
    /// Describes the subtitle tracks to the output.
    var subtitles: [OutputSubtitles] { subtitleFeed?.tracks ?? [] }

    /// Opens the encoders.
    /// - Parameter first: the number of the first audio track that is made, from 0.
    init(_ plan: RenderPlan, from first: Int = 0, clock: StageClock) throws(MediaError) {
        var feeds: [AudioFeed] = []
        for (index, track) in plan.audioTracks.enumerated().dropFirst(first) {
            feeds.append(try AudioFeed(plan.hearing(index), track.encoding, number: index, clock: clock))
        }
        self.feeds = feeds
        subtitleFeed = SubtitleFeed(plan)
        sounds = zip(feeds, plan.audioTracks.dropFirst(first)).map { OutputAudio(encoder: $0.model, tags: $1.tags) }
    }

    func start() {
        for feed in feeds { feed.start() }
        subtitleFeed?.start()
    }

    /// Writes the packets that begin before output frame `frame`, or all the rest if `frame` is the number of
    /// frames. Also throws the errors of the threads that make the packets.
    func write(toFrame frame: Int, into writer: MediaWriter) throws {
        for feed in feeds { try feed.write(toFrame: frame, into: writer) }
        try subtitleFeed?.write(toFrame: frame, into: writer)
    }

    /// Continues with `plan`, the complete one. Must be called from the thread that calls `write`.
    func follow(_ plan: RenderPlan) { for feed in feeds { feed.follow(plan.hearing(feed.number)) } }

    /// Ends the work with a `CancellationError`, which a waiting `write` throws at once, and waits for nothing. Safe to
    /// call from any thread.
    func cancel() {
        for feed in feeds { feed.cancel() }
        subtitleFeed?.cancel()
    }

    /// Stops the threads that have not ended, and waits until they have.
    func stop() {
        for feed in feeds { feed.stop() }
        subtitleFeed?.stop()
    }

    /// The damage found: a sentence for each damaged sound and each file with damaged subtitles, and the number of errors
    /// in each clip's audio. Must not be used before `stop`.
    var warnings: [String] {
        let all = feeds.flatMap(\.warnings) + (subtitleFeed?.warnings ?? [])
        return all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
    func concealedErrors(clips: Int) -> [Int] {
        feeds.reduce([Int](repeating: 0, count: clips)) { zip($0, $1.concealedErrors).map(+) }
    }
    /// What was done to reach the loudness asked for in the main track; nil if nothing was. Must not be used before
    /// `stop`.
    var loudness: Leveler.Outcome? { feeds.first?.loudness }
}
