import FlipMedia
import Testing

/// Times of packets as they lie in files whose clocks begin anew, and where they have to end up.
struct ClockJumpsTests {
    private static let video = 0
    private static let audio = 1
    /// Ticks a second of both streams, as in transport streams; 25 frames a second, and packets of 1024 samples at 48 kHz.
    private static let rate = 90000
    private static let frame = 3600
    private static let block = 1920

    private struct Packet {
        var stream: Int
        var decoding: Int
        var presentation: Int
        var duration: Int
    }

    /// Packets of `frames` frames, decoded two frames before they are shown, and of the audio beside them, in order of decoding.
    private static func part(from start: Int, frames: Int, audioFrames: Int? = nil, audioFrom: Int? = nil) -> [Packet] {
        let pictures = (0..<frames).map {
            Packet(
                stream: video, decoding: start + $0 * frame, presentation: start + ($0 + 2) * frame, duration: frame)
        }
        let first = audioFrom ?? start
        let sounds = (0..<(audioFrames ?? frames) * frame / block).map {
            Packet(stream: audio, decoding: first + $0 * block, presentation: first + $0 * block, duration: block)
        }
        return (pictures + sounds).sorted { ($0.decoding, $0.stream) < ($1.decoding, $1.stream) }
    }

    /// When each packet is shown in the end, in ticks, having been watched once to find the jumps and once more to close them.
    private static func shown(_ packets: [Packet]) -> (jumps: Int, video: [Int], audio: [Int]) {
        let tracks = [(index: video, timeBase: Rational(1, rate)), (index: audio, timeBase: Rational(1, rate))]
        var first = ClockWatch(tracks)
        for packet in packets { _ = place(packet, &first) }
        let jumps = first.jumps(leading: video)
        var second = ClockWatch(tracks, known: jumps)
        let times = packets.map { ($0.stream, place($0, &second)) }
        return (
            jumps?.count ?? 0, times.filter { $0.0 == video }.map(\.1), times.filter { $0.0 == audio }.map(\.1)
        )
    }

    private static func place(_ packet: Packet, _ watch: inout ClockWatch) -> Int {
        let times = ClockWatch.Times(
            decoding: packet.decoding, presentation: packet.presentation, duration: packet.duration)
        return packet.presentation &+ watch.place(times, of: packet.stream).shift
    }

    /// Every frame on an even grid from `start`, in whatever order.
    private func expectEven(_ times: [Int], from start: Int, _ location: SourceLocation = #_sourceLocation) {
        #expect(times.sorted() == times.indices.map { start + $0 * Self.frame }, sourceLocation: location)
    }

    @Test func aSteadyClockIsLeftAlone() {
        let found = Self.shown(Self.part(from: 90000, frames: 100))
        #expect(found.jumps == 0)
        expectEven(found.video, from: 90000 + 2 * Self.frame)
    }

    /// Back by less than a part, back by hours, on by hours, and over and over.
    @Test(arguments: [
        [0, 0], [0, 360_000_000], [360_000_000, 0], [5000, 5000, 7_000_000, 5000, 0], [0, 90000 * 15],
    ])
    func whatBeginsAnewFollowsOn(starts: [Int]) {
        let found = Self.shown(starts.flatMap { Self.part(from: $0, frames: 100) })
        #expect(found.jumps == starts.count - 1)
        expectEven(found.video, from: starts[0] + 2 * Self.frame)
        // 100 frames are 187.5 packets of audio: half a packet is missing at each join, and no more.
        for (part, first) in stride(from: 0, to: found.audio.count, by: 187).enumerated() {
            #expect(found.audio[first] == starts[0] + part * 100 * Self.frame)
        }
    }

    /// The last packets of audio come after the next part's first frames, and the other way round.
    @Test(arguments: [-12, -3, 3, 12]) func streamsJumpOneAfterTheOther(late: Int) {
        var packets = Self.part(from: 0, frames: 100)
        let join = packets.count
        packets += Self.part(from: 0, frames: 100)
        // Packets of one stream move over the join, their order among themselves stays.
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

    /// 2^33: packets are shown after the wrap that are decoded before it. Their times of showing go on above 2^33, as libav hands them on,
    /// or have wrapped already.
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

    /// 5 s without reception, and 20 s without pictures while the sound goes on.
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

    /// A second of audio after the last frame is not cut off by what follows: that frame is held for so long.
    @Test func soundBeyondThePicturesIsKept() {
        let found = Self.shown(Self.part(from: 0, frames: 100, audioFrames: 125) + Self.part(from: 0, frames: 100))
        #expect(found.jumps == 1)
        expectEven(Array(found.video[..<100]), from: 2 * Self.frame)
        let first = found.video[100] - 2 * Self.frame
        // The audio of 125 frames ends before frame 125, and half a packet is lost to whole packets.
        #expect(first == 123 * Self.frame || first == 124 * Self.frame || first == 125 * Self.frame)
        #expect(found.audio[234] == first && first >= found.audio[233] + Self.block)
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
