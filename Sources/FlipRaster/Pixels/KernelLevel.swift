import CKernels

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The version of the innermost loops to use. All versions produce the same bytes.
package enum KernelLevel: String, Sendable, CaseIterable {
    /// The definitions in Swift, which run everywhere.
    case scalar
    /// `CKernels`, for processors with AVX2.
    case avx2

    /// Whether this machine can run the level.
    package var isAvailable: Bool {
        switch self {
        case .scalar: true
        case .avx2: flip_has_kernels()
        }
    }

    /// The default of renderers: the fastest level that this machine has, or the one that the environment variable
    /// FLIPTRANSITION_KERNELS names, so that the others can be measured and compared.
    package static let best: KernelLevel = {
        if let text = getenv("FLIPTRANSITION_KERNELS"), let level = KernelLevel(rawValue: String(cString: text)),
            level.isAvailable
        {
            return level
        }
        return KernelLevel.avx2.isAvailable ? .avx2 : .scalar
    }()
}

/// Prefetches memory before it is read.
enum Prefetch {
    /// How many rows ahead memory is prefetched. The processor doesn't do it by itself, because the rows of a tile soon
    /// leave a memory page.
    static let rowsAhead = 4

    /// Prefetches `samples` of a row.
    @inline(__always)
    static func row(_ row: UnsafeMutableRawPointer, _ samples: Range<Int>, depth: Int) {
        let size = depth > 8 ? 2 : 1
        flip_prefetch(
            (row + samples.lowerBound * size).assumingMemoryBound(to: UInt8.self), Int64(samples.count * size))
    }
}
