import FlipMedia
import Foundation

/// The packets of the output's sound, made ahead by a thread of its own, and handed over as the pictures get there.
final class SoundFeed: @unchecked Sendable {
    /// What makes the packets; for the file that they go into.
    let encoder: SoundEncoder
    private var plan: RenderPlan
    private let encoding: AudioEncoding
    private let track: SoundTrack
    private let queue: BoundedQueue<SoundPacket>
    private let done = DispatchSemaphore(value: 0)
    /// Taken from the queue, but not due yet.
    private var ahead: SoundPacket?
    /// Where the first clip is passed on as it comes: its sound is there no sooner than its pictures, so it is made when it is
    /// asked for.
    private let basket: Basket?

    /// Packets on their way within one thread.
    private final class Basket: @unchecked Sendable { var packets: [SoundPacket] = [] }

    /// Packets ahead of the pictures: about ten seconds. Where pictures are copied, those around a seam take far longer than
    /// the rest, during which the sound of many minutes can be made.
    private static let depth = 512
    private static let depthOfCopies = 32 * 1024

    /// Opens the encoder; nil where the output has no sound.
    init?(_ plan: RenderPlan, clock: StageClock) throws(MediaError) {
        guard let encoding = plan.audio else { return nil }
        self.plan = plan
        self.encoding = encoding
        track = SoundTrack(plan, encoding, clock: clock)
        let queue = BoundedQueue<SoundPacket>(
            limit: plan.copying == nil ? SoundFeed.depth : SoundFeed.depthOfCopies)
        self.queue = queue
        let basket = plan.unfinished == nil ? nil : Basket()
        self.basket = basket
        encoder = try SoundEncoder(encoding, in: plan.container, clock: clock) { (packet) throws(MediaError) in
            if let basket {
                basket.packets.append(packet)
                return
            }
            if !queue.put(packet) { throw MediaError(.io, "writing '\(plan.path)' was cancelled") }
        }
    }

    func start() {
        if basket != nil {
            done.signal()
            return
        }
        let thread = Thread { [self] in
            queue.finish(Result { try track.write(into: encoder) {} })
            done.signal()
        }
        thread.name = "sound"
        thread.stackSize = 4 << 20
        thread.start()
    }

    /// Writes what is heard before output frame `frame` begins, and all of the rest with the last one. Throws what went wrong
    /// with the sound.
    func write(toFrame frame: Int, into writer: MediaWriter) throws {
        if let basket {
            try track.write(toFrame: frame, into: encoder)
            for packet in basket.packets { try writer.write(packet) }
            basket.packets = []
            return
        }
        let end = frame < plan.timeline.frames ? plan.sample(atFrame: frame, of: encoding) : .max
        while let packet = try ahead ?? queue.take() {
            ahead = packet
            if packet.time >= end { return }
            try writer.write(packet)
            ahead = nil
        }
    }

    /// Goes on with `plan`, the whole one: to be called by the thread that writes.
    func follow(_ plan: RenderPlan) {
        self.plan = plan
        track.follow(plan)
    }

    /// Ends the thread, where it has not ended, and waits for it.
    func stop() {
        queue.close()
        done.wait()
        done.signal()
    }

    /// What is wrong with the clips' audio, to be asked after `stop`: a sentence for each, and the errors of each clip.
    var warnings: [String] { track.warnings }
    var concealedErrors: [Int] { track.concealedErrors }
}
