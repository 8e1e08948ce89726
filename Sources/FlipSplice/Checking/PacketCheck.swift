import FlipBase
import FlipBitstream
import FlipMedia

/// The audio packets, all of the same length, as they were handed to the muxer.
package struct WrittenAudio: Sendable {
    /// A hash of each packet's bytes.
    private(set) var hashes: [Int] = []

    /// The number of samples in each packet.
    let samples: Int

    init(_ form: AudioForm) { samples = form.samples }

    /// Reads all packets of a file's first audio stream. Throws `badInput` if their lengths aren't known to be equal.
    package init(of path: String) throws(MediaError) {
        let file = try InputFile(path: path)
        guard let stream = file.audio.first?.index, let form = file.audio.first.flatMap({ AudioForm(codec: $0.codec) })
        else { throw MediaError(.badInput, "'\(path)' has no audio whose packets are of equal length") }
        self.init(form)
        file.readOnly([stream])
        let packet = try Packet()
        while case .packet = try file.read(into: packet, stream: stream) { append(packet.bytes) }
    }

    mutating func append(_ bytes: some Collection<UInt8>) { hashes.append(Self.hash(bytes)) }

    static func hash(_ bytes: some Collection<UInt8>) -> Int {
        var hasher = Hasher()
        if bytes.withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
            for byte in bytes { hasher.combine(byte) }
        }
        return hasher.finalize()
    }
}

extension SplicedVideo {
    /// Reads the packets of a finished file in `windows` of frames, with the audio interleaved with them.
    /// - Parameter times: when the frames are shown.
    /// - Throws: `SpliceFailure` if times or audio packets differ from what was handed to the muxer.
    package func checkPackets(of path: String, at times: FrameTimes, around windows: [Range<Int>]) throws {
        let check = try PacketCheck(self, path, times)
        for window in windows {
            let start = starts.last { $0.frame <= window.lowerBound }
            if (try? check.verify(window, from: start)) == true { continue }
            // Seeking is not exact in all containers, and may lead into the middle of a packet, so read from the beginning.
            guard try check.verify(window, from: nil) else {
                throw SpliceFailure("frames near \(window.lowerBound) are missing in the output")
            }
        }
    }
}

/// Compares the packets of a file with what was handed to its muxer.
private final class PacketCheck {
    private let path: String
    private let spliced: SplicedVideo
    private let isMatroska: Bool
    private let isProgram: Bool
    /// Whether the container stores packets unchanged, and the times of all of them.
    private let keepsPackets: Bool
    private let streams: (video: Int, audio: Int?)
    /// The time bases of the streams, in seconds per tick.
    private let ticks: (video: Rational, audio: Rational)
    private let times: FrameTimes
    /// The duration of an audio packet in ticks.
    private let audioStep: Rational
    /// The PTS of each stream's first packet, in ticks.
    private var origins: (video: Int, audio: Int?)
    /// The possible numbers of audio packets that the container has left out before its first one.
    private var skipped: Set<Int> = []

    private var file: InputFile

    init(_ spliced: SplicedVideo, _ path: String, _ times: FrameTimes) throws {
        self.spliced = spliced
        self.path = path
        file = try Self.open(path)
        guard let video = file.video else { throw SpliceFailure("the output has no video") }
        isMatroska = file.formatName.hasPrefix("matroska")
        isProgram = file.formatName == "mpeg"
        keepsPackets = file.keepsPackets
        let audio = spliced.sound == nil ? nil : file.audio.first
        streams = (video.index, audio?.index)
        ticks = (video.timeBase, audio?.timeBase ?? Rational(1))
        let sampleRate = audio?.sampleRate ?? 1
        self.times = times
        audioStep = Rational(spliced.sound?.samples ?? 1, max(1, sampleRate)) / ticks.audio
        origins = (0, nil)
        if let audio, let sound = spliced.sound, file.formatName.hasPrefix("mov,mp4") {
            let count = audio.packetCount
            guard count == sound.hashes.count else {
                throw SpliceFailure("the output has \(count) audio packets, not \(sound.hashes.count)")
            }
        }
        try findOrigins()
    }

    private static func open(_ path: String) throws(MediaError) -> InputFile {
        let file = try InputFile(path: path, opening: .headersOnly)
        return file.keepsPackets ? file : try InputFile(path: path)
    }

