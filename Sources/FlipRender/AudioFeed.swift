import FlipBase
import FlipFiles
import FlipMedia
import FlipSplice

/// The packets of one audio track, made ahead in a thread of their own and handed over as the video reaches their times.
final class AudioFeed: @unchecked Sendable {
    private let encoder: AudioAssembler
    /// Describes the audio stream to the output.
    var model: StreamEncoder { encoder.model }
    private var plan: RenderPlan
    let number: Int
    private let track: AudioMixer
    private let queue: BoundedQueue<AudioPacket>
    /// Nil before `start`, and for a live clip.
    private var work: Work?
    private var packets = DuePackets()
    /// Holds the packets if the first clip is live; nil otherwise. A live clip's audio comes in no sooner than its
    /// video, so there is no thread, and packets are made when they are due.
    private let made: PacketList?

    /// Packets handed over within one thread.
    private final class PacketList: @unchecked Sendable { var packets: [AudioPacket] = [] }

    /// The number of packets made ahead of the video: about ten seconds. If video is copied, the frames around a seam
    /// take far longer than the rest, and meanwhile a minute and a half of audio can be made.
    private static let depth = 512
    private static let depthOfCopies = 4 * 1024

    /// Opens the encoder.
    /// - Parameters:
    ///   - plan: the plan, with this track's audio alone.
    ///   - number: the track's number in the output, from 0.
    init(_ plan: RenderPlan, _ encoding: AudioEncoding, number: Int, clock: StageClock) throws(MediaError) {
        (self.plan, self.number) = (plan, number)
        track = AudioMixer(plan, encoding, clock: clock)
        let queue = BoundedQueue<AudioPacket>(limit: plan.copying == nil ? AudioFeed.depth : AudioFeed.depthOfCopies)
        self.queue = queue
        let made = plan.unfinished == nil ? nil : PacketList()
        self.made = made
        encoder = try AudioAssembler(encoding, in: plan.container, clock: clock) { (packet) throws(MediaError) in
            if let made {
                made.packets.append(packet)
                return
            }
            if !queue.put(packet) { throw MediaError(.io, "writing '\(plan.path)' was cancelled") }
        }
    }

    func start() {
        if made != nil { return }
        work = Work("sound") { [self] in queue.finish(Result { try track.write(into: encoder) {} }) }
    }

    /// Writes the audio packets that begin before output frame `frame`, or all the rest if `frame` is the number of
    /// frames. Also throws the errors of the thread that makes the packets.
    func write(toFrame frame: Int, into writer: MediaWriter) throws {
        if let made {
            try track.write(toFrame: frame, into: encoder)
            for packet in made.packets { try writer.write(packet, track: number) }
            made.packets = []
            return
        }
        try packets.write(before: plan.audioEnd(ofFrame: frame), track: number, into: writer) { try queue.take() }
    }

    /// Continues with `plan`, the complete one. Must be called from the thread that calls `write`.
    func follow(_ plan: RenderPlan) {
        self.plan = plan
        track.follow(plan)
    }

    /// Ends the work: `write` throws a `CancellationError` once the packets that are there have been taken. Safe to call
    /// from any thread.
    func cancel() {
        queue.finish(.failure(CancellationError()))
        track.stop()
    }

    /// Stops the thread if it has not ended, and waits until it has.
    func stop() {
        track.stop()
        queue.close()
        work?.join()
    }

    /// The damage found in the audio: a sentence for each damaged sound, and the number of errors in each clip. Must
    /// not be used before `stop`.
    var warnings: [String] { track.warnings }
    var concealedErrors: [Int] { track.concealedErrors }
    /// What was done to reach the loudness asked for; nil if none was. Must not be used before `stop`.
    var loudness: Leveler.Outcome? { track.loudness }
}

/// Hands audio packets over as the video reaches their times.
struct DuePackets {
    /// The packet that was taken but isn't due yet.
    private var ahead: AudioPacket?

    /// Writes the packets that begin before sample `end` of the output.
    /// - Parameters:
    ///   - track: the number of the audio track, from 0.
    ///   - next: takes the next packet; nil after the last.
    mutating func write(before end: Int, track: Int, into writer: MediaWriter, next: () throws -> AudioPacket?) throws {
        while let packet = try ahead ?? next() {
            ahead = packet
            if packet.time >= end { return }
            try writer.write(packet, track: track)
            ahead = nil
        }
    }
}

extension RenderPlan {
    /// The sample before which the audio packets begin that belong to the output's first `frame` frames: all of them
    /// if that is the number of frames.
    func audioEnd(ofFrame frame: Int) -> Int {
        guard let audio, frame < timeline.frames else { return .max }
        return sample(atFrame: frame, of: audio)
    }
}
