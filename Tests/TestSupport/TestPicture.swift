import FlipRaster

/// A planar picture owned by a test: samples are UInt16 at any depth, and rows have no padding.
package struct TestPicture: Sendable, Equatable {
    package let format: PictureFormat
    package let width: Int
    package let height: Int
    /// The samples of each plane in row-major order; `planeSize` gives a plane's size.
    package var planes: [[UInt16]]

    /// A black picture of `width` x `height` luma pixels, both at least 1.
    package init(format: PictureFormat, width: Int, height: Int) {
        self.format = format
        self.width = width
        self.height = height
        planes = (0..<format.planeCount).map { index in
            let size = format.planeSize(index, width: width, height: height)
            return [UInt16](repeating: UInt16(format.black(plane: index)), count: size.width * size.height)
        }
    }

    /// The largest sample value.
    package var peak: Int { 1 << format.depth - 1 }

    /// The size of plane `index`, in samples.
    package func planeSize(_ index: Int) -> (width: Int, height: Int) {
        format.planeSize(index, width: width, height: height)
    }

    /// The sample at column `x`, row `y` of plane `index`.
    package subscript(plane index: Int, x x: Int, y y: Int) -> UInt16 {
        get { planes[index][y * planeSize(index).width + x] }
        set { planes[index][y * planeSize(index).width + x] = newValue }
    }
}

// MARK: - Lending memory

/// Memory was written that was not lent for writing.
package struct GuardError: Error, CustomStringConvertible {
    package let description: String
}

extension TestPicture {
    /// Lends the samples in the layout of a decoded frame (8 or 16 bits, padded rows) to a body that only reads them.
    ///
    /// The first row starts `skew` samples after a 64-byte boundary. Throws `GuardError` if the body changed anything.
    package func withView<R>(skew: Int = 3, _ body: (PictureView) throws -> R) throws -> R {
        var copy = self
        let result = try copy.withMutableView(skew: skew, body)
        guard copy == self else { throw GuardError(description: "a picture lent for reading was written to") }
        return result
    }

    /// Lends the samples as rows without padding to a body that only reads them. The memory of each plane ends with its
    /// last sample, so that the address sanitizer detects any read past the end of a plane.
    package func withTightView<R>(_ body: (PictureView) throws -> R) rethrows -> R {
        let memory = LentMemory()
        defer { memory.release() }
        let lent = (0..<format.planeCount).map { index in
            let size = planeSize(index)
            return PlaneView(
                base: UnsafeMutableRawPointer(mutating: memory.lend(row: planes[index], depth: format.depth)),
                stride: size.width * format.bytesPerSample, width: size.width, height: size.height)
        }
        return try body(PictureView(lent[0], lent.count > 1 ? lent[1] : nil, lent.count > 2 ? lent[2] : nil))
    }

    /// Lends the samples to a body that may write them, and reads them back.
    ///
    /// Throws `GuardError` if the body wrote between the rows or around a plane.
    package mutating func withMutableView<R>(skew: Int = 3, _ body: (PictureView) throws -> R) throws -> R {
        let lent = (0..<format.planeCount).map { index in
            let size = planeSize(index)
            return LentPlane(
                planes[index], width: size.width, height: size.height, bytesPerSample: format.bytesPerSample, skew: skew
            )
        }
        defer { for plane in lent { plane.memory.deallocate() } }
        let view = PictureView(
            lent[0].view, lent.count > 1 ? lent[1].view : nil, lent.count > 2 ? lent[2].view : nil,
            lent.count > 3 ? lent[3].view : nil)
        let result = try body(view)
        for (index, plane) in lent.enumerated() {
            if let row = plane.firstDamagedRow {
                throw GuardError(description: "plane \(index): bytes outside row \(row) were written")
            }
            planes[index] = plane.samples
        }
        return result
    }
}

/// A copy of one plane with guard bytes before, between and after its rows.
private struct LentPlane {
    let memory: UnsafeMutableRawBufferPointer
    let view: PlaneView
    let bytesPerSample: Int
    let start: Int

    private static let fence = 64

    /// The guard byte at `offset`. It depends on the offset, so that a copy of neighboring guards is detected.
    private static func mark(_ offset: Int) -> UInt8 { UInt8(truncatingIfNeeded: offset &* 167 &+ 91) }

    init(_ samples: [UInt16], width: Int, height: Int, bytesPerSample: Int, skew: Int) {
        self.bytesPerSample = bytesPerSample
        start = LentPlane.fence + skew * bytesPerSample
        let stride = (width + 11) * bytesPerSample
        memory = .allocate(byteCount: start + stride * height + LentPlane.fence, alignment: 64)
        for offset in memory.indices { memory[offset] = LentPlane.mark(offset) }
        view = PlaneView(base: memory.baseAddress! + start, stride: stride, width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                let sample = samples[y * width + x]
                let place = view.base + y * stride + x * bytesPerSample
                if bytesPerSample == 2 {
                    place.storeBytes(of: sample, as: UInt16.self)
                } else {
                    place.storeBytes(of: UInt8(sample), as: UInt8.self)
                }
            }
        }
    }

    var samples: [UInt16] {
        var result: [UInt16] = []
        result.reserveCapacity(view.width * view.height)
        for y in 0..<view.height {
            for x in 0..<view.width {
                let place = view.base + y * view.stride + x * bytesPerSample
                result.append(bytesPerSample == 2 ? place.load(as: UInt16.self) : UInt16(place.load(as: UInt8.self)))
            }
        }
        return result
    }

    /// The row nearest to the first guard byte that changed; nil if all are unchanged.
    var firstDamagedRow: Int? {
        let rowBytes = view.width * bytesPerSample
        return memory.indices.first { offset in
            let row = (offset - start) / view.stride
            let isInside = offset >= start && row < view.height && (offset - start) % view.stride < rowBytes
            return !isInside && memory[offset] != LentPlane.mark(offset)
        }.map { max(0, ($0 - start) / view.stride) }
    }
}
