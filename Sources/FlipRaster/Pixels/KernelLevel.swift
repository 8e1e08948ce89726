import CKernels

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Which version of the innermost loops draws. All of them give the same bytes.
package enum KernelLevel: String, Sendable, CaseIterable {
    /// The definitions in Swift, which run everywhere.
    case scalar
    /// `CKernels`, on processors with AVX2.
    case avx2

    /// Whether this machine can run it.
    package var isAvailable: Bool {
        switch self {
        case .scalar: true
        case .avx2: flip_has_kernels()
        }
    }

    /// What renderers use: the fastest that this machine has, or what the environment variable FLIPTRANSITION_KERNELS names,
    /// so that the others can be measured and compared.
    package static let best: KernelLevel = {
        if let text = getenv("FLIPTRANSITION_KERNELS"), let level = KernelLevel(rawValue: String(cString: text)),
            level.isAvailable
        {
            return level
        }
        return KernelLevel.avx2.isAvailable ? .avx2 : .scalar
    }()
}

/// Asking for memory before it is needed.
enum Prefetch {
    /// How many rows ahead memory is asked for: memory pages end too soon for the processor to see where a tile goes.
    static let rowsAhead = 4

    /// Asks for `samples` of a row that will be read soon.
    @inline(__always)
    static func row(_ row: UnsafeMutableRawPointer, _ samples: Range<Int>, depth: Int) {
        let size = depth > 8 ? 2 : 1
        flip_prefetch(
            (row + samples.lowerBound * size).assumingMemoryBound(to: UInt8.self), Int64(samples.count * size))
    }
}
