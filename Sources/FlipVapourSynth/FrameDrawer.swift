import CVapourSynth
import FlipFrame
import FlipTransitionC
import Synchronization

/// What the properties of a frame say about its samples, in the words of the options; nil for what they don't say.
struct SampleMeaning: Hashable {
    var range: String?
    var matrix: String?
    var transfer: String?
    var chromaLocation: String?

    /// Of `frame`. In R'G'B' only the transfer function means anything.
    init(_ frame: OpaquePointer, isRGB: Bool, api: flip_vs_api) {
        guard let properties = api.get_frame_properties(frame) else { return }
        let number = { (name: String) -> Int64? in
            var error: Int32 = 0
            let value = api.map_get_int(properties, name, 0, &error)
            return error == 0 ? value : nil
        }
        // The numbers of ITU-T H.273.
        transfer =
            switch number("_Transfer") {
            case 16: "pq"
            case 18: "hlg"
            default: nil
            }
        if isRGB { return }
        // The older property counts ranges the other way around.
        let isFull = number("_Range").map { $0 == 1 } ?? number("_ColorRange").map { $0 == 0 }
        range = isFull.map { $0 ? "full" : "limited" }
        matrix =
            switch number("_Matrix") {
            case 1: "bt709"
            case 4, 5, 6: "bt601"
            case 9, 10: "bt2020"
            default: nil
            }
        let locations = FrameFormat.ChromaLocation.allCases
        chromaLocation = number("_ChromaLocation").flatMap { index in
            locations.indices.contains(Int(index)) ? locations[Int(index)].rawValue : nil
        }
    }

    /// Of frames that say nothing.
    init() {}
}

/// Draws frames of one transition for any number of threads, each of which borrows a handle for a frame.
final class FrameDrawer: Sendable {
    let format: ClipFormat
    private let options: [(name: String, value: String)]
    /// The handles that no thread has borrowed, by what samples mean.
    private let idle = Mutex<[SampleMeaning: [TransitionHandle]]>([:])

    /// Checks the options, the format and the size. Throws the first one's error.
    init(_ format: ClipFormat, options: [(name: String, value: String)]) throws(FrameError) {
        (self.format, self.options) = (format, options)
        let handle = try handle(SampleMeaning())
        try attempt(handle) { state throws(FrameError) in _ = try state.ease(0) }
        give(handle, SampleMeaning())
    }

    /// Draws the frame at the progress that `place` says from `a` to `b` into `result`.
    func draw(
        _ place: Place, _ a: OpaquePointer, _ b: OpaquePointer, into result: OpaquePointer, api: flip_vs_api
    ) throws(FrameError) {
        let meaning = SampleMeaning(a, isRGB: format.isRGB, api: api)
        let handle = try borrow(meaning)
        defer { give(handle, meaning) }
        let from = try format.picture(a, api: api)
        let to = try format.picture(b, api: api)
        let into = try format.picture(writing: result, api: api)
        try attempt(handle) { state throws(FrameError) in
            switch place {
            case .frame(let index, let count):
                try state.render(frame: index, of: count, from: from, to: to, into: into)
            case .progress(let progress): try state.render(progress: progress, from: from, to: to, into: into)
            }
        }
    }

    private func borrow(_ meaning: SampleMeaning) throws(FrameError) -> TransitionHandle {
        if let handle = idle.withLock({ $0[meaning]?.popLast() }) { return handle }
        return try handle(meaning)
    }

    private func give(_ handle: TransitionHandle, _ meaning: SampleMeaning) {
        idle.withLock { $0[meaning, default: []].append(handle) }
    }

    /// A new handle. What was asked for comes last, so that it prevails over the properties of frames.
    private func handle(_ meaning: SampleMeaning) throws(FrameError) -> TransitionHandle {
        let handle = TransitionHandle()
        let (format, options) = (format, options)
        try attempt(handle) { state throws(FrameError) in
            try state.setFormat(format.name, width: format.width, height: format.height)
            if let range = meaning.range { try state.set("range", to: range) }
            if let matrix = meaning.matrix { try state.set("matrix", to: matrix) }
            if let transfer = meaning.transfer { try state.set("transfer", to: transfer) }
            if let location = meaning.chromaLocation { try state.set("chroma-location", to: location) }
            for (name, value) in options { try state.set(name, to: value) }
        }
        return handle
    }

    private func attempt(
        _ handle: TransitionHandle, _ body: (inout TransitionState) throws(FrameError) -> Void
    ) throws(FrameError) {
        if let kind = handle.perform(body) { throw FrameError(kind, handle.lastError ?? "the frame can't be drawn") }
    }
}

/// Where in a transition a frame is.
enum Place {
    /// Frame `index` of the transition's `count` frames.
    case frame(_ index: Int, count: Int)
    case progress(Double)
}
