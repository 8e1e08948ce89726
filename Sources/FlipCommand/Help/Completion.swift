import ArgumentParser
import FlipGeometry
import FlipMedia

extension CompletionKind {
    /// The names of the styles.
    static var styles: CompletionKind { .list(Styles.all.map(\.name)) }
    /// The names of the looks.
    static var looks: CompletionKind { .list(Looks.all.map(\.name)) }
    /// What a transition's spec begins with.
    static var specs: CompletionKind { .list(Styles.all.map(\.name) + ["cut"]) }
    static var colors: CompletionKind { .list(Color.allNames) }
    /// The encoders of the FFmpeg that the program runs with, and not of the one it was packaged with.
    static var videoEncoders: CompletionKind { .custom { _, _, _ in Encoders.videoNames } }
    static var audioEncoders: CompletionKind { .custom { _, _, _ in Encoders.audioNames } }
    /// The containers by their muxers and by their file name extensions, which are accepted as well.
    static var formats: CompletionKind {
        var names: [String] = []
        for container in Container.all {
            for name in [container.name] + container.extensions where !names.contains(name) { names.append(name) }
        }
        return .list(names)
    }
    static let sizes = CompletionKind.list(["1920x1080", "1280x720", "3840x2160", "1080x1920", "1080x1080", "640x360"])
    static let rates = CompletionKind.list(["24", "25", "30", "50", "60", "24000/1001", "30000/1001", "60000/1001"])
    /// The presets of x264 and x265.
    static let presets = CompletionKind.list([
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
    ])
    /// Planar formats that encoders often take.
    static let pixelFormats = CompletionKind.list([
        "yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le", "gbrp", "gbrp10le", "yuva420p",
        "yuva444p10le", "gray",
    ])

    /// The values of an option of looks; nothing for numbers.
    static func values(of option: LookOption) -> CompletionKind? {
        switch option.kind {
        case .word(let words): .list(words)
        case .color: .colors
        case .easing: .list(Easing.named.map(\.name))
        case .flag, .number, .wholeNumber, .point: nil
        }
    }

    /// `words`, written in help as `a|b`.
    static func words(_ words: String) -> CompletionKind { .list(words.split(separator: "|").map(String.init)) }
}
