import CKernels

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The versions of the innermost loops, from slow to fast. All of them produce the same bytes.
///
/// A version for another processor is a case, a table and what they are made from.
package enum KernelLevel: String, Sendable, CaseIterable {
    /// The definitions in Swift, which run everywhere.
    case scalar
    /// `CKernels`, for 64-bit ARM processors, all of which have NEON.
    case neon
    /// `CKernels`, for x86-64 processors with AVX2.
    case avx2

    /// The loops, if this machine can run the level; otherwise nil.
    package var kernels: KernelTable? {
        switch self {
        case .scalar: return .scalar
        case .neon:
            #if arch(arm64)
                return .neon
            #else
                return nil
            #endif
        case .avx2:
            #if arch(x86_64)
                return flip_has_avx2() ? .avx2 : nil
            #else
                return nil
            #endif
        }
    }

    /// Whether this machine can run the level.
    package var isAvailable: Bool { kernels != nil }

    /// The levels that this machine can run.
    package static let available = allCases.filter(\.isAvailable)

    /// The default of renderers, chosen once: the fastest level that this machine has, or the one that the environment
    /// variable FLIPTRANSITION_KERNELS names, so that whole programs can be compared at all levels.
    package static let best: KernelLevel = {
        #if !os(WASI)
            if let text = getenv("FLIPTRANSITION_KERNELS"), let level = KernelLevel(rawValue: String(cString: text)),
                level.isAvailable
            {
                return level
            }
        #endif
        return available.last ?? .scalar
    }()
}

/// Prefetches memory before it is read.
enum Prefetch {
    /// How many rows ahead memory is prefetched. The processor doesn't do it by itself, because the rows of a tile soon
    /// leave a memory page.
    static let rowsAhead = 4
    /// The same for rows that are stored.
    static let storedRowsAhead = 8

    /// Prefetches `samples` of a row.
    @inline(__always)
    static func row(_ row: UnsafeMutableRawPointer, _ samples: Range<Int>, depth: Int) {
        let size = depth > 8 ? 2 : 1
        flip_prefetch(
            (row + samples.lowerBound * size).assumingMemoryBound(to: UInt8.self), Int64(samples.count * size))
    }
}
