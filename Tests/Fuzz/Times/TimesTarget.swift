import FlipBase
import FlipMedia
import FuzzSupport

/// Media files with extreme time stamps, time bases, durations and frame rates. Unlike other targets, this one changes
/// nothing but such numbers in its seeds, which therefore get past the demuxer.
enum TimesTarget {
    static func run(_ bytes: UnsafeBufferPointer<UInt8>) {
        let path = MediaPath(of: bytes)
        try? path.join()
        path.copy()
        try? joinParts(path)
        _ = try? path.probe(isHasty: true)
        _ = try? path.probeAudio()
        path.checkFolder()
    }

    /// Joins a part from the middle of the file and one from its end, which are found by seeking.
    private static func joinParts(_ path: MediaPath) throws {
        guard let video = try path.probe().video else { return }
        let step = video.frameRate.inverse
        for start in [video.duration / Rational(2), video.duration - step * Rational(3)] where start > .zero {
            try? path.join(ClipPart(start: start, end: start + step * Rational(6)))
        }
    }

    /// Changes times of the file that `bytes` hold, within `room` bytes.
    /// - Returns: the number of bytes of the file now.
    static func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, room: Int, seed: UInt32) -> Int {
        let file = Array(UnsafeBufferPointer(start: bytes, count: count))
        var mutation = TimeMutation(seed: seed)
        guard let changed = mutation.changed(file), changed.count <= room else { return count }
        bytes.update(from: changed, count: changed.count)
        return changed.count
    }
}

/// The entry point that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    TimesTarget.run(UnsafeBufferPointer(start: bytes, count: count))
    return 0
}

/// What libFuzzer calls instead of its own mutations.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ room: Int, _ seed: CUnsignedInt) -> Int {
    TimesTarget.mutate(bytes, count, room: room, seed: seed)
}
