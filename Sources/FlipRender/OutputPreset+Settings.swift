import FlipBase
import FlipGeometry
import FlipMedia

/// A preset as it was applied to an output.
package struct AppliedPreset: Sendable, Encodable {
    package let name: String
    /// The options that make the same output without the preset, as the words of a command line.
    package let options: [String]
    /// Whether the audio bit rate is the preset's, rather than one that was given beside it.
    var setsAudioBitrate = false

    private enum CodingKeys: CodingKey { case name, options }

    /// The options as text for a shell.
    var text: String { options.map { ShellText.quoted($0) }.joined(separator: " ") }
}

extension OutputSettings {
    /// Whether the output gets the best depth, chroma, sample rate and channels of all inputs.
    var keepsBest: Bool { presetFor?.keepsBest ?? false }

    /// Sets what `preset` has for an output, except what was given beside it.
    ///
    /// The quality, the pixel format and the encoder's options are those of the preset's own video encoder: with another
    /// one, they are that encoder's. The audio bit rate likewise depends on the audio encoder.
    /// - Returns: the options that have the same effect.
    mutating func apply(_ preset: OutputPreset, to subject: OutputPreset.Subject) throws(MediaError) -> AppliedPreset {
        let bundle = try preset.settings(subject)
        var words: [String] = []
        if videoCodec ?? bundle.videoCodec == bundle.videoCodec { try applyVideo(bundle) }
        if size == nil, width == nil { width = bundle.width }
        frameRate = frameRate ?? bundle.frameRate
        videoCodec = videoCodec ?? bundle.videoCodec
        words += ["--video-codec", videoCodec ?? ""]
        if let crf, bundle.crf != nil { words += ["--crf", crf == crf.rounded() ? String(Int(crf)) : String(crf)] }
        if let pixelFormat, bundle.pixelFormat != nil { words += ["--pix-fmt", pixelFormat.name] }
        if !videoOptions.isEmpty, bundle.videoOptions != nil {
            words += ["--video-options", OutputValue.text(of: videoOptions)]
        }
        if let rate = bundle.frameRate { words += ["--fps", rate.description] }
        guard hasAudio, bundle.audioCodec != nil else { return AppliedPreset(name: preset.name, options: words) }
        let setsAudioBitrate = audioBitrate == nil
        if audioCodec ?? bundle.audioCodec == bundle.audioCodec { audioBitrate = audioBitrate ?? bundle.audioBitrate }
        audioCodec = audioCodec ?? bundle.audioCodec
        audioRate = audioRate ?? bundle.audioRate
        audioLayout = audioLayout ?? bundle.audioLayout
        words += ["--audio-codec", audioCodec ?? ""]
        if let audioBitrate, bundle.audioBitrate != nil {
            words += ["--audio-bitrate", OutputValue.text(ofBits: audioBitrate)]
        }
        if let audioRate, bundle.audioRate != nil { words += ["--audio-rate", String(audioRate)] }
        if let audioLayout, bundle.audioLayout != nil { words += ["--audio-layout", audioLayout] }
        return AppliedPreset(name: preset.name, options: words, setsAudioBitrate: setsAudioBitrate)
    }

    private mutating func applyVideo(_ bundle: OutputPreset.Settings) throws(MediaError) {
        // A bit rate or a size that is asked for takes the place of the quality.
        if videoBitrate == nil, targetSize == nil { crf = crf ?? bundle.crf }
        pixelFormat = pixelFormat ?? bundle.pixelFormat.flatMap { PixelFormat(name: $0) }
        guard let text = bundle.videoOptions else { return }
        do throws(OptionError) {
            let given = Set(videoOptions.map(\.key))
            // Lists of the encoder library's own options are joined, and what comes later in them counts.
            videoOptions =
                try OutputValue.options(text).filter { !given.contains($0.key) || EncoderFiles.isList($0.key) }
                + videoOptions
        } catch {
            throw MediaError(.internalFault, "the preset's options '\(text)' can't be read: \(error.description)")
        }
    }
}

extension Planner {
    /// Replaces the settings by those of the preset that was asked for, for an output that follows `first`.
    mutating func applyPreset(_ first: VideoInfo, _ videos: [VideoInfo]) throws(MediaError) {
        guard let preset = settings.presetFor, settings.appliedPreset == nil else { return }
        let subject = OutputPreset.Subject(
            frameRate: settings.frameRate ?? first.frameRate,
            width: settings.size?.width ?? settings.width ?? first.displayWidth, isHDR: first.color.isHDR,
            hasAlpha: settings.pixelFormat?.hasAlpha ?? videos.contains { $0.pixelFormat.hasAlpha },
            videoCodec: settings.videoCodec, pixelFormat: settings.pixelFormat)
        let applied = try composition.output.apply(preset, to: subject)
        composition.output.appliedPreset = applied
    }
}
