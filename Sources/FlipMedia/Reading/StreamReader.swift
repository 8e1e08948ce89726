import CLibav
import FlipBase
import FlipFiles

/// Reads the decoded frames of one stream of a file, in presentation order.
final class StreamReader: @unchecked Sendable {
    let file: InputFile
    let stream: UnsafeMutablePointer<AVStream>
    /// The sample aspect ratio that the container states; 0 if it states none. It is taken when the reader is opened,
    /// because another thread may be reading packets of a live clip, which changes the stream.
    private let statedAspect: Rational
    private let decoder: StreamDecoder
    private let packet: Packet
    private let clocks: ReadingClocks
    /// The live clip that the packets come from, each of them once only; nil for a file.
    private let live: LiveInput?
    private var isDraining = false
    /// The frame that `peek` has decoded and `next` is to return.
    private var ahead: Frame?
    /// The number of packets sent to the decoder whose frames are to be shown.
    private(set) var packetCount = 0
    /// Whether the file turned out to be damaged or to end earlier than it should.
    private(set) var isCutOff = false

    /// - Parameters:
    ///   - live: the clip if it is still arriving; then `path` is not opened.
    ///   - jumps: the jumps of the file's clock; nil if none are known.
    ///   - onlyKeyframes: whether the decoder skips all frames that refer to others.
    init(
        path: String, live: LiveInput? = nil, streamIndex: Int, jumps: ClockJumps? = nil, threads: Int,
        onlyKeyframes: Bool = false, clocks: ReadingClocks = ReadingClocks()
    ) throws(MediaError) {
        (self.clocks, self.live) = (clocks, live)
        let file: InputFile
        if let live {
            file = live.file
        } else {
            file = try clocks.demuxing.measure { () throws(MediaError) in try InputFile(path: path) }
        }
        self.file = file
        guard let stream = file.avStream(streamIndex) else {
            throw MediaError(
                .badInput, "'\(path)' no longer has stream \(streamIndex); it was changed while it was read")
        }
        self.stream = stream
        statedAspect = Rational(stream.pointee.sample_aspect_ratio)
        if live == nil { file.readOnly([streamIndex], jumps: jumps) }
        decoder = try clocks.decoding.measure { () throws(MediaError) in
            try StreamDecoder(stream: stream, path: path, threads: threads)
        }
        if onlyKeyframes { decoder.context.pointee.skip_frame = AVDISCARD_NONKEY }
        packet = try Packet()
    }

    /// The sample aspect ratio of a decoded frame, as the container or else the codec states it; 1 if neither does.
    func sampleAspectRatio(of frame: Frame) -> Rational {
        if statedAspect > .zero { return statedAspect }
        let coded = Rational(frame.pointer.pointee.sample_aspect_ratio)
        return coded > .zero ? coded : Rational(1)
    }

    /// The time base: the seconds of one tick of the frames' time stamps.
    var timeBase: Rational { Rational(stream.pointee.time_base) }

    /// The number of damaged packets and frames so far.
    var errorCount: Int { decoder.errorCount }

    /// Seeks to the last keyframe at or before `position`, in ticks. Returns false, with the reader at an undefined
    /// position, if the container can't seek or the first frame from there isn't known to be at or before `latest`, in
    /// ticks.
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

    /// Returns the frame that `next` will return.
    func peek() throws(MediaError) -> Frame? {
        if ahead == nil { ahead = try decode() }
        return ahead
    }

    /// The stream time in seconds up to which frames of a live clip's audio are wanted; nil to wait for the next frame
    /// however late it is.
    var horizon: Rational?
    /// Whether the last nil meant only that a live clip's audio has nothing before `horizon`.
    private(set) var isQuiet = false

    /// Returns the next frame; nil at the end, and if `isQuiet`.
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
                if packet.pointer.pointee.flags & AV_PKT_FLAG_DISCARD == 0 { packetCount += 1 }
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
        if let live { return try live.read(into: packet, stream: index, upTo: horizon) }
        return try file.read(into: packet, stream: index)
    }

    private func send(_ packet: Packet?) throws(MediaError) {
        try clocks.decoding.measure { () throws(MediaError) in try decoder.send(packet) }
    }
}
