import FlipBase
import FlipGeometry
import FlipMedia

/// The options of an output that have one value, by the names that command lines and projects have for them. Manifests of
/// batches and calls of agents become command lines.
package enum OutputOption: String, CaseIterable, Sendable {
    case like, size, fps, fit, background
    case videoCodec = "video-codec"
    case crf, bitrate
    case targetSize = "target-size"
    case preset
    case pixFmt = "pix-fmt"
    case videoOptions = "video-options"
    case format
    case presetFor = "preset-for"
    case audioCodec = "audio-codec"
    case audioBitrate = "audio-bitrate"
    case audioRate = "audio-rate"
    case audioLayout = "audio-layout"
    case audioCurve = "audio-curve"
    case audioCopy = "audio-copy"
    case loudness
    case clipLoudness = "clip-loudness"
    case burnCaptions = "burn-captions"
    case timecode
    case language
    case stillMotion = "still-motion"
    case fadeIn = "fade-in"
    case fadeOut = "fade-out"
    case fadeColor = "fade-color"
    case render, segments
    case heldFrames = "held-frames"
}

extension OutputSettings {
    /// Sets `option` to the value that `text` has for it.
    package mutating func set(_ option: OutputOption, to text: String) throws(OptionError) {
        let name = option.rawValue
        switch option {
        case .like: like = try LikeChoice(parsing: text)
        case .size: size = try OutputValue.size(text)
        case .fps: frameRate = try OutputValue.rate(text)
        case .fit: fit = try OutputValue.word(name, text)
        case .background: background = try Color(parsing: text)
        case .videoCodec: videoCodec = text
        case .crf: crf = try OutputValue.number(name, text, in: 0...255)
        case .bitrate: videoBitrate = try OutputValue.bits(name, text)
        case .targetSize: targetSize = try OutputValue.bytes(name, text)
        case .preset: preset = text
        case .pixFmt: pixelFormat = try OutputValue.pixelFormat(text)
        case .videoOptions: videoOptions = try OutputValue.options(text)
        case .format: format = text
        case .presetFor: presetFor = try OutputValue.preset(text)
        case .audioCodec: audioCodec = text
        case .audioBitrate: audioBitrate = try OutputValue.bits(name, text)
        case .audioRate: audioRate = try OutputValue.sampleRate(text)
        case .audioLayout: audioLayout = try OutputValue.layout(text)
        case .audioCurve: audioCurve = try OutputValue.word(name, text)
        case .audioCopy: audioCopy = try OutputValue.word(name, text)
        case .loudness: loudness = try OutputValue.loudness(text)
        case .clipLoudness: clipLoudness = try OutputValue.loudness(text, of: name)
        case .burnCaptions: captionStyle = try CaptionStyle(parsing: text)
        case .timecode: metadata.append(try OutputValue.tag("timecode=" + text))
        case .language: language = try OutputValue.language(text)
        case .stillMotion: stillMotion = try OutputValue.word(name, text)
        case .fadeIn: fadeIn = try TransitionDuration(parsing: text, of: name)
        case .fadeOut: fadeOut = try TransitionDuration(parsing: text, of: name)
        case .fadeColor: fadeColor = try Color(parsing: text)
        case .render: render = try OutputValue.word(name, text)
        case .segments: segments = try SegmentChoice(parsing: text)
        case .heldFrames: holds = try OutputValue.word(name, text)
        }
    }

    /// Sets those of the options in `given` that are an output's, by their names.
    package mutating func set(_ given: [(name: String, value: String)]) throws(OptionError) {
        for (name, value) in given {
            if let option = OutputOption(rawValue: name) { try set(option, to: value) }
        }
    }
}

/// Which input an output is like: in its size, rate, pixel format, color, and codec for copying.
package enum LikeChoice: Sendable, Equatable {
    /// The one that is shown longest, all its parts together; the first of several.
    case longest
    case first
    /// The input with this number, counted from 1.
    case number(Int)
    case file(String)

    package init(parsing text: String) throws(OptionError) {
        switch text {
        case "longest": self = .longest
        case "first": self = .first
        case "": throw OptionError("invalid like '' (expected longest, first, an input's number or its file)")
        default: self = Int(text).map { .number($0) } ?? .file(text)
        }
    }

    /// The text that `init(parsing:)` reads.
    package var text: String {
        switch self {
        case .longest: "longest"
        case .first: "first"
        case .number(let number): "\(number)"
        case .file(let path): path
        }
    }
}
