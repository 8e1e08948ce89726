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
        /// Whether an error has been posted since the element was started.
        var hasFailed = false
        /// What is wrong with a property's value, by the parameter's index.
        var mistakes: [Int: String] = [:]
        /// The transition for pictures of this size; nil after a setting has changed.
        var transition: (value: HostTransition, width: Int, height: Int)?

        /// The transition between pictures of `format`. Throws if a setting is wrong.
        mutating func transition(_ format: FrameFormat) throws(FrameError) -> HostTransition {
            if let mistake = mistakes.min(by: { $0.key < $1.key }) { throw FrameError(.invalidOption, mistake.value) }
            if let transition, transition.width == format.width, transition.height == format.height {
                return transition.value
            }
            // Properties are set one after the other, so the offset may be set before the duration.
            let value = HostTransition(values.withoutLoneOffset, width: format.width, height: format.height)
            if let mistake = value.mistakes.first { throw FrameError(.invalidOption, mistake) }
            transition = (value, format.width, format.height)
            return value
        }
    }

    private let settings = Mutex(Settings())
    /// Made for the first frame, and for the first one of another format. Only the thread that draws uses it.
    private var renderer: (value: FrameRenderer, threads: Int)?

    // MARK: Properties

    /// Sets a property. A value that can't be read is reported when a frame is drawn.
    func set(_ property: ElementProperty, to given: UnsafePointer<GValue>) {
        settings.withLock { settings in
            settings.mistakes[property.index] = nil
            do throws(OptionError) {
                let isChanged = settings.values.give(property.index, try property.value(given))
                if isChanged && !property.parameter.changesAllTheTime { settings.transition = nil }
            } catch {
                settings.mistakes[property.index] = "\(property.parameter.name): \(error)"
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
    func reset() {
        settings.withLock { $0.hasFailed = false }
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

    /// Draws the frame at `time`, in seconds of the stream, from `first` to `second`, which are nil where there is no
    /// picture: then the other one is copied, and without both there is only the background.
    func draw(
        _ time: Double, _ first: FramePicture?, _ second: FramePicture?, into result: FramePicture,
        _ format: FrameFormat
    ) throws(FrameError) {
        let (transition, progress, isSwapped, threads) = try settings.withLock { settings throws(FrameError) in
            let transition = try settings.transition(format)
            return (
                transition, transition.progress(settings.values.progress(at: time), time: time),
                settings.values.isSwapped, settings.threads
            )
        }
        let renderer = try renderer(format, threads: threads == 0 ? HostThreads.count : threads)
        renderer.givenBackground = transition.background
        let look = FrameTransition(transition.look)
        switch isSwapped ? (second, first) : (first, second) {
        case (let from?, let to?): try renderer.draw(look, progress: progress, from: from, to: to, into: result)
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
