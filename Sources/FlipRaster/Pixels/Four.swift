// Four numbers that follow each other in memory, as a vector: the compiler doesn't vectorize loops over many buffers, since
// it would have to find out first whether they overlap.

extension UnsafePointer where Pointee: SIMDScalar {
    /// The numbers from `index` on.
    @inline(__always)
    func four(_ index: Int) -> SIMD4<Pointee> { UnsafeRawPointer(self + index).loadUnaligned(as: SIMD4<Pointee>.self) }
}

extension UnsafeMutablePointer where Pointee: SIMDScalar {
    /// The numbers from `index` on.
    @inline(__always)
    func four(_ index: Int) -> SIMD4<Pointee> { UnsafePointer(self).four(index) }

    /// Sets the numbers from `index` on.
    @inline(__always)
    func set(_ index: Int, _ four: SIMD4<Pointee>) {
        UnsafeMutableRawPointer(self + index).storeBytes(of: four, as: SIMD4<Pointee>.self)
    }
}

extension SIMD4<Float> {
    /// The lesser numbers of both, where they are numbers; `pointwiseMin` isn't vectorized.
    @inline(__always)
    func least(_ other: Self) -> Self { replacing(with: other, where: other .< self) }

    /// The greater numbers of both.
    @inline(__always)
    func greatest(_ other: Self) -> Self { replacing(with: other, where: other .> self) }
}
