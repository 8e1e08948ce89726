import CGStreamer
import FlipFrame
import FlipGeometry
import FlipHost
import Synchronization

/// The state of an element beyond what GStreamer itself keeps. Applications set properties on any thread; one thread at a
/// time draws.
final class Element: @unchecked Sendable {
    /// What applications set.
    private struct Settings {
        var values = HostSettings()
        var threads = 0
        /// Whether the element has been started and not stopped since.
        var isRunning = false
        /// Whether an error has been posted since the element was started.
        var hasFailed = false
        /// What is wrong with a property's value, by the parameter's index.
        var mistakes: [Int: String] = [:]
        /// The size of the pictures that were drawn last.
        var size = (width: 1920, height: 1080)
        /// The transition for pictures of that size; nil after a setting has changed.
        var transition: HostTransition?

        /// The transition between pictures of `format`. Throws if a setting is wrong.
        mutating func transition(_ format: FrameFormat) throws(FrameError) -> HostTransition {
            if let mistake = mistakes.min(by: { $0.key < $1.key }) { throw FrameError(.invalidOption, mistake.value) }
            if let transition, size == (format.width, format.height) { return transition }
            size = (format.width, format.height)
            let value = made(of: values)
            if let mistake = value.mistakes.first { throw FrameError(.invalidOption, mistake) }
            transition = value
            return value
        }

        /// The new mistake if `property` gets `value`; nil if there is none.
        func mistake(giving value: HostParameter.Value, to property: ElementProperty) -> String? {
            guard !property.parameter.changesAllTheTime else { return nil }
            var changed = values
            guard changed.give(property.index, value) else { return nil }
            let mistakes = made(of: changed).mistakes
            return mistakes.isEmpty ? nil : mistakes.first { !made(of: values).mistakes.contains($0) }
        }

        /// Properties are set one after the other, so the offset may be set before the duration.
        private func made(of values: HostSettings) -> HostTransition {
            HostTransition(values.withoutLoneOffset, width: size.width, height: size.height)
        }
    }

    private let settings = Mutex(Settings())
    /// Made for the first frame, and for the first one of another format. Only the thread that draws uses it.
    private var renderer: (value: FrameRenderer, threads: Int)?

    // MARK: Properties

    /// Sets a property.
    ///
    /// - Returns: What is wrong with the value, if the element is running: then the value before stays, so that a mistyped
    ///   word doesn't end a live pipeline. Before that, the first frame fails with the mistake.
    func set(_ property: ElementProperty, to given: UnsafePointer<GValue>) -> String? {
        settings.withLock { settings in
            do throws(OptionError) {
                let value = try property.value(given)
                if settings.isRunning, let mistake = settings.mistake(giving: value, to: property) { return mistake }
                settings.mistakes[property.index] = nil
                let isChanged = settings.values.give(property.index, value)
                if isChanged && !property.parameter.changesAllTheTime { settings.transition = nil }
                return nil
            } catch {
                let mistake = "\(property.parameter.name): \(error)"
                if settings.isRunning { return mistake }
                settings.mistakes[property.index] = mistake
                return nil
            }
        }
    }

    /// Writes a property's value for the application.
    func get(_ property: ElementProperty, into result: UnsafeMutablePointer<GValue>) {
        property.write(settings.withLock { $0.values.values[property.index] }, to: result)
    }

    /// The number of threads that draw a frame; 0 lets the element choose.
    var threads: Int {
        get { settings.withLock { $0.threads } }
        set { settings.withLock { $0.threads = newValue } }
    }

    // MARK: Life

    /// Called when the element is started, and when it has stopped: errors are posted again, and nothing is kept for frames.
    func reset(isRunning: Bool) {
        settings.withLock { ($0.hasFailed, $0.isRunning) = (false, isRunning) }
        renderer = nil
    }

    var hasFailed: Bool { settings.withLock { $0.hasFailed } }

    /// Remembers that something has failed. Returns whether this is the first failure.
    func noteFailure() -> Bool {
        settings.withLock { settings in
            defer { settings.hasFailed = true }
            return !settings.hasFailed
        }
    }

    // MARK: Frames

    /// Draws the frame at `seconds` of the stream, `length` seconds before the next one, from `first` to `second`, which are
    /// nil where there is no picture: then the other one is copied, and without both there is only the background.
    func draw(
        _ seconds: Double, _ length: Double?, _ first: FramePicture?, _ second: FramePicture?,
        into result: FramePicture,
        _ format: FrameFormat
    ) throws(FrameError) {
        let (transition, time, spacing, isSwapped, threads) = try settings.withLock { settings throws(FrameError) in
            let transition = try settings.transition(format)
            return (
                transition, transition.time(settings.values.progress(at: seconds), seconds: seconds),
                transition.spacing(settings.values, frame: length), settings.values.isSwapped, settings.threads
            )
        }
        let renderer = try renderer(format, threads: threads == 0 ? HostThreads.count : threads)
        renderer.givenBackground = transition.background
        let look = FrameTransition(transition.look)
        switch isSwapped ? (second, first) : (first, second) {
        case (let from?, let to?):
            // Where the progress is animated, nothing says how long a frame is, so it is a moment.
            try renderer.draw(
                look, at: time, spacing: spacing ?? 0, progress: { transition.progress(at: $0) }, from: from, to: to,
                into: result)
        case (let only?, nil), (nil, let only?):
            try renderer.draw(look, progress: 0, from: only, to: only, into: result)
        case (nil, nil): try renderer.drawBackground(into: result)
        }
    }

    private func renderer(_ format: FrameFormat, threads: Int) throws(FrameError) -> FrameRenderer {
        if let renderer, renderer.value.format == format, renderer.threads == threads { return renderer.value }
        let value = try FrameRenderer(format, threads: threads)
        renderer = (value, threads)
        return value
    }
}
