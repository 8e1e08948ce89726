import CLibav
import DequeModule
import FlipBase
import FlipFiles

/// A clip that is still coming in through a pipe. Its packets are read once, in the order in which they come. Video and
/// audio packets are taken independently, by a thread each.
package final class LiveInput: LiveSource, @unchecked Sendable {
    /// The input with the clip's headers. Packets are to be taken with `read(into:stream:)` instead.
    let file: InputFile
    private let pipe: InputPipe
    /// The frame rate that the container states, not one that libav guesses from packets; nil where it states none.
    let statedRate: Rational?
    private let videoIndex: Int
    let audioIndex: Int?
    /// Whether the stream may hold frames that are never shown (VP8).
    private let hidesFrames: Bool
    private let timeBase: Rational
    /// Held by the thread that reads the pipe. Taking a packet that was read already needs only `state`.
    private let reading = Mutex(())
    private let state: Mutex<State>

    private struct State {
        /// Packets that were read but not taken yet.
        var video = Deque<Packet>()
        var audio = Deque<Packet>()
        /// The size of the packets in both queues, in bytes.
        var byteCount = 0
        /// Decides which audio is late.
        var window: InterleavingWindow
        /// The number of audio packets that came too late.
        var lateCount = 0
        /// Whether the audio is wanted.
        var hasSound = true
        /// Why no more packets come; nil while they do.
        var end: Result<InputFile.ReadResult, MediaError>?
        /// How far the frames that came so far reach.
        var length = LiveLength()
    }

    /// The demuxers of formats that can be read from front to back, have time stamps, and say how their frames follow
    /// each other.
    private static let formats: Set<String> = ["nut", "matroska,webm", "mpegts", "yuv4mpegpipe"]

    /// Opens the clip that comes through `pipe`. Returns nil where its format needs more than reading from front to
    /// back, or where it has no video.
    /// - Parameter audioTracks: which audio tracks are asked for, of which only the first is passed on.
    init?(_ pipe: InputPipe, called path: String, audioTracks: TrackChoice) throws(MediaError) {
        self.pipe = pipe
        var rates: [Int32: Rational] = [:]
        file = try InputFile(pipe: try PipeContext(pipe), called: path) { context in
            for index in 0..<Int(context.pointee.nb_streams) {
                guard let stream = context.pointee.streams[index]?.pointee else { continue }
                rates[stream.index] = Rational(stream.avg_frame_rate)
            }
        }
        guard Self.formats.contains(file.formatName), let stream = file.videoStream else { return nil }
        let sound = try MediaProbe.choose(audioTracks, of: file.audioStreams, path).first
        statedRate = rates[stream.pointee.index].flatMap { $0 > .zero ? $0 : nil }
        videoIndex = Int(stream.pointee.index)
        audioIndex = sound.map { Int($0.pointee.index) }
        hidesFrames = stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_VP8
        timeBase = Rational(stream.pointee.time_base)
        state = Mutex(State(window: InterleavingWindow(timeBase: timeBase)))
        let streams = [videoIndex] + (audioIndex.map { [$0] } ?? [])
        file.readOnly(streams)
        file.watchClock(of: streams)
    }

    /// Begins to pass the clip on as it comes, as `video` describes it. What was read of it is no longer kept.
    package func begin(_ video: VideoInfo) {
        pipe.forgetStart()
        state.withLock { state in
            state.length = LiveLength(from: (video.start / timeBase).rounded())
            for packet in state.video { note(packet, &state.length) }
        }
    }

    /// Drops the clip's audio.
    package func leaveOutAudio() {
        state.withLock { state in
            state.hasSound = false
            state.byteCount -= state.audio.reduce(0) { $0 + Int($1.pointer.pointee.size) }
            state.audio = []
        }
    }

    /// Ends the clip, as if nothing more came.
    package func stop() { pipe.stop() }

    // MARK: Packets

    /// Reads the next packet of stream `index`, which is the clip's video or audio. Waits until there is one.
    /// - Parameter horizon: the stream time in seconds up to which audio is wanted: the result is `quiet` once it is
    ///   certain that none before it will come. Nil to wait for a packet in any case.
    func read(
        into packet: Packet, stream index: Int, upTo horizon: Rational?
    ) throws(MediaError) -> InputFile.ReadResult {
        while true {
            if let result = try take(into: packet, index, horizon) { return result }
            try reading.withLock { _ throws(MediaError) in
                // The thread that held the mutex meanwhile may have read one.
                if !hasSome(index, horizon) { try readOn() }
            }
        }
    }

    /// Reads up to the next video packet and returns a reference to it. The packet stays in the queue.
    func lookAhead(into packet: Packet) throws(MediaError) -> InputFile.ReadResult {
        let before = state.withLock { $0.video.count }
        try reading.withLock { _ throws(MediaError) in try readOn() }
        return try state.withLock { state throws(MediaError) in
            packet.clear()
            guard state.video.count > before, let last = state.video.last else { return try state.end?.get() ?? .end }
            guard av_packet_ref(packet.pointer, last.pointer) >= 0 else { throw .outOfMemory }
            return .packet
        }
    }

    private func hasSome(_ index: Int, _ horizon: Rational?) -> Bool {
        state.withLock { state in
            state.end != nil || !(index == videoIndex ? state.video : state.audio).isEmpty
                || isQuiet(index, horizon, state)
        }
    }

    /// Takes the next queued packet of stream `index`. Returns nil where more packets have to be read first.
    private func take(
        into packet: Packet, _ index: Int, _ horizon: Rational?
    ) throws(MediaError) -> InputFile.ReadResult? {
        try state.withLock { state throws(MediaError) in
            let next: Packet
            if index == videoIndex, !state.video.isEmpty {
                next = state.video.removeFirst()
            } else if index == audioIndex, !state.audio.isEmpty {
                next = state.audio.removeFirst()
            } else if let end = state.end {
                return try end.get()
            } else {
                return isQuiet(index, horizon, state) ? .quiet : nil
            }
            state.byteCount -= Int(next.pointer.pointee.size)
            packet.clear()
            av_packet_move_ref(packet.pointer, next.pointer)
            return .packet
        }
    }

    /// Whether stream `index` is the audio and no packet of it that is still to come begins before `horizon`. This
    /// depends on what was read of the pipe, never on what was taken of it, so every run gives the same samples.
    private func isQuiet(_ index: Int, _ horizon: Rational?, _ state: State) -> Bool {
        guard index == audioIndex, let horizon else { return false }
        return state.window.isSettled(before: horizon)
    }

    /// Reads up to the next video packet, and queues it and the audio packets before it.
    private func readOn() throws(MediaError) {
        let packet = try Packet()
        let hasSound = state.withLock { $0.hasSound }
        let audioIndex = hasSound ? audioIndex : nil
        var sound: [Packet] = []
        var lateCount = 0
        var size = 0
        let result = Result { () throws(MediaError) in
            try file.read(into: packet, stream: videoIndex) { other in
                guard Int(other.pointer.pointee.stream_index) == audioIndex, size <= Self.byteLimit else { return }
                if let time = start(of: other), state.withLock({ $0.window.isLate(time) }) {
                    lateCount += 1
                    return
                }
                guard let copy = try? Packet() else { return }
                size += Int(other.pointer.pointee.size)
                av_packet_move_ref(copy.pointer, other.pointer)
                sound.append(copy)
            }
        }
        try state.withLock { state throws(MediaError) in
            state.audio += sound
            state.byteCount += size
            state.lateCount += lateCount
            if case .success(.packet) = result {
                let size = Int(packet.pointer.pointee.size)
                state.byteCount += size
                if hasSound, let time = packet.decodingOrPresentationTime { state.window.add(time, byteCount: size) }
                note(packet, &state.length)
                state.video.append(packet)
            } else {
                state.end = result
            }
            if state.byteCount > Self.byteLimit {
                let error = MediaError(
                    .badInput,
                    "\(file.path): more than \(Self.byteLimit >> 20) MiB lie between its video and the audio that belongs to it "
                        + "(keep it in a file first)")
                state.end = .failure(error)
                throw error
            }
        }
    }

    /// The maximum number of bytes that the queues may hold.
    private static let byteLimit = Int(InputLimits.packetBytes)

    /// The stream time in seconds at which an audio packet begins; nil if the container doesn't say.
    private func start(of packet: Packet) -> Rational? {
        guard let time = packet.presentationTime, let base = audioIndex.flatMap(file.avStream)?.pointee.time_base else {
            return nil
        }
        return Rational(base).scaled(count: time)
    }

    // MARK: Length

    private func note(_ packet: Packet, _ length: inout LiveLength) {
        guard !packet.isDiscarded, !(hidesFrames && packet.isHiddenVP8), let time = packet.presentationTime else {
            return
        }
        length.add(time, duration: packet.duration)
    }

    package func measured(_ video: VideoInfo) -> VideoInfo {
        state.withLock { $0.length }.measured(video, timeBase: timeBase)
    }

    /// Warnings about ways in which the clip differs from its first packets. Call it after the last frame was read.
    package func complaints(of info: MediaInfo?) -> [String] {
        let (count, lateCount) = state.withLock { ($0.length.count, $0.lateCount) }
        var sentences: [String] = []
        if let video = info?.video, !video.isVariableFrameRate, measured(video).frameCount != count {
            sentences.append(
                "\(file.path): its frame rate turned out to be variable; its frames are shown by their time stamps at "
                    + "\(video.frameRate.decimalText) fps")
        }
        if lateCount > 0 {
            sentences.append(
                "\(file.path): left out \(lateCount) audio packet\(lateCount == 1 ? "" : "s") that came "
                    + "\(InterleavingWindow.text) after the video beside them (keep the stream in a file first)")
        }
        return sentences
    }
}

extension Packet {
    fileprivate var decodingOrPresentationTime: Int? { decodingTime ?? presentationTime }
}

extension InputClip.Source {
    /// The input if it is still coming in; nil otherwise.
    package var live: LiveInput? {
        if case .live(_, let input) = self { input as? LiveInput } else { nil }
    }
}
