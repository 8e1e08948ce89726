import FlipBase
import FlipBitstream
import FlipMedia

/// A film that is judged or compared with: its frames and its sound packets, known by hashes of what they hold.
package struct JudgedFilm: Sendable {
    /// A frame, in some forty bytes.
    struct Frame: Sendable {
        /// When it is shown, in ticks of the stream's time base.
        let ticks: Int
        /// The hashes of its packet, or of those of its two fields.
        var whole: Int
        var coded: Int
        /// The number of its packet in decoding order.
        let order: Int32
        let isKey: Bool
        /// Whether the packet is long enough to be like no other one.
        let isTelling: Bool

        func isSamePacket(as other: Frame) -> Bool { whole == other.whole || coded == other.coded }
    }

    /// The packets of an audio track.
    struct Sound: Sendable {
        struct Packet: Sendable {
            /// When it is heard, in seconds of stream time.
            let time: Double
            let hash: Int
            /// Whether it is long enough not to be silence.
            let isTelling: Bool
        }

        /// The seconds that a packet lasts.
        var step = 1.0
        var packets: [Packet] = []
    }

    package let info: MediaInfo
    let video: VideoInfo
    /// The frames that are shown, in the order in which they are.
    let frames: [Frame]
    let sounds: [Sound]
    /// The seconds of a tick.
    let tick: Double
    private let statedSpan: ClosedRange<Double>?

    /// Reads all packets of the file at `path`. Throws `badInput` if it has no video, and what `MediaProbe.probe` throws.
    package init(path: String) throws(MediaError) {
        let info = try MediaProbe.probe(path: path, isHasty: true)
        guard let video = info.video, !video.isStill else {
            throw MediaError(.badInput, "\(info.name) has no video that could be compared")
        }
        (self.info, self.video) = (info, video)
        tick = video.timeBase.doubleValue
        let file = try InputFile(path: path)
        let tracks = file.audio.filter { track in info.audioTracks.contains { $0.streamIndex == track.index } }
        file.readOnly([video.streamIndex] + tracks.map(\.index), jumps: info.jumps)
        var reading = Reading(file.stream(video.streamIndex), video, tracks)
        let wanted = Set([video.streamIndex] + tracks.map(\.index))
        let packet = try Packet()
        while case .packet = try file.read(into: packet, streams: wanted) { reading.note(packet) }
        statedSpan = file.statedSpan
        frames = reading.shownFrames
        sounds = tracks.map { reading.sounds[$0.index] ?? Sound() }
        guard !frames.isEmpty else { throw MediaError(.badInput, "\(info.name) has no frames that are shown") }
    }

    /// The stream time at which a frame is shown, in seconds.
    func time(_ frame: Int) -> Double { Double(frames[frame].ticks) * tick }

    /// When the frames before `frame` end, in seconds of stream time.
    func end(before frame: Int) -> Double {
        frame < frames.count
            ? time(frame) : time(0) + max(video.duration.doubleValue, time(frames.count - 1) - time(0) + step)
    }

    /// The usual distance between frames, in seconds.
    var step: Double { 1 / video.frameRate.doubleValue }

    /// Whether both have the same constant rate, so that each frame of a film is one of the source's.
    func hasRate(of film: JudgedFilm) -> Bool {
        !video.isVariableFrameRate && !film.video.isVariableFrameRate && abs(step / film.step - 1) < 0.001
    }

    /// The last frame shown at `time` or earlier, in seconds; -1 before the first.
    func frame(at time: Double) -> Int {
        frames.partitioningIndex { Double($0.ticks) * tick > time + step / 4 } - 1
    }

    /// The number of the frame that is shown at `ticks`; nil if there is none.
    func frame(shownAt ticks: Int) -> Int? {
        let index = frames.partitioningIndex { $0.ticks >= ticks }
        return index < frames.count && frames[index].ticks == ticks ? index : nil
    }

    /// The frames that are shown at times of `part`; all of them without bounds.
    func range(of part: ClipPart) -> Range<Int> {
        let origin = time(0)
        let start = part.start.map { min(frames.count, max(0, frame(at: origin + $0.doubleValue))) } ?? 0
        let end = part.end.map { first(from: origin + $0.doubleValue - step / 4) } ?? frames.count
        return start..<max(start, end)
    }

    /// The frames that begin and end in `part`, but for a quarter of the usual distance.
    func surelyIn(_ part: ClipPart) -> Range<Int> {
        let origin = time(0)
        let start = part.start.map { first(from: origin + $0.doubleValue - step / 4) } ?? 0
        let end = part.end.map { bound in
            let time = origin + bound.doubleValue
            return time + step / 4 < self.end(before: frames.count) ? max(0, frame(at: time)) : frames.count
        }
        return start..<max(start, end ?? frames.count)
    }

    /// The first frame that is shown at `time` or later.
    private func first(from time: Double) -> Int {
        frames.partitioningIndex { Double($0.ticks) * tick >= time }
    }

    /// The stream times in seconds at which the file begins and ends, with its sound.
    var span: ClosedRange<Double> {
        let starts = sounds.compactMap(\.packets.first?.time) + [time(0)]
        let ends =
            sounds.compactMap { sound in sound.packets.last.map { $0.time + sound.step } } + [time(frames.count - 1)]
        let (start, end) = (starts.min() ?? 0, ends.max() ?? 0)
        return min(start, statedSpan?.lowerBound ?? start)...max(end, statedSpan?.upperBound ?? end)
    }
}

