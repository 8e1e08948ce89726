import CLibav
import FlipClip

extension EncoderSettings {
    /// - Parameter isForThisMachine: whether this machine encodes, so that what its processor needs is included.
    init(_ encoding: VideoEncoding, codec name: String, isForThisMachine: Bool = true) {
        let codec = avcodec_find_encoder_by_name(name)
        self.init(
            encoding, codec: name,
            hasWideRegisters: isForThisMachine && av_get_cpu_flags() & AV_CPU_FLAG_AVX512 != 0
        ) { option in
            codec.map { Encoders.knowsOption($0, option) } ?? true
        }
    }
}

extension VideoEncoding {
    /// The ffmpeg command's options for this encoding in a file of `container`: names without the dash, and values.
    package func commandOptions(in container: Container) -> [(name: String, value: String)] {
        let codec = codec ?? container.defaultVideoCodec
        return commandOptions(codec: codec, EncoderSettings(self, codec: codec, isForThisMachine: false))
    }
}