    /// Reads up to the first packet of each stream to find `origins` and `skipped`.
    private func findOrigins() throws {
        var first: (video: Int?, audio: Int?)
        let packet = try Packet()
        let audio = streams.audio
        let note = { (other: Packet) in
            guard other.streamIndex == audio, first.audio == nil else { return }
            first.audio = other.presentationTime
            let hash = self.hash(other)
            // Some containers leave out packets that hold nothing but priming.
            self.skipped = Set((0...2).filter { self.spliced.sound?.hashes.dropFirst($0).first == hash })
        }
        for _ in 0..<512 {
            guard case .packet = try file.read(into: packet, stream: streams.video, aside: note) else { break }
            first.video = first.video ?? packet.presentationTime
            if first.audio != nil || audio == nil { break }
        }
        guard let video = first.video, audio == nil || first.audio != nil || spliced.sound?.hashes.isEmpty == true
        else {
            throw SpliceFailure("the output's first packets cannot be read")
        }
        if first.audio != nil, skipped.isEmpty { throw SpliceFailure("the audio begins with a wrong packet") }
        origins = (video, first.audio)
    }

    /// Checks a window. Returns false if not all its frames are found.
    /// - Parameter start: where to seek to; nil reads from the file's beginning.
    func verify(_ window: Range<Int>, from start: SplicedVideo.Start?) throws -> Bool {
        if let start {
            let place = times.ticks(of: isMatroska ? start.frame : start.decoding, in: ticks.video)
            let position = origins.video + place + 1
            guard file.seek(streams.video, to: position) else { return false }
        } else {
            file = try Self.open(path)
        }
        var sound = SoundState()
        var failure: SpliceFailure?
        let packet = try Packet()
        var found: Set<Int> = []
        // Program streams don't state the times of frames that begin where another one ends.
        var untimed = 0
        while found.count + untimed < window.count {
            let result = try file.read(into: packet, stream: streams.video) { other in
                guard failure == nil, other.streamIndex == streams.audio else { return }
                failure = check(other, &sound)
            }
            if let failure { throw failure }
            guard case .packet = result else { return false }
            guard let time = packet.presentationTime else {
                guard isProgram else { throw SpliceFailure("a frame has no time stamp") }
                if !found.isEmpty { untimed += 1 }
                continue
            }
            let frame = times.frame(nearest: ticks.video.scaled(count: time - origins.video))
            guard window.contains(frame) else {
                // Reordering doesn't reach this far, so no frame of the window follows.
                if frame > window.upperBound + 64 { return false }
                continue
            }
            let meant = origins.video + times.ticks(of: frame, in: ticks.video)
            // Times are rounded to a tick, and so is that of the first frame.
            if abs(time - meant) > 1 { throw SpliceFailure("frame \(frame) has a wrong time stamp") }
            if !found.insert(frame).inserted { throw SpliceFailure("frame \(frame) is there twice") }
        }
        return true
    }

    private struct SoundState {
        /// The number of the latest packet; nil before the first one.
        var latest: Int?
    }

    /// What is wrong with an audio packet; nil if nothing is.
    private func check(_ packet: Packet, _ state: inout SoundState) -> SpliceFailure? {
        guard let origin = origins.audio, let sound = spliced.sound else { return nil }
        if isProgram { return checkOrder(packet, sound, &state) }
        guard let time = packet.presentationTime else { return SpliceFailure("an audio packet has no time stamp") }
        let number = (Rational(time - origin) / audioStep).rounded()
        let meant = origin + (audioStep * Rational(number)).rounded()
        // Transport streams have time stamps for some packets only; the times in between are counted in whole ticks.
        let tolerance = keepsPackets ? 1 : max(1, (Rational(1, 1000) / ticks.audio).rounded())
        if abs(time - meant) > tolerance {
            return SpliceFailure("audio packet \(number) has a wrong time stamp")
        }
        if let latest = state.latest, number != latest + 1 {
            return SpliceFailure("audio packet \(latest + 1) is missing")
        }
        state.latest = number
        let hash = hash(packet)
        skipped = skipped.filter { sound.hashes.dropFirst(number + $0).first == hash }
        return skipped.isEmpty ? SpliceFailure("audio packet \(number) is not the one that was written") : nil
    }

    /// The same for a program stream, which doesn't state the times of packets that begin where another one ends: only
    /// their order is known.
    private func checkOrder(_ packet: Packet, _ sound: WrittenAudio, _ state: inout SoundState) -> SpliceFailure? {
        let hash = hash(packet)
        guard let latest = state.latest else {
            // Where reading begins within a packet, the rest of it is none that was written.
            state.latest = sound.hashes.firstIndex(of: hash)
            return nil
        }
        state.latest = latest + 1
        if sound.hashes.dropFirst(latest + 1).first == hash { return nil }
        return SpliceFailure("audio packet \(latest + 1) is not the one that was written")
    }

    private func hash(_ packet: Packet) -> Int {
        WrittenAudio.hash(keepsPackets ? packet.bytes[...] : CodedAudio.content(packet.bytes))
    }
}
