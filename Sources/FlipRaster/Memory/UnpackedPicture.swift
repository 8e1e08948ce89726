/// A picture's planes in memory of this object, as far as they are interleaved in the picture's own memory. A layout
/// without interleaved planes needs none.
final class UnpackedPicture {
    private let layout: PixelLayout
    private let width: Int
    private let height: Int
    /// The plane in memory in which samples are interleaved; nil if there is none.
    private let interleaved: Int?
    private let turns: [Int?]
    private let spareByte: PackedRows.Spare?
    /// The size in samples and the bytes from row to row of each plane here.
    private let size: (width: Int, height: Int)
    private let stride: Int
    private let planes: [Scratch<UInt8>]
    private var hasRoomForAlpha = false
    /// A row of samples with all bits of their depth set, like opaque alpha.
    private let opaque = Scratch<UInt8>()

    init(_ layout: PixelLayout, width: Int, height: Int) {
        (self.layout, self.width, self.height) = (layout, width, height)
        interleaved = layout.interleaved
        turns = interleaved.map { layout.memory[$0] } ?? []
        spareByte = layout.spareByte
        size = interleaved.map { layout.planeSize($0, width: width, height: height) } ?? (0, 0)
        // A power of two would put all rows into the same sets of a cache.
        stride = (size.width * layout.format.bytesPerSample + 63) / 64 * 64 + 64
        planes = turns.map { _ in Scratch<UInt8>() }
        if interleaved == nil { return }
        for (turn, plane) in turns.enumerated() where plane.map({ $0 < layout.format.colorPlaneCount }) ?? false {
            reserve(turn)
        }
        let bytes = UnsafeMutableRawPointer(opaque.reserve(stride))
        if layout.format.bytesPerSample == 1 {
            bytes.initializeMemory(as: UInt8.self, repeating: UInt8(layout.format.peak), count: size.width)
        } else {
            bytes.initializeMemory(as: UInt16.self, repeating: UInt16(layout.format.peak), count: size.width)
        }
    }

    /// Makes room for the plane whose samples come in turn `turn`. Samples that no picture has filled yet are read, but
    /// only with weight 0; so they need to have a value, but any will do.
    private func reserve(_ turn: Int) {
        planes[turn].reserve(stride * size.height).update(repeating: 0, count: stride * size.height)
    }

    /// Makes room for alpha, once.
    func reserveAlpha() {
        if hasRoomForAlpha { return }
        hasRoomForAlpha = true
        guard let turn = turns.firstIndex(of: layout.format.colorPlaneCount) else { return }
        reserve(turn)
    }

    /// The planes of `picture`, whose memory is laid out as `layout` says: those that are interleaved in this object's
    /// memory, the others in place. Alpha is among them only if `withAlpha`.
    func view(of picture: PictureView, withAlpha: Bool) -> PictureView {
        let count = withAlpha ? layout.format.planeCount : layout.format.colorPlaneCount
        func view(_ plane: Int) -> PlaneView? { plane < count ? self.view(plane, of: picture) : nil }
        return PictureView(self.view(0, of: picture), view(1), view(2), view(3))
    }

    private func view(_ plane: Int, of picture: PictureView) -> PlaneView {
        if let turn = turns.firstIndex(of: plane) {
            return PlaneView(
                base: UnsafeMutableRawPointer(planes[turn].start), stride: stride, width: size.width,
                height: size.height)
        }
        guard let index = layout.memory.firstIndex(of: [plane]) else {
            preconditionFailure("plane \(plane) is nowhere")
        }
        return picture[index]
    }

    /// The interleaved planes' samples from `column` on in `row`; alpha and padding are `spare` unless alpha is wanted.
    private func rows(_ row: Int, _ column: Int, withAlpha: Bool, spare: UnsafeMutableRawPointer) -> Interleaving.Rows {
        var rows = Interleaving.Rows(count: turns.count, repeating: spare)
        let start = row * stride + column * layout.format.bytesPerSample
        for (turn, plane) in turns.enumerated() {
            guard let plane, withAlpha || plane < layout.format.colorPlaneCount else { continue }
            rows.set(turn, to: (UnsafeMutableRawPointer(planes[turn].start) + start, stride))
        }
        return rows
    }

    @inline(__always)
    private static func colors(_ rows: Interleaving.Rows, _ spare: PackedRows.Spare) -> PackedRows.Colors {
        func row(_ turn: Int) -> UnsafeMutablePointer<UInt8> { rows[turn].assumingMemoryBound(to: UInt8.self) }
        return spare == .first ? (row(1), row(2), row(3)) : (row(0), row(1), row(2))
    }

    /// Splits a part of the interleaved plane of `picture`, with or without alpha; `spare` is memory for a row. Returns
    /// whether the part is opaque, which it is without interleaved alpha.
    @discardableResult
    func unpack(_ part: Job.Bounds, of picture: PictureView, withAlpha: Bool, spare: Scratch<UInt8>) -> Bool {
        guard let interleaved else { return true }
        let format = layout.format
        let alpha = format.hasAlpha ? turns.firstIndex(of: format.colorPlaneCount) : nil
        var isOpaque = true
        let spare = UnsafeMutableRawPointer(spare.reserve(stride))
        let (source, spareByte) = (picture[interleaved], spareByte)
        let (first, count) = (part.columns.lowerBound, part.columns.count)
        var rows = rows(part.rows.lowerBound, first, withAlpha: withAlpha, spare: spare)
        let start = source.base + first * layout.pixelBytes(interleaved)
        for row in part.rows {
            let pixels = start + row * source.stride
            if let spareByte {
                let colors = UnpackedPicture.colors(rows, spareByte)
                let isFull = PackedRows.split(pixels, spareByte, into: colors, count: count)
                if let alpha {
                    isOpaque = isOpaque && isFull
                    if withAlpha {
                        let row = rows[alpha].assumingMemoryBound(to: UInt8.self)
                        PackedRows.splitSpare(pixels, spareByte, into: row, count: count)
                    }
                }
            } else {
                Interleaving.split(pixels, into: rows, count: count, bytesPerSample: format.bytesPerSample)
                if let alpha, isOpaque {
                    isOpaque = Interleaving.areAll(
                        format.peak, rows[alpha], every: 1, count: count, bytesPerSample: format.bytesPerSample)
                }
            }
            rows.advance()
        }
        return isOpaque
    }

    /// Merges a part of the planes into the interleaved plane of `picture`. Padding, and alpha unless it is wanted, get
    /// all bits set.
    func pack(_ part: Job.Bounds, into picture: PictureView, withAlpha: Bool) {
        guard let interleaved else { return }
        let (target, spareByte) = (picture[interleaved], spareByte)
        let (first, count) = (part.columns.lowerBound, part.columns.count)
        let opaque = UnsafeMutableRawPointer(opaque.start)
        var rows = rows(part.rows.lowerBound, first, withAlpha: withAlpha, spare: opaque)
        let start = target.base + first * layout.pixelBytes(interleaved)
        for row in part.rows {
            let pixels = start + row * target.stride
            if let spareByte {
                PackedRows.merge(UnpackedPicture.colors(rows, spareByte), spareByte, into: pixels, count: count)
                if withAlpha {
                    let alpha = rows[spareByte == .first ? 0 : 3].assumingMemoryBound(to: UInt8.self)
                    PackedRows.mergeSpare(alpha, spareByte, into: pixels, count: count)
                }
            } else {
                Interleaving.merge(rows, into: pixels, count: count, bytesPerSample: layout.format.bytesPerSample)
            }
            rows.advance()
        }
    }
}
