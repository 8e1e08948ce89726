import CVapourSynth
import FlipFrame
import FlipTransitionC

/// A filter of two clips, one after the other with a transition between them, or frame by frame.
final class Seam: Sendable {
    /// The functions of the plugin by their names.
    enum Function: String, CaseIterable {
        case join = "Join"
        case frame = "Frame"
    }

    /// Which frames the filter gives.
    enum Kind {
        /// The last `length` frames of the first clip turn into the first of the second.
        case join(length: Int)
        /// Each frame is drawn at one progress.
        case frames(progress: Double)
    }

    /// What makes a frame.
    enum Recipe {
        /// A clip's own frame.
        case pass(OpaquePointer, Int32)
        case draw(Place, a: Int32, b: Int32)
    }

    nonisolated(unsafe) let a: OpaquePointer
    nonisolated(unsafe) let b: OpaquePointer
    let kind: Kind
    /// Describes the result.
    let info: flip_vs_video_info
    private let first: flip_vs_video_info
    private let drawer: FrameDrawer

    /// Checks the arguments of `call`. The nodes `a` and `b`, which `first` and `second` describe, become the filter's,
    /// unless this throws.
    init(
        _ function: Function, _ call: Call, a: OpaquePointer, _ first: flip_vs_video_info, b: OpaquePointer,
        _ second: flip_vs_video_info
    ) throws(FrameError) {
        try Seam.checkMatch(first, second, call.api)
        let format = try ClipFormat(first, title: Seam.name(first, call.api))
        var info = first
        switch function {
        case .join:
            let length = try Seam.length(call, first, second)
            let count = Int64(first.frame_count) + Int64(second.frame_count) - Int64(length)
            guard let count = Int32(exactly: count) else {
                throw FrameError(.invalidArgument, "the clips have more than \(Int32.max) frames together")
            }
            info.frame_count = count
            kind = .join(length: length)
        case .frame:
            guard second.frame_count >= first.frame_count else {
                throw FrameError(
                    .invalidArgument,
                    "clip b has \(second.frame_count) frames, and clip a \(first.frame_count) (b must not be shorter)")
            }
            kind = .frames(progress: try TransitionState.unit("progress", call.numbers("progress").first ?? 0))
        }
        drawer = try FrameDrawer(
            format,
            options: Argument.all.compactMap { argument in
                argument.value(in: call).map { (name: argument.option, value: $0) }
            })
        (self.a, self.b, self.info, self.first) = (a, b, info, first)
    }

    private static func length(
        _ call: Call, _ first: flip_vs_video_info, _ second: flip_vs_video_info
    ) throws(FrameError) -> Int {
        let length = call.whole("length") ?? 0
        for (name, info) in [("a", first), ("b", second)] where length > Int64(info.frame_count) {
            throw FrameError(
                .invalidArgument, "length is \(length), and clip \(name) has only \(info.frame_count) frames")
        }
        guard length >= 1 else {
            throw FrameError(.invalidArgument, "invalid length \(length) (expected at least 1 frame)")
        }
        return Int(length)
    }

    /// Throws unless two clips have one format, size and rate.
    private static func checkMatch(
        _ first: flip_vs_video_info, _ second: flip_vs_video_info, _ api: flip_vs_api
    ) throws(FrameError) {
        let names = [first, second].map { name($0, api) }
        guard names[0] == names[1] else {
            throw FrameError(
                .invalidArgument,
                "clip a is \(names[0]), and clip b \(names[1]) (convert one with a function of core.resize)")
        }
        guard first.width == second.width, first.height == second.height else {
            throw FrameError(
                .invalidArgument,
                "clip a is \(first.width)x\(first.height), and clip b \(second.width)x\(second.height) (bring them to "
                    + "one size with a function of core.resize)")
        }
        let rates = [first, second].map { "\($0.rate_numerator)/\($0.rate_denominator)" }
        guard rates[0] == rates[1] else {
            throw FrameError(
                .invalidArgument,
                "clip a has \(rates[0]) frames a second, and clip b \(rates[1]) (core.std.AssumeFPS sets the rate)")
        }
    }

    private static func name(_ info: flip_vs_video_info, _ api: flip_vs_api) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            text.initialize(repeating: 0)
            var format = info.format
            // A format that varies has no name.
            guard let start = text.baseAddress, api.get_video_format_name(&format, start) != 0 else {
                return "of varying format"
            }
            return String(cString: start)
        }
    }

    /// What makes frame `n`.
    func recipe(_ n: Int32) -> Recipe {
        switch kind {
        case .frames(let progress): return .draw(.progress(progress), a: n, b: n)
        case .join(let length):
            let begin = first.frame_count - Int32(length)
            if n < begin { return .pass(a, n) }
            if n >= first.frame_count { return .pass(b, n - begin) }
            return .draw(.frame(Int(n - begin), count: length), a: n, b: n - begin)
        }
    }

    /// Frame `n`, made from frames that have been requested. Throws if it can't be drawn.
    func frame(
        _ n: Int32, _ context: OpaquePointer?, _ core: OpaquePointer?, _ api: flip_vs_api
    ) throws(FrameError) -> OpaquePointer? {
        switch recipe(n) {
        case .pass(let node, let index): return api.get_frame_filter(index, node, context)
        case .draw(let place, let indexOfA, let indexOfB):
            guard let from = api.get_frame_filter(indexOfA, a, context) else { return nil }
            defer { api.free_frame(from) }
            guard let to = api.get_frame_filter(indexOfB, b, context) else { return nil }
            defer { api.free_frame(to) }
            var format = info.format
            guard let result = api.new_video_frame(&format, info.width, info.height, from, core) else { return nil }
            do throws(FrameError) {
                try drawer.draw(place, from, to, into: result, api: api)
            } catch {
                api.free_frame(result)
                throw error
            }
            return result
        }
    }

    /// Requests what frame `n` is made from.
    func request(_ n: Int32, _ context: OpaquePointer?, _ api: flip_vs_api) {
        switch recipe(n) {
        case .pass(let node, let index): api.request_frame_filter(index, node, context)
        case .draw(_, let indexOfA, let indexOfB):
            api.request_frame_filter(indexOfA, a, context)
            api.request_frame_filter(indexOfB, b, context)
        }
    }
}
