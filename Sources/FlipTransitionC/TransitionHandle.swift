import FlipGeometry
import FlipRaster
import Synchronization

/// The object behind a C program's handle. Calls on it are serialized by a mutex.
final class TransitionHandle: Sendable {
    private let state = Mutex(TransitionState())

    /// Runs `body`. If it throws, its message is kept and its status returned; otherwise the result is nil.
    func perform(_ body: (inout TransitionState) throws(CallError) -> Void) -> CallError.Status? {
        state.withLock { state in
            do throws(CallError) {
                try body(&state)
                return nil
            } catch {
                state.lastError = error.sentence
                return error.status
            }
        }
    }

    /// The error message of the last call that failed.
    var lastError: String? { state.withLock { $0.lastError } }
}

/// Why a call failed.
struct CallError: Error {
    enum Status {
        case invalidArgument, invalidOption, unsupportedFormat
    }

    let status: Status
    let sentence: String

    init(_ status: Status, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    /// Runs `body` and converts an `OptionError` that it throws to a `CallError`.
    static func ofOption<Result>(_ body: () throws(OptionError) -> Result) throws(CallError) -> Result {
        do throws(OptionError) { return try body() } catch { throw CallError(.invalidOption, error.description) }
    }
}

/// A transition's options and picture format as they were set, and what was made from them.
struct TransitionState {
    var lastError: String?
    /// The options as they were set, each checked on its own.
    private var values: [TransitionOption: String] = [:]
    private var picture: (layout: PixelLayout, width: Int, height: Int)?
    private var look: StyledLook?
    private var renderer: TransitionRenderer?

    /// Sets the option called `name`, or resets it if `value` is nil.
    mutating func set(_ name: String, to value: String?) throws(CallError) {
        let option = try CallError.ofOption { () throws(OptionError) in
            let option = try TransitionOption(named: name)
            if let value { try option.check(value) }
            return option
        }
        values[option] = value
        switch option {
        case .style, .namedLook, .look: look = nil
        case .background, .threads, .range, .matrix, .chromaLocation: renderer = nil
        }
    }

    mutating func setFormat(_ name: String, width: Int, height: Int) throws(CallError) {
        guard let layout = PixelLayout(named: name) else {
            throw CallError(
                .unsupportedFormat,
                "pixel format '\(name)' is not drawn (expected one such as yuv420p, yuv422p10le, nv12, gray, rgb24 or bgra)"
            )
        }
        guard (1...16384).contains(width), (1...16384).contains(height) else {
            throw CallError(.unsupportedFormat, "invalid size \(width)x\(height) (expected 1...16384 pixels a side)")
        }
        picture = (layout, width, height)
        renderer = nil
    }

    /// The progress after easing at `time`, both 0...1.
    mutating func ease(_ time: Double) throws(CallError) -> Double { try styledLook().look.easing(time) }

    /// Draws the frame at `progress`, 0...1.
    mutating func render(
        progress: Double, from outgoing: LentPicture, to incoming: LentPicture, into target: LentPicture
    ) throws(CallError) {
        guard let (layout, width, height) = picture else {
            throw CallError(.invalidArgument, "no format has been set (call fliptransition_set_format first)")
        }
        let look = try styledLook()
        let from = try outgoing.view("from", layout, width, height)
        let to = try incoming.view("to", layout, width, height)
        let into = try target.view("into", layout, width, height)
        for (name, source) in [("from", from), ("to", to)] where source.overlaps(into) {
            throw CallError(.invalidArgument, "pictures '\(name)' and 'into' share memory (draw into one of its own)")
        }
        if let (first, second) = into.overlappingPlanes {
            throw CallError(
                .invalidArgument, "planes \(first) and \(second) of 'into' share memory (give each plane its own)")
        }
        try renderer(layout, width, height).render(
            look, progress: progress, from: from.view, to: to.view, into: into.view)
    }

    private mutating func styledLook() throws(CallError) -> StyledLook {
        if let look { return look }
        let look = try CallError.ofOption { () throws(OptionError) in
            try StyledLook(
                style: values[.style], look: values[.namedLook],
                options: LookOption.allCases.compactMap { option in
                    values[.look(option)].map { (option, $0) }
                })
        }
        self.look = look
        return look
    }

    private mutating func renderer(
        _ layout: PixelLayout, _ width: Int, _ height: Int
    ) throws(CallError) -> TransitionRenderer {
        if let renderer { return renderer }
        var layout = layout
        let values = values
        let (background, threads) = try CallError.ofOption { () throws(OptionError) in
            layout.format.isFullRange =
                try values[.range].map(TransitionOption.isFullRange) ?? layout.format.isFullRange
            layout.format.matrix = try values[.matrix].map(TransitionOption.matrix) ?? layout.format.matrix
            layout.format.chromaLocation =
                try values[.chromaLocation].map(TransitionOption.chromaLocation) ?? layout.format.chromaLocation
            return (
                try values[.background].map(Color.init(parsing:)) ?? (layout.format.hasAlpha ? .transparent : .black),
                try values[.threads].map(TransitionOption.threads) ?? 1
            )
        }
        let renderer = TransitionRenderer(
            layout: layout, width: width, height: height, background: background, threads: threads)
        self.renderer = renderer
        return renderer
    }
}
