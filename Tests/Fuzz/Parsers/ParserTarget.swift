import FlipBase
import FlipMedia
import FlipFiles
import FlipGeometry
import FlipRender
import Foundation

/// The parsers of all texts that users can enter; the first byte selects the parser. A parser may refuse its input, but
/// must not crash, and what it accepts must be within its range.
enum ParserTarget {
    static func run(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let choice = bytes.first else { return }
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        try? readers[Int(choice) % readers.count](text)
    }

    private static let readers: [@Sendable (String) throws -> Void] =
        [
            { text in
                let color = try Color(parsing: text)
                hold([color.red, color.green, color.blue, color.alpha].allSatisfy((0...1).contains))
                let again = try Color(parsing: color.description)
                hold(again == color, "\(color)")
            },
            { text in
                let easing = try Easing(parsing: text)
                for step in 0...20 {
                    let progress = easing(Double(step) / 20)
                    hold(progress.isFinite, "\(easing.name) at \(step)")
                }
                _ = easing.name
            },
            { text in
                let duration = try TransitionDuration(parsing: text)
                hold(duration.frames(at: Rational(30000, 1001)) >= 1)
            },
            { text in
                let spec = try TransitionSpec(parsing: text, readsGesture: false)
                _ = spec.look?.description
            },
            { text in
                let recording = try GestureFile.parse(Data(text.utf8))
                let look = try StyledLook(style: try Styles.named(recording.style))
                let track = try recording.track(for: look)
                hold(track.length > 0 && (0...1).contains(track(0.5)) && track(1) == 1)
            },
            { text in
                guard let rational = Rational(parsing: text) else { return }
                hold(rational.denominator > 0)
                _ = (rational.inverse, rational.rounded(), rational.decimalText)
            },
            { text in
                let size = try OutputValue.size(text)
                hold((2...16384).contains(size.width) && (2...16384).contains(size.height))
            },
            { text in try hold(OutputValue.rate(text) > .zero) },
            { text in try hold(OutputValue.pixelFormat(text).isPlanarNative) },
            { text in try hold(OutputValue.options(text).allSatisfy { !$0.key.isEmpty && !$0.value.isEmpty }) },
            { text in try hold(OutputValue.bits("bitrate", text) >= 1000) },
            { text in try hold((0...255).contains(OutputValue.number("crf", text, in: 0...255))) },
            { text in try hold((1...256).contains(OutputValue.threads(text))) },
            { text in _ = FrameNames(text) },
            { text in _ = Container.forPath(text) },
            { text in
                let clip = try ClipSpec(parsing: "clip.mkv#t=" + text)
                let (start, end) = (clip.part.start ?? .zero, clip.part.end)
                hold(start >= .zero && end.map { $0 > start } ?? true, text)
            },
            { text in try holdList(text) },
            { text in try holdList("ffconcat version 1.0\n" + text) },
        ]
        + ["csv", "tsv", "llc", "json"].map { ending in { @Sendable text in try holdCuts(text, ending) } }
        + LookOption.allCases.map { option in { @Sendable text in try read(option, text) } }

    private static func holdList(_ text: String) throws {
        let clips = try InputList.clips(in: Data(text.utf8), path: "folder/list.txt")
        hold(!clips.isEmpty && clips.allSatisfy { !$0.path.isEmpty }, text)
    }

    private static func holdCuts(_ text: String, _ ending: String) throws {
        let clips = try CutList.clips(in: Data(text.utf8), path: "folder/list.\(ending)", of: ClipSpec(path: "a.mkv"))
        hold(!clips.isEmpty, text)
        for clip in clips {
            let start = clip.part.start ?? .zero
            hold(start >= .zero && clip.part.end.map { $0 > start } ?? true, text)
            var settled = clip
            settled.settle(at: Rational(30000, 1001))
            hold(settled.listedFrames == nil && settled.part.start ?? .zero >= .zero, text)
        }
    }

    private static func read(_ option: LookOption, _ text: String) throws {
        var look = Look()
        try option.set(&look, to: text)
        // Easings that consist of two curves can't be written as text.
        if option == .easing { return }
        // A value must be written in a form that reads back as the same value.
        var again = Look()
        let written = option.value(in: look)
        hold((try? option.set(&again, to: written)) != nil && again == look, "\(option.rawValue) \(text): \(written)")
    }

    /// Stops the run if a parser violated its contract.
    private static func hold(_ isKept: Bool, _ story: String = "") { precondition(isKept, story) }
}

/// The entry point that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    ParserTarget.run(UnsafeBufferPointer(start: bytes, count: count))
    return 0
}
