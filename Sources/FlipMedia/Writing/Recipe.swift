import CLibav
import FlipBase

extension VideoEncoding {
    /// Everything except the frames that the packets depend on, including the version of libavcodec.
    package func recipe(in container: Container) -> String {
        let settings = EncoderSettings(self, codec: codec ?? container.defaultVideoCodec)
        let options = settings.options.map { "\($0.0)=\($0.1)" } + (settings.quantizer.map { ["q=\($0)"] } ?? [])
        let pixels = form.hasSquarePixels ? "" : " of pixels \(form.sampleAspectRatio)"
        return "\(codec ?? container.defaultVideoCodec) \(width)x\(height)\(pixels) \(pixelFormat) at \(frameRate) in "
            + "\(container.name), \(options.joined(separator: ":")), \(threads) threads, libavcodec \(avcodec_version())"
    }
}

extension AudioEncoding {
    /// Everything except the samples that the packets depend on.
    package func recipe(in container: Container) -> String {
        "\(codec ?? container.defaultAudioCodec ?? "") \(sampleRate) \(layout) \(bitrate ?? 0)\(isDeep ? " deep" : "") in \(container.name), "
            + "libavcodec \(avcodec_version())"
    }
}
