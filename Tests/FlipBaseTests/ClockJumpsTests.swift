import FlipBase
import Testing

/// Packets in files whose clock restarts must end up on one continuous timeline.
struct ClockJumpsTests {
    private static let video = 0
    private static let audio = 1
    /// The ticks per second of both streams, as in transport streams. The video has 25 frames per second, and an audio
    /// packet has 1024 samples at 48 kHz; `frame` and `block` are their durations in ticks.
    private static let rate = 90000
    private static let frame = 3600
    private static let block = 1920

    private struct Packet {
        var stream: Int
        var decoding: Int
        var presentation: Int
        var duration: Int
    }

    /// The packets of `frames` frames, each decoded two frames before it is shown, and of the accompanying audio, in
    /// decoding order.
    private static func part(from start: Int, frames: Int, audioFrames: Int? = nil, audioFrom: Int? = nil) -> [Packet] {
        let pictures = (0..<frames).map {
            Packet(stream: video, decoding: start + $0 * frame, presentation: start + ($0 + 2) * frame, duration: frame)
        }
        let first = audioFrom ?? start
        let sounds = (0..<(audioFrames ?? frames) * frame / block).map {
            Packet(stream: audio, decoding: first + $0 * block, presentation: first + $0 * block, duration: block)
        }
        return (pictures + sounds).sorted { ($0.decoding, $0.stream) < ($1.decoding, $1.stream) }
    }

    /// The number of jumps, and the final presentation time of each packet in ticks. The packets are scanned once to
    /// find the jumps and a second time to close them.
    private static func shown(_ packets: [Packet]) -> (jumps: Int, video: [Int], audio: [Int]) {
        let tracks = [(index: video, timeBase: Rational(1, rate)), (index: audio, timeBase: Rational(1, rate))]
        var first = ClockWatch(tracks)
        for packet in packets { _ = place(packet, &first) }
        let jumps = first.jumps(leading: video)
        var second = ClockWatch(tracks, known: jumps)
        let times = packets.map { ($0.stream, place($0, &second)) }
        return (jumps?.count ?? 0, times.filter { $0.0 == video }.map(\.1), times.filter { $0.0 == audio }.map(\.1))
    }

    private static func place(_ packet: Packet, _ watch: inout ClockWatch) -> Int {
        let times = ClockWatch.Times(
            decoding: packet.decoding, presentation: packet.presentation, duration: packet.duration)
        return packet.presentation &+ watch.place(times, of: packet.stream).shift
    }

    /// Expects the times, in any order, to be an even grid of frames from `start`.
    private func expectEven(_ times: [Int], from start: Int, _ location: SourceLocation = #_sourceLocation) {
        #expect(times.sorted() == times.indices.map { start + $0 * Self.frame }, sourceLocation: location)
    }

    @Test func aSteadyClockIsLeftAlone() {
        let found = Self.shown(Self.part(from: 90000, frames: 100))
        #expect(found.jumps == 0)
        expectEven(found.video, from: 90000 + 2 * Self.frame)
    }

    /// A part whose clock restarts follows the part before it without a gap. The clock goes back by less than a part,
    /// back by hours, forward by hours, and repeatedly.
    @Test(arguments: [
        [0, 0], [0, 360_000_000], [360_000_000, 0], [5000, 5000, 7_000_000, 5000, 0], [0, 90000 * 15],
    ])
    func whatBeginsAnewFollowsOn(starts: [Int]) {
        let found = Self.shown(starts.flatMap { Self.part(from: $0, frames: 100) })
        #expect(found.jumps == starts.count - 1)
        expectEven(found.video, from: starts[0] + 2 * Self.frame)
        // 100 frames last as long as 187.5 audio packets: at each join no more than half a packet is missing.
        for (part, first) in stride(from: 0, to: found.audio.count, by: 187).enumerated() {
            #expect(found.audio[first] == starts[0] + part * 100 * Self.frame)
        }
    }

