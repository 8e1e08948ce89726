import CLibav

/// What copying has to know of a codec. One that can be copied is a row of `CopyCodecs.all`.
package protocol CopyCodec: Sendable {
    /// libav's name of its streams.
    var name: String { get }
    /// For sentences.
    var title: String { get }
    /// The encoder whose streams go beside copied ones.
    var encoder: String { get }
    /// libav's names of the pixel formats that are copied.
    var pixelFormats: [String] { get }
    /// libav's names of the containers that copies are written into.
    var containers: [String] { get }

    /// Reads the header that a file keeps apart from its packets; `bytes` are empty where it keeps none.
    func header(_ bytes: [UInt8], of video: VideoInfo) -> Result<CodedHeader, CopyRefusal>
    /// What a packet is to those who cut the stream. Adds to `header` what the packet brings along for later ones.
    func role(
        of packet: UnsafeBufferPointer<UInt8>, _ header: inout CodedHeader
    ) -> Result<PacketRole, CopyRefusal>
    /// Why a stream can't be copied whose packets have all been seen; nil where it can.
    func refusal(_ header: CodedHeader, of video: VideoInfo) -> CopyRefusal?

    /// The header of an output in `container` that nothing has been taken into yet.
    func emptyHeader(in container: Container) -> CodedHeader
    /// Takes a stream's header into that of the output.
    /// - Returns: what changes in the stream's packets; nil where the two don't go together.
    func add(_ header: CodedHeader, to output: inout CodedHeader) -> (any PacketRewriter)?
    /// Whether the encoder's header has room in that of the output, too.
    func hasRoomForEncoder(_ output: CodedHeader) -> Bool
    /// What the encoder keeps apart from its packets, `bytes`; nil where it can't be copied.
    func encoderHeader(_ bytes: [UInt8]) -> CodedHeader?
    /// The output's header for its container; nil where it can't be written.
    func written(_ output: CodedHeader) -> [UInt8]?
    /// What makes the encoder's streams like those that were taken in.
    /// - Parameter encoding: what the encoder is told besides.
    func encoderOptions(beside track: SplicedTrack, for encoding: VideoEncoding) -> [(String, String)]
    /// Why nothing can be copied beside what the encoder makes when it is told `encoding`; nil where something can.
    func refusal(of encoding: VideoEncoding) -> CopyRefusal?
}

extension CopyCodec {
    package func refusal(of encoding: VideoEncoding) -> CopyRefusal? { nil }
}

/// The codecs that can be copied.
package enum CopyCodecs {
    package static let all: [any CopyCodec] = [NALCodec.h264, NALCodec.hevc]

    /// The one whose streams `encoding` goes beside in `container`; nil where there is none.
    /// - Parameter clip: one of those that are to be copied.
    package static func codec(
        for encoding: VideoEncoding, in container: Container, like clip: MediaInfo
    ) throws(MediaError) -> (any CopyCodec)? {
        let row = all.first { codec in
            codec.encoder == encoding.codec ?? container.defaultVideoCodec
                && codec.containers.contains(container.name)
                && codec.pixelFormats.contains(encoding.pixelFormat.name)
        }
        if let row { return row }
        return try FrameCodec(encoding, in: container, like: clip)
    }

    /// The encoder that clips like `video` can be copied beside in `container`; nil where there is none.
    package static func encoder(like video: VideoInfo, in container: Container) -> String? {
        all.first { codec in
            codec.name == video.codec && codec.containers.contains(container.name)
                && codec.pixelFormats.contains(video.pixelFormat.name)
                && avcodec_find_encoder_by_name(codec.encoder) != nil
        }?.encoder ?? FrameCodec.encoder(like: video, in: container)
    }
}

/// What a packet is to those who cut a stream.
package enum PacketRole: Sendable, Hashable {
    /// Decoding can begin here, and nothing that follows is shown before it.
    case start
    /// Decoding can begin here; leading pictures may follow, which are shown before it.
    case startWithLeading
    /// Decoding can begin here but for the leading pictures that refer to what is before it.
    case openStart
    /// Follows a start, is shown before it and decodes where that does.
    case leading
    /// Follows an open start, is shown before it and decodes only where what is before that is there, too.
    case dependentLeading
    case other

    /// Whether decoding can begin here.
    var isKey: Bool {
        switch self {
        case .start, .startWithLeading, .openStart: true
        case .leading, .dependentLeading, .other: false
        }
    }
}

/// What stands apart from the packets of a stream.
package struct CodedHeader: Sendable {
    /// How packets tell their units from each other.
    package enum Framing: Sendable, Hashable {
        /// A unit stands behind its length in so many bytes.
        case lengths(Int)
        /// A unit stands behind a start code (Annex B).
        case startCodes
    }

    /// As the file has it.
    var bytes: [UInt8] = []
    /// Of codecs that have such.
    package var sets = ParameterSets()
    package var framing = Framing.lengths(4)
    /// Units of information on the stream as a whole.
    package var information: [[UInt8]] = []
    /// Of codecs without parameter sets.
    var frames: FrameForm?
    /// Whether sequence headers differ within the track.
    var isMixed = false
    /// Whether the latest packet ended a sequence, so that the next picture is decoded as if it was the first.
    var hasEnded = false

    package init(bytes: [UInt8] = [], framing: Framing = .lengths(4)) {
        self.bytes = bytes
        self.framing = framing
    }
}

/// What changes in a stream's packets when they are taken over.
package protocol PacketRewriter: Sendable {
    /// The packet as the output wants it, and whether decoding can begin with it; nil where it is damaged.
    /// - Parameter isStart: whether what precedes it in its own stream does not precede it in the output.
    func rewritten(_ packet: UnsafeBufferPointer<UInt8>, isStart: Bool) -> (bytes: [UInt8], isKey: Bool)?
}
