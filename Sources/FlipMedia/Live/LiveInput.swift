import CLibav
import DequeModule
import Synchronization

/// A clip that still comes in through a pipe. Its packets are read once, in the order in which they come; those of its picture
/// and of its sound are taken apart from each other, by a thread each.
package final class LiveInput: @unchecked Sendable {
    /// The clip's headers. Its packets come by `read`.
    let file: InputFile
    private let pipe: InputPipe
    /// What of its pictures' timing the container says, not what can be guessed from packets.
    let statedRate: Rational?
    private let videoIndex: Int
    let audioIndex: Int?
    private let hidesFrames: Bool
    private let timeBase: Rational
    /// Held by whoever reads the pipe. Taking what is there needs only `state`.
    private let reading = Mutex(())
    private let state = Mutex(State())

    private struct State {
        var video = Deque<Packet>()
        var audio = Deque<Packet>()
        var byteCount = 0
        /// Whether anybody takes sound.
        var hasSound = true
        var end: Result<InputFile.ReadResult, MediaError>?
        /// Of the frames that came so far.
        var measure = Measure()
    }

    /// How far frames reach, in ticks.
    private struct Measure {
        /// Frames before that time are not shown.
        var first = Int.min
        var count = 0
        var last: (time: Int, duration: Int?)?
    }

    /// Seconds of pictures among which there is no sound until it is taken to be silent there. Muxers put next to each other what
    /// belongs to the same time.
    private static let patience = Rational(2)
    /// Kinds of files that are read from front to back, with times, and that say how their frames follow each other.
    private static let formats: Set<String> = ["nut", "matroska,webm", "mpegts", "yuv4mpegpipe"]

    /// Opens what comes through `pipe`; nil for kinds of files that need more than that.
    /// - Parameter audioTrack: counted from 1; nil for the default or first one.
    init?(_ pipe: InputPipe, called path: String, audioTrack: Int?) throws(MediaError) {
        self.pipe = pipe
        var rates: [Int32: Rational] = [:]
        file = try InputFile(pipe: try PipeContext(pipe), called: path) { context in
            for index in 0..<Int(context.pointee.nb_streams) {
                guard let stream = context.pointee.streams[index]?.pointee else { continue }
                rates[stream.index] = Rational(stream.avg_frame_rate)
            }
        }
        guard Self.formats.contains(file.formatName), let stream = file.videoStream else { return nil }
        let sound = try MediaProbe.choose(audioTrack, of: file.audioStreams, path)
        statedRate = rates[stream.pointee.index].flatMap { $0 > .zero ? $0 : nil }
        videoIndex = Int(stream.pointee.index)
        audioIndex = sound.map { Int($0.pointee.index) }
        hidesFrames = stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_VP8
        timeBase = Rational(stream.pointee.time_base)
        let streams = [videoIndex] + (audioIndex.map { [$0] } ?? [])
        file.readOnly(streams)
        file.watchClock(of: streams)
    }

    /// Says that it is passed on as it comes, as `video`: what of it was read already is kept no longer.
    package func begin(_ video: VideoInfo) {
        pipe.forgetStart()
        state.withLock { state in
            state.measure = Measure(first: (video.start / timeBase).rounded())
            for packet in state.video { note(packet, &state.measure) }
        }
    }

    /// Says that its sound is not wanted.
    package func leaveOutSound() {
        state.withLock { state in
            state.hasSound = false
            state.byteCount -= state.audio.reduce(0) { $0 + Int($1.pointer.pointee.size) }
            state.audio = []
        }
    }

    /// Ends it, as if nothing more came.
    package func stop() { pipe.stop() }

    // MARK: Packets

    /// The next packet of stream `index`, which is that of its picture or of its sound; waits until it is there.
    func read(into packet: Packet, stream index: Int) throws(MediaError) -> InputFile.ReadResult {
        while true {
            if let result = try take(into: packet, index) { return result }
            try reading.withLock { _ throws(MediaError) in
                // Whoever read meanwhile may have come across one.
                if !hasSome(index) { try readOn() }
            }
        }
    }

    /// Reads on to the next packet of its picture, which stays to be taken.
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

    private func hasSome(_ index: Int) -> Bool {
        state.withLock { state in
            state.end != nil || !(index == videoIndex ? state.video : state.audio).isEmpty || isQuiet(index, state)
        }
    }

    /// Nil where one has to read on.
    private func take(into packet: Packet, _ index: Int) throws(MediaError) -> InputFile.ReadResult? {
        try state.withLock { state throws(MediaError) in
            let next: Packet
            if index == videoIndex, !state.video.isEmpty {
                next = state.video.removeFirst()
            } else if index == audioIndex, !state.audio.isEmpty {
                next = state.audio.removeFirst()
            } else if let end = state.end {
                return try end.get()
            } else {
                return isQuiet(index, state) ? .quiet : nil
            }
            state.byteCount -= Int(next.pointer.pointee.size)
            packet.clear()
            av_packet_move_ref(packet.pointer, next.pointer)
            return .packet
        }
    }

    /// Whether there is no sound beside the next pictures.
    private func isQuiet(_ index: Int, _ state: State) -> Bool {
        guard index == audioIndex, let first = state.video.first?.decodingOrPresentationTime,
            let last = state.video.last?.decodingOrPresentationTime
        else { return false }
        return timeBase.scaled(count: last.minus(first)) > Self.patience
    }

    /// Reads up to the next packet of the picture.
    private func readOn() throws(MediaError) {
        let packet = try Packet()
        let audioIndex = state.withLock { $0.hasSound } ? audioIndex : nil
        var sound: [Packet] = []
        var size = 0
        let result = Result { () throws(MediaError) in
            try file.read(into: packet, stream: videoIndex) { other in
                guard Int(other.pointer.pointee.stream_index) == audioIndex, size <= Self.byteLimit,
                    let copy = try? Packet()
                else { return }
                size += Int(other.pointer.pointee.size)
                av_packet_move_ref(copy.pointer, other.pointer)
                sound.append(copy)
            }
        }
        try state.withLock { state throws(MediaError) in
            state.audio += sound
            state.byteCount += size
            if case .success(.packet) = result {
                state.byteCount += Int(packet.pointer.pointee.size)
                note(packet, &state.measure)
                state.video.append(packet)
            } else {
                state.end = result
            }
            if state.byteCount > Self.byteLimit {
                let error = MediaError(
                    .badInput,
                    "\(file.path): more than \(Self.byteLimit >> 20) MiB lie between its pictures and their sound "
                        + "(keep it in a file first)")
                state.end = .failure(error)
                throw error
            }
        }
    }

    private static let byteLimit = Int(InputLimits.packetBytes)

    // MARK: Length

    private func note(_ packet: Packet, _ measure: inout Measure) {
        guard !packet.isDiscarded, !(hidesFrames && packet.isHiddenVP8), let time = packet.presentationTime,
            time >= measure.first
        else { return }
        measure.count += 1
        if measure.last.map({ $0.time < time }) ?? true { measure.last = (time, packet.duration) }
    }

    /// `video` as long as it turned out to be; to be asked when its last frame was read.
    func measured(_ video: VideoInfo) -> VideoInfo {
        var video = video
        let last = state.withLock { $0.measure.last }
        let reached = last.map { max(timeBase.scaled(count: $0.time) - video.start, .zero) } ?? .zero
        video.unevenTimes = nil
        if video.isVariableFrameRate {
            let step = last?.duration.map { timeBase.scaled(count: $0) } ?? video.frameRate.inverse
            video.frameCount = max(1, state.withLock { $0.measure.count })
            video.duration = reached + step
        } else {
            video.frameCount = (reached * video.frameRate).rounded().plus(1)
            video.duration = Rational(video.frameCount) / video.frameRate
        }
        video.used = TimeSpan(duration: video.duration)
        return video
    }

    /// What was not as its first frames promised, as a sentence; to be asked when its last frame was read.
    package func complaint(of info: MediaInfo) -> String? {
        guard let video = info.video, !video.isVariableFrameRate else { return nil }
        let count = state.withLock { $0.measure.count }
        if measured(video).frameCount == count { return nil }
        return "\(file.path): its frames are not as even as it began, and are shown by their times at "
            + "\(video.frameRate.decimalText) fps"
    }
}

extension MediaInfo {
    /// The same clip as long as it turned out to be, where it came in live; to be asked when its last frame was read.
    package var measured: MediaInfo {
        guard let live, let video else { return self }
        var copy = self
        copy.video = live.measured(video)
        return copy
    }
}

extension Packet {
    fileprivate var decodingOrPresentationTime: Int? { decodingTime ?? presentationTime }
}