    /// The streams may jump one after the other: the last audio packets come after the next part's first frames, or
    /// vice versa.
    @Test(arguments: [-12, -3, 3, 12]) func streamsJumpOneAfterTheOther(late: Int) {
        var packets = Self.part(from: 0, frames: 100)
        let join = packets.count
        packets += Self.part(from: 0, frames: 100)
        // Some packets of one stream move across the join; their order within the stream stays.
        let mover = late > 0 ? Self.audio : Self.video
        let moved = packets[(join - 40)..<join].filter { $0.stream == mover }.suffix(abs(late))
        let before = packets[..<join].filter { packet in
            !moved.contains { $0.stream == packet.stream && $0.decoding == packet.decoding }
        }
        let stayed = packets[join..<join + 20].filter { $0.stream != mover }
        let rest = packets[join...].filter { packet in
            !stayed.contains { $0.stream == packet.stream && $0.decoding == packet.decoding }
        }
        let found = Self.shown(Array(before) + stayed + moved + rest)
        #expect(found.jumps == 1)
        expectEven(found.video, from: 2 * Self.frame)
        #expect(found.audio[187] == 100 * Self.frame)
    }

    /// A clock that wraps at 2^33 does not start a new part. Frames that are decoded before the wrap are shown after
    /// it; their presentation times either continue above 2^33, as libav passes them on, or have already wrapped.
    @Test(arguments: [false, true]) func aWrapIsNoEnd(showingWrapsFirst: Bool) {
        let wrap = 1 << 33
        let start = wrap - 50 * Self.frame - 700
        let order = [0, 3, 1, 2]
        let pictures = (0..<100).map { number in
            let shownAt = start + (number / 4 * 4 + order[number % 4] + 2) * Self.frame
            let decodedAt = start + number * Self.frame
            let isOver = (showingWrapsFirst ? shownAt : decodedAt) >= wrap
            return Packet(
                stream: Self.video, decoding: decodedAt - (isOver ? wrap : 0),
                presentation: shownAt - (isOver ? wrap : 0), duration: Self.frame)
        }
        let found = Self.shown(pictures)
        #expect(found.jumps == 1)
        expectEven(found.video, from: start + 2 * Self.frame)
    }

    /// Gaps stay gaps: 5 s without reception, or 20 s without video while the audio continues.
    @Test func gapsStayGaps() {
        let lost = Self.part(from: 0, frames: 50) + Self.part(from: 90000 * 7, frames: 50)
        #expect(Self.shown(lost).jumps == 0)
        let blind = Self.part(from: 0, frames: 1000).filter {
            $0.stream == Self.audio || !(300..<800).contains($0.decoding / Self.frame)
        }
        let found = Self.shown(blind)
        #expect(found.jumps == 0)
        #expect(found.video.count == 500 && found.video.last == 1001 * Self.frame)
    }

    /// Audio that lasts a second longer than the last frame is not cut off by the next part; the last frame is held for
    /// that time.
    @Test func soundBeyondThePicturesIsKept() {
        let found = Self.shown(Self.part(from: 0, frames: 100, audioFrames: 125) + Self.part(from: 0, frames: 100))
        #expect(found.jumps == 1)
        expectEven(Array(found.video[..<100]), from: 2 * Self.frame)
        let first = found.video[100] - 2 * Self.frame
        // The audio of 125 frames ends before frame 125, and up to half a packet is lost because only whole packets
        // exist.
        #expect(first == 123 * Self.frame || first == 124 * Self.frame || first == 125 * Self.frame)
        #expect(found.audio[234] == first && first >= found.audio[233] + Self.block)
    }

    /// A recording that is still being written may have more epochs when it is read than when it was probed.
    @Test func unknownEpochsAreTreatedLikeTheLastKnownOne() {
        let jumps = ClockJumps(streams: [0], offsets: [.zero, Rational(5)])
        #expect([0, 1, 2, 9].map { jumps.offset(of: $0) } == [.zero, Rational(5), Rational(5), Rational(5)])
    }

    @Test func noTimeIsTooLarge() {
        let extremes = [Int.min + 1, .max, 0, -1, .max - 1, .min + 1, 5, .max]
        let packets = extremes.flatMap { time in
            [Self.video, Self.audio].map {
                Packet(stream: $0, decoding: time, presentation: time, duration: time == 5 ? .max : 3600)
            }
        }
        let found = Self.shown(packets)
        #expect(found.video.count == extremes.count && found.jumps > 0)
    }
}
