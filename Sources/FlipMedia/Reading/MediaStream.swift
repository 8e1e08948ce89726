import CLibav
import FlipBase

/// A stream of an open file, as its headers describe it. It is valid as long as the file is open.
package struct MediaStream {
    private let pointer: UnsafeMutablePointer<AVStream>

    init(_ pointer: UnsafeMutablePointer<AVStream>) { self.pointer = pointer }

    package var index: Int { Int(pointer.pointee.index) }

    /// The time base: the seconds of a tick.
    package var timeBase: Rational { Rational(pointer.pointee.time_base) }

    /// libav's name of the codec.
    package var codec: String { MediaProbe.codecName(pointer.pointee.codecpar.pointee) }

    /// Samples per second; 0 for a stream that is not audio.
    package var sampleRate: Int { Int(pointer.pointee.codecpar.pointee.sample_rate) }

    /// Whether its pictures are shown as `form` says. The ratio of a pixel's sides may be rounded.
    package func states(_ form: CodedForm) -> Bool {
        let turn = flip_display_matrix(pointer, nil).map { DisplayTransform(matrix: $0) } ?? .identity
        let stated = Rational(pointer.pointee.sample_aspect_ratio)
        let ratio = stated > .zero ? (stated / form.sampleAspectRatio).doubleValue : 1
        return turn == form.transform && abs(ratio - 1) < 0.005
    }

    /// The codec's header; empty if the file has none.
    package var extradata: [UInt8] { pointer.pointee.codecpar.pointee.header }

    /// The number of packets that the header states; 0 if it doesn't say.
    package var packetCount: Int { Int(pointer.pointee.nb_frames) }

    /// The number of packets in the file's index so far. The index of MP4 and MOV lists all packets.
    package var indexCount: Int { Int(avformat_index_get_entries_count(pointer)) }

    /// Packet `number` of the index: its DTS in ticks, and whether it is marked as a keyframe; nil if there is none.
    package func indexEntry(_ number: Int) -> (time: Int, isKey: Bool)? {
        avformat_index_get_entry(pointer, Int32(clamping: number)).map {
            (Int($0.pointee.timestamp), $0.pointee.flags & AVINDEX_KEYFRAME != 0)
        }
    }
}

extension AVCodecParameters {
    /// The extradata; empty if there is none.
    var header: [UInt8] { extradata.map { Array(UnsafeBufferPointer(start: $0, count: Int(extradata_size))) } ?? [] }
}

extension InputFile {
    /// The video stream to show; nil if there is none.
    package var video: MediaStream? { videoStream.map(MediaStream.init) }

    /// All audio streams whose sample rate and channels are known.
    package var audio: [MediaStream] { audioStreams.map(MediaStream.init) }

    /// Stream `index`; nil if the file has none of that index.
    package func stream(_ index: Int) -> MediaStream? { avStream(index).map(MediaStream.init) }

    /// Seeks a stream to the last keyframe at or before `time`, in its ticks. Some containers go by DTS, others by PTS,
    /// and some are not exact.
    /// - Returns: whether the container could seek; otherwise the position in the file is undefined.
    package func seek(_ stream: Int, to time: Int) -> Bool {
        av_seek_frame(context, Int32(clamping: stream), Int64(time), AVSEEK_FLAG_BACKWARD) >= 0
    }
}
