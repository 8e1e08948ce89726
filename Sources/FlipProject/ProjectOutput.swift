import FlipBase
import FlipMedia
import FlipGeometry
import FlipRender

/// The `output` of a project, whose keys are the command line's options of the same names.
package enum ProjectOutput {
    package static let keys = [
        "preset-for", "size", "fps", "fit", "background", "video-codec", "crf", "bitrate", "preset", "pix-fmt",
        "video-options", "audio-codec", "audio-bitrate", "audio-rate", "audio-layout", "audio", "audio-curve",
        "audio-copy", "loudness", "chapters", "format", "render", "segments", "fade-in", "fade-out", "fade-color",
        "burn-captions", "metadata", "still-motion", "clip-loudness", "held-frames", "language",
    ]

    static func settings(_ value: YAMLValue?) throws(MediaError) -> OutputSettings {
        var settings = OutputSettings(path: "")
        settings.segments = .auto
        guard let map = try value?.map(keys) else { return settings }
        for entry in map.entries { try set(entry.key, entry.value, &settings) }
        return settings
    }

    private static func set(
        _ key: String, _ value: YAMLValue, _ settings: inout OutputSettings
    ) throws(MediaError) {
        switch key {
        case "size": settings.size = try value.reading(OutputValue.size)
        case "fps": settings.frameRate = try value.reading(OutputValue.rate)
        case "fit": settings.fit = try value.reading { text throws(OptionError) in try OutputValue.word("fit", text) }
        case "background":
            settings.background = try value.reading { text throws(OptionError) in try Color(parsing: text) }
        case "video-codec": settings.videoCodec = try value.text()
        case "crf": settings.crf = try value.number(in: 0...255)
        case "bitrate":
            settings.videoBitrate = try value.reading { text throws(OptionError) in
                try OutputValue.bits("bitrate", text)
            }
        case "preset": settings.preset = try value.text()
        case "pix-fmt": settings.pixelFormat = try value.reading(OutputValue.pixelFormat)
        case "video-options":
            settings.videoOptions = try value.reading(OutputValue.options)
            if let name = EncoderFiles.firstOption(in: settings.videoOptions) {
                throw value.error(EncoderFiles.refusal(of: name))
            }
        case "audio-codec": settings.audioCodec = try value.text()
        case "audio-bitrate":
            settings.audioBitrate = try value.reading { text throws(OptionError) in
                try OutputValue.bits("audio-bitrate", text)
            }
        case "preset-for": settings.presetFor = try value.reading(OutputValue.preset)
        case "audio-rate": settings.audioRate = try value.reading(OutputValue.sampleRate)
        case "audio-layout": settings.audioLayout = try value.reading(OutputValue.layout)
        case "audio": settings.hasAudio = try value.flag()
        case "audio-curve":
            settings.audioCurve = try value.reading { text throws(OptionError) in
                try OutputValue.word("audio-curve", text)
            }
        case "loudness":
            settings.loudness = try value.reading { text throws(OptionError) in try OutputValue.loudness(text) }
        case "clip-loudness":
            settings.clipLoudness = try value.reading { text throws(OptionError) in
                try OutputValue.loudness(text, of: "clip-loudness")
            }
        case "audio-copy":
            settings.audioCopy = try value.reading { text throws(OptionError) in
                try OutputValue.word("audio-copy", text)
            }
        case "still-motion":
            settings.stillMotion = try value.reading { text throws(OptionError) in
                try OutputValue.word("still-motion", text)
            }
        case "held-frames":
            settings.holds = try value.reading { text throws(OptionError) in
                try OutputValue.word("held-frames", text)
            }
        case "burn-captions": settings.captionStyle = try value.reading(CaptionStyle.init(parsing:))
        case "metadata":
            for tag in try value.list() { settings.metadata.append(try tag.reading(OutputValue.tag)) }
        case "language": settings.language = try value.reading(OutputValue.language)
        case "chapters": settings.marksClips = try value.flag()
        case "format": settings.format = try value.text()
        case "render":
            settings.render = try value.reading { text throws(OptionError) in try OutputValue.word("render", text) }
        case "segments": settings.segments = try value.reading(SegmentChoice.init(parsing:))
        case "fade-in", "fade-out":
            let duration = try value.reading { text throws(OptionError) in
                try TransitionDuration(parsing: text, of: key)
            }
            if key == "fade-in" { settings.fadeIn = duration } else { settings.fadeOut = duration }
        case "fade-color":
            settings.fadeColor = try value.reading { text throws(OptionError) in try Color(parsing: text) }
        default: throw value.error("'\(key)' is not supported")
        }
    }
}
