import CLibav

/// The decoded frames of one stream of a file, in order of display.
final class StreamReader: @unchecked Sendable {
    let file: InputFile
    let stream: UnsafeMutablePointer<AVStream>
    private let decoder: StreamDecoder
    private let packet: Packet
    private let clocks: ReadingClocks
    /// Whose packets are read once only, where they are.
    private let live: LiveInput?
    private var isDraining = false
    /// Decoded already, to be given next.
    private var ahead: Frame?
    /// Whether the file ended earlier than it should have.
    private(set) var isCutOff = false

    /// - Parameters:
    ///   - live: the clip, where it is still coming in and can't be opened by `path`.
    ///   - jumps: of the file's clock, where it is known to have some.
    init(
        path: String, live: LiveInput? = nil, streamIndex: Int, jumps: ClockJumps? = nil, threads: Int,
        clocks: ReadingClocks = ReadingClocks()
    ) throws(MediaError) {
        self.clocks = clocks
        self.live = live
        let file: InputFile
        if let live {
            file = live.file
        } else {
            file = try clocks.demuxing.measure { () throws(MediaError) in try InputFile(path: path) }
        }
        self.file = file
        guard let stream = file.stream(streamIndex) else {
            throw MediaError(
                .badInput, "'\(path)' has no stream \(streamIndex) any more; it was changed while being read")
        }
        self.stream = stream
        if live == nil {
            file.readOnly((jumps?.streams ?? []) + [streamIndex])
            if let jumps { file.watchClock(of: jumps.streams, known: jumps) }
        }
        decoder = try clocks.decoding.measure { () throws(MediaError) in
            try StreamDecoder(stream: stream, path: path, threads: threads)
        }
        packet = try Packet()
    }

    /// Seconds of one tick of the frames' timestamps.
    var timeBase: Rational { Rational(stream.pointee.time_base) }

    /// Damaged packets and frames so far.
    var errorCount: Int { decoder.errorCount }

    /// Goes on at the last keyframe at or before `position`, in ticks; false where the container can't, or where the first
    /// frame from there is not at or before `latest`. The reader is then at no place in particular.
    func seek(to position: Int, latest: Int) throws(MediaError) -> Bool {
        guard av_seek_frame(file.context, stream.pointee.index, Int64(position), AVSEEK_FLAG_BACKWARD) >= 0 else {
            return false
        }
        decoder.flush()
        isDraining = false
        ahead = nil
        guard let time = try peek()?.timestamp else { return false }
        return time <= latest
    }

    /// The frame that `next` will give.
    func peek() throws(MediaError) -> Frame? {
        if ahead == nil { ahead = try decode() }
        return ahead
    }

    /// Whether there was no frame only for now.
    private(set) var isQuiet = false

    /// The next frame, or nil at the end, or where `isQuiet`.
    func next() throws(MediaError) -> Frame? {
        if let frame = ahead {
            ahead = nil
            return frame
        }
        return try decode()
    }

    private func decode() throws(MediaError) -> Frame? {
        while true {
            if let frame = try clocks.decoding.measure({ () throws(MediaError) in try decoder.receive() }) {
                clocks.decoding.countOne()
                return frame
            }
            isQuiet = false
            if isDraining { return nil }
            switch try clocks.demuxing.measure({ () throws(MediaError) in try readPacket() }) {
            case .packet:
                clocks.demuxing.countOne()
                try send(packet)
            case .quiet:
                isQuiet = true
                return nil
            case .damaged:
                isCutOff = true
                fallthrough
            case .end:
                isDraining = true
                try send(nil)
            }
        }
    }

    private func readPacket() throws(MediaError) -> InputFile.ReadResult {
        let index = Int(stream.pointee.index)
        if let live { return try live.read(into: packet, stream: index) }
        return try file.read(into: packet, stream: index)
    }

    private func send(_ packet: Packet?) throws(MediaError) {
        try clocks.decoding.measure { () throws(MediaError) in try decoder.send(packet) }
    }
}
