import FlipBase
import FlipMedia
import FlipGeometry
import FlipRender

/// The `output` of a project, whose keys are the command line's options of the same names.
package enum ProjectOutput {
    package static let keys = OutputOption.allCases.map(\.rawValue) + ["audio", "chapters", "metadata"]

    static func settings(_ value: YAMLValue?) throws(MediaError) -> OutputSettings {
        var settings = OutputSettings(path: "")
        settings.segments = .auto
        guard let map = try value?.map(keys) else { return settings }
        for entry in map.entries { try set(entry.key, entry.value, &settings) }
        return settings
    }

    private static func set(_ key: String, _ value: YAMLValue, _ settings: inout OutputSettings) throws(MediaError) {
        switch key {
        case "audio": settings.hasAudio = try value.flag()
        case "chapters": settings.marksClips = try value.flag()
        case "metadata":
            for tag in try value.list() { settings.metadata.append(try tag.reading(OutputValue.tag)) }
        default:
            guard let option = OutputOption(rawValue: key) else { throw value.error("'\(key)' is not supported") }
            var changed = settings
            try value.reading { text throws(OptionError) in try changed.set(option, to: text) }
            settings = changed
            if option == .videoOptions, let name = EncoderFiles.firstOption(in: settings.videoOptions) {
                throw value.error(EncoderFiles.refusal(of: name))
            }
        }
    }
}
