import FlipBase
import FlipBitstream
import FlipMedia

/// What copying needs to know about a codec. The codecs are `CopyCodecs.all` and those of `FrameCodec`.
package protocol CopyCodec: Sendable {
    /// libav's name of the codec.
    var name: String { get }
    /// The codec's name in messages.
    var title: String { get }
    /// libav's name of the encoder whose packets can be joined with copied ones.
    var encoder: String { get }
    /// libav's names of the pixel formats that can be copied.
    var pixelFormats: [String] { get }
    /// libav's names of the containers that copied packets can be written to.
    var containers: [String] { get }

    /// Why a video can't be copied, whatever its packets are; nil if nothing speaks against it.
    func refusal(of video: VideoInfo) -> CopyRefusal?
    /// Why a stream can't be copied, by the header that its packets have completed; nil if it can.
    func refusal(_ header: CodedHeader, of video: VideoInfo) -> CopyRefusal?

    /// The header of an output in `container` before any stream has been added.
    func emptyHeader(in container: Container) -> CodedHeader
    /// Adds a stream's header to the output's.
    /// - Returns: how the stream's packets have to be rewritten; nil if the headers can't be combined.
    func add(_ header: CodedHeader, to output: inout CodedHeader) -> (any PacketRewriter)?
    /// Whether the output's header still has room for the encoder's.
    func hasRoomForEncoder(_ output: CodedHeader) -> Bool
    /// Reads the encoder's extradata, `bytes`; nil if it can't be added to an output's header.
    func encoderHeader(_ bytes: [UInt8]) -> CodedHeader?
    /// The output's header in its container's form; nil if it can't be written.
    func written(_ output: CodedHeader) -> [UInt8]?
    /// The options that make the encoder's stream match those that were added.
    /// - Parameter encoding: the encoder's other settings.
    func encoderOptions(beside track: SplicedTrack, for encoding: VideoEncoding) -> [(String, String)]
    /// Why nothing can be joined with what the encoder makes of `encoding`; nil if copying is possible.
    func refusal(of encoding: VideoEncoding) -> CopyRefusal?
}

extension CopyCodec {
    package func refusal(of video: VideoInfo) -> CopyRefusal? { nil }
    package func emptyHeader(in container: Container) -> CodedHeader { CodedHeader() }
    package func hasRoomForEncoder(_ output: CodedHeader) -> Bool { true }
    package func written(_ output: CodedHeader) -> [UInt8]? { output.bytes }
    package func refusal(of encoding: VideoEncoding) -> CopyRefusal? { nil }
}

/// Finds the codec of an output that packets are copied into.
package enum CopyCodecs {
    /// The codecs that don't depend on a clip; others are made by `FrameCodec`.
    package static let all: [any CopyCodec] = [
        NALCodec.h264, NALCodec.hevc, MPEG2Codec.mpeg1, MPEG2Codec.mpeg2, MPEG4Codec(),
    ]

    /// The codec whose copied packets can be joined with what `encoding` makes, in `container`; nil if there is none.
    /// - Parameter clip: one of the clips that are to be copied.
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

    /// Whether packets of the codec, by libav's name, can't be copied into any output.
    static func isNeverCopied(_ codec: String) -> Bool {
        !all.contains { $0.name == codec } && !FrameForm.exists(codec)
    }

    /// Whether frames of `format` can stand beside copied packets of the codec that `encoder` makes, though it is not the format that
    /// the codec has by default.
    package static func takes(_ format: PixelFormat, of encoder: String) -> Bool {
        if let row = all.first(where: { $0.encoder == encoder }) { return row.pixelFormats.contains(format.name) }
        return Encoders.isForViewing(codec: encoder) && NALCodec.formats.contains(format.name)
            && Encoders.pixelFormat(for: encoder, wanted: format) == format
    }

    /// libav's name of the encoder whose packets can be joined with those of clips like `video` in `container`; nil if
    /// there is none.
    package static func encoder(like video: VideoInfo, in container: Container) -> String? {
        all.first { codec in
            codec.name == video.codec && codec.containers.contains(container.name)
                && codec.pixelFormats.contains(video.pixelFormat.name)
                && Encoders.codec(of: codec.encoder) != nil
        }?.encoder ?? FrameCodec.encoder(like: video, in: container)
    }
}