/// The packets of a file as they come.
private struct Reading {
    /// The fewest bytes of a packet that says more than that nothing moves, or which frame is shown again.
    private static let tellingBytes = 48

    private let video: Int
    private let isVP8: Bool
    private let start: Int
    private var content: PacketContent
    private var frames: [JudgedFilm.Frame] = []
    private var order: Int32 = 0
    private var next: Int?
    private let usualStep: Int
    private(set) var sounds: [Int: JudgedFilm.Sound] = [:]
    private var ticks: [Int: Double] = [:]

    init(_ stream: MediaStream?, _ video: VideoInfo, _ tracks: [MediaStream]) {
        self.video = video.streamIndex
        isVP8 = video.codec == "vp8"
        start = (video.start / video.timeBase).rounded()
        usualStep = max(1, (video.frameRate.inverse / video.timeBase).rounded())
        content = PacketContent(codec: video.codec, extradata: stream?.extradata ?? [])
        for track in tracks {
            sounds[track.index] = JudgedFilm.Sound()
            ticks[track.index] = track.timeBase.doubleValue
        }
    }

    mutating func note(_ packet: Packet) {
        if packet.streamIndex == video { return noteFrame(packet) }
        guard let time = packet.presentationTime, let tick = ticks[packet.streamIndex] else { return }
        let content = CodedAudio.content(packet.bytes)
        sounds[packet.streamIndex]?.packets.append(
            .init(
                time: Double(time) * tick, hash: PacketContent.hash(content),
                isTelling: content.count >= Self.tellingBytes))
        let step = Double(packet.duration ?? 0) * tick
        // Some packets last longer, to close gaps.
        let shortest = sounds[packet.streamIndex]?.step ?? step
        if step > 0 { sounds[packet.streamIndex]?.step = min(shortest, step) }
    }

    private mutating func noteFrame(_ packet: Packet) {
        let digest = content.digest(of: packet.bytes)
        defer { order += 1 }
        if digest.isSecondField, let last = frames.indices.last {
            let first = PacketContent.Digest(whole: frames[last].whole, coded: frames[last].coded)
            let both = first.followed(by: digest)
            (frames[last].whole, frames[last].coded) = (both.whole, both.coded)
            return
        }
        if packet.isDiscarded || isVP8 && packet.isHiddenVP8 { return }
        let time = packet.presentationTime ?? packet.decodingTime ?? next ?? start
        next = time.plus(packet.duration ?? usualStep)
        frames.append(
            JudgedFilm.Frame(
                ticks: time, whole: digest.whole, coded: digest.coded, order: order, isKey: packet.isKey,
                isTelling: packet.bytes.count >= Self.tellingBytes))
    }

    /// The frames in presentation order, without those that are hidden by others of the same time.
    var shownFrames: [JudgedFilm.Frame] {
        var shown: [JudgedFilm.Frame] = []
        for frame in frames.sorted(by: { ($0.ticks, $0.order) < ($1.ticks, $1.order) })
        where frame.ticks >= start && frame.ticks != shown.last?.ticks {
            shown.append(frame)
        }
        return shown
    }
}
