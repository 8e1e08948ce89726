import FlipFrame
import FlipGeometry
import Synchronization

/// The object behind a C program's handle, and what the VapourSynth plugin draws with. Calls on it are serialized by a
/// mutex.
package final class TransitionHandle: Sendable {
    private let state = Mutex(TransitionState())

    package init() {}

    /// Runs `body`. If it throws, its message is kept and its kind returned; otherwise the result is nil.
    package func perform(_ body: (inout TransitionState) throws(FrameError) -> Void) -> FrameError.Kind? {
        state.withLock { state in
            do throws(FrameError) {
                try body(&state)
                return nil
            } catch {
                state.lastError = error.message
                return error.kind
            }
        }
    }

    /// The error message of the last call that failed.
    package var lastError: String? { state.withLock { $0.lastError } }
}

/// A transition's options and picture format as they were set, and what was made from them.
package struct TransitionState {
    var lastError: String?
    /// The options as they were set, each checked on its own.
    private var values: [TransitionOption: String] = [:]
    private var format: FrameFormat?
    private var transition: FrameTransition?
    private var renderer: FrameRenderer?

    /// Sets the option called `name`, or resets it if `value` is nil.
    package mutating func set(_ name: String, to value: String?) throws(FrameError) {
        let option = try FrameError.ofOption { () throws(OptionError) in
            let option = try TransitionOption(named: name)
            if let value { try option.check(value) }
            return option
        }
        values[option] = value
        switch option {
        case .style, .namedLook, .look: transition = nil
        case .background, .threads, .range, .matrix, .transfer, .chromaLocation: renderer = nil
        }
    }

    /// Sets the pixel format and the size of the pictures.
    package mutating func setFormat(_ name: String, width: Int, height: Int) throws(FrameError) {
        format = try FrameFormat(name, width: width, height: height)
        renderer = nil
    }

    /// The progress after easing at `time`, both 0...1.
    package mutating func ease(_ time: Double) throws(FrameError) -> Double {
        try checkedTransition().progress(at: time)
    }

    /// The progress after easing of frame `index` of a transition of `count` frames.
    package mutating func progress(ofFrame index: Int, in count: Int) throws(FrameError) -> Double {
        try checkedTransition().progress(ofFrame: index, in: count)
    }

    /// Draws the frame at `progress`, 0...1.
    package mutating func render(
        progress: Double, from: FramePicture, to: FramePicture, into: FramePicture
    ) throws(FrameError) {
        guard let format else { throw TransitionState.missingFormat }
        let transition = try checkedTransition()
        try checkedRenderer(format).draw(transition, progress: progress, from: from, to: to, into: into)
    }

    /// Draws frame `index` of a transition of `count` frames.
    package mutating func render(
        frame index: Int, of count: Int, from: FramePicture, to: FramePicture, into: FramePicture
    ) throws(FrameError) {
        guard let format else { throw TransitionState.missingFormat }
        let transition = try checkedTransition()
        try checkedRenderer(format).draw(transition, frame: index, of: count, from: from, to: to, into: into)
    }

    private static let missingFormat = FrameError(
        .invalidArgument, "no format has been set (call fliptransition_set_format first)")

    /// `value`, if it is in 0...1. Throws otherwise; the error message calls it `name`.
    package static func unit(_ name: String, _ value: Double) throws(FrameError) -> Double {
        guard (0...1).contains(value) else {
            throw FrameError(.invalidArgument, "invalid \(name) \(value) (expected 0...1)")
        }
        return value
    }

    private mutating func checkedTransition() throws(FrameError) -> FrameTransition {
        if let transition { return transition }
        let look = try FrameError.ofOption { () throws(OptionError) in
            try StyledLook(
                style: values[.style], look: values[.namedLook],
                options: LookOption.allCases.compactMap { option in values[.look(option)].map { (option, $0) } })
        }
        transition = FrameTransition(look)
        return FrameTransition(look)
    }

    private mutating func checkedRenderer(_ format: FrameFormat) throws(FrameError) -> FrameRenderer {
        if let renderer { return renderer }
        var format = format
        let values = values
        let (background, threads) = try FrameError.ofOption { () throws(OptionError) in
            format.range = try values[.range].map(TransitionOption.range) ?? format.range
            format.matrix = try values[.matrix].map(TransitionOption.matrix) ?? format.matrix
            format.transfer = try values[.transfer].map(TransitionOption.transfer) ?? format.transfer
            format.chromaLocation =
                try values[.chromaLocation].map(TransitionOption.chromaLocation) ?? format.chromaLocation
            return (
                try values[.background].map(Color.init(parsing:)),
                try values[.threads].map(TransitionOption.threads) ?? 1
            )
        }
        let renderer = try FrameRenderer(format, background: background, threads: threads)
        self.renderer = renderer
        return renderer
    }
}
