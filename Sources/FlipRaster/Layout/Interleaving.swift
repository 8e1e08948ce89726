/// Splits rows of interleaved samples into one row per plane, and merges them again. Pixels of four bytes are left to
/// `PackedRows`, whatever the bytes stand for.
enum Interleaving {
    /// One row of each of the 2...4 interleaved planes.
    typealias Rows = [UnsafeMutableRawPointer]

    /// Distributes the samples of `source` to `rows` in turn, `count` to each.
    static func split(_ source: UnsafeRawPointer, into rows: Rows, count: Int, bytesPerSample: Int) {
        if bytesPerSample == 1, rows.count == 4 {
            _ = PackedRows.split(
                source, green: bytes(rows[1]), blue: bytes(rows[2]), red: bytes(rows[0]), count: count)
            PackedRows.splitAlpha(source, alpha: bytes(rows[3]), count: count)
        } else if bytesPerSample == 1 {
            split(source.assumingMemoryBound(to: UInt8.self), into: rows, count)
        } else {
            split(source.assumingMemoryBound(to: UInt16.self), into: rows, count)
        }
    }

    /// Fills `target` with samples of `rows` in turn, `count` from each.
    static func merge(_ rows: Rows, into target: UnsafeMutableRawPointer, count: Int, bytesPerSample: Int) {
        if bytesPerSample == 1, rows.count == 4 {
            PackedRows.join(
                green: bytes(rows[1]), blue: bytes(rows[2]), red: bytes(rows[0]), into: target, count: count)
            PackedRows.joinAlpha(bytes(rows[3]), into: target, count: count)
        } else if bytesPerSample == 1 {
            merge(rows, into: target.assumingMemoryBound(to: UInt8.self), count)
        } else {
            merge(rows, into: target.assumingMemoryBound(to: UInt16.self), count)
        }
    }

    private static func bytes(_ row: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UInt8> {
        row.assumingMemoryBound(to: UInt8.self)
    }

    // The loops are written out for each number of planes, so that the compiler vectorizes them.

    @inline(__always)
    private static func split<Sample: BitwiseCopyable>(_ source: UnsafePointer<Sample>, into rows: Rows, _ count: Int) {
        let a = rows[0].assumingMemoryBound(to: Sample.self)
        let b = rows[1].assumingMemoryBound(to: Sample.self)
        if rows.count == 2 {
            for x in 0..<count { (a[x], b[x]) = (source[2 &* x], source[2 &* x &+ 1]) }
            return
        }
        let c = rows[2].assumingMemoryBound(to: Sample.self)
        if rows.count == 3 {
            for x in 0..<count {
                (a[x], b[x], c[x]) = (source[3 &* x], source[3 &* x &+ 1], source[3 &* x &+ 2])
            }
            return
        }
        let d = rows[3].assumingMemoryBound(to: Sample.self)
        for x in 0..<count {
            (a[x], b[x]) = (source[4 &* x], source[4 &* x &+ 1])
            (c[x], d[x]) = (source[4 &* x &+ 2], source[4 &* x &+ 3])
        }
    }

    @inline(__always)
    private static func merge<Sample: BitwiseCopyable>(
        _ rows: Rows, into target: UnsafeMutablePointer<Sample>, _ count: Int
    ) {
        let a = rows[0].assumingMemoryBound(to: Sample.self)
        let b = rows[1].assumingMemoryBound(to: Sample.self)
        if rows.count == 2 {
            for x in 0..<count { (target[2 &* x], target[2 &* x &+ 1]) = (a[x], b[x]) }
            return
        }
        let c = rows[2].assumingMemoryBound(to: Sample.self)
        if rows.count == 3 {
            for x in 0..<count {
                (target[3 &* x], target[3 &* x &+ 1], target[3 &* x &+ 2]) = (a[x], b[x], c[x])
            }
            return
        }
        let d = rows[3].assumingMemoryBound(to: Sample.self)
        for x in 0..<count {
            (target[4 &* x], target[4 &* x &+ 1]) = (a[x], b[x])
            (target[4 &* x &+ 2], target[4 &* x &+ 3]) = (c[x], d[x])
        }
    }
}

/// The separate planes of a picture whose samples are interleaved in memory.
final class UnpackedPicture {
    private let layout: PixelLayout
    private let width: Int
    private let height: Int
    /// The buffer of each plane of the format; nil for planes that aren't interleaved in memory.
    private let planes: [Scratch<UInt8>?]
    /// A row of padding samples with all bits of their depth set, like opaque alpha.
    private let padding = Scratch<UInt8>()

    init(_ layout: PixelLayout, width: Int, height: Int) {
        self.layout = layout
        self.width = width
        self.height = height
        planes = (0..<layout.format.planeCount).map { plane in
            if layout.memory.contains([plane]) { return nil }
            let scratch = Scratch<UInt8>()
            let size = layout.format.planeSize(plane, width: width, height: height)
            scratch.reserve(UnpackedPicture.stride(size.width, layout.format) * size.height)
            return scratch
        }
        padding.reserve(UnpackedPicture.stride(width, layout.format))
    }

    private static func stride(_ width: Int, _ format: PictureFormat) -> Int {
        (width * format.bytesPerSample + 63) / 64 * 64
    }

    /// The planes of `picture`, whose memory is laid out as `layout` says: those that are interleaved in this object's
    /// memory, the others in place.
    func view(of picture: PictureView) -> PictureView {
        let views = (0..<4).map { plane -> PlaneView? in
            guard plane < layout.format.planeCount else { return nil }
            let size = layout.format.planeSize(plane, width: width, height: height)
            if let scratch = planes[plane] {
                return PlaneView(
                    base: UnsafeMutableRawPointer(scratch.start),
                    stride: UnpackedPicture.stride(size.width, layout.format), width: size.width, height: size.height)
            }
            return layout.memory.firstIndex(of: [plane]).map { picture[$0] }
        }
        return PictureView(views[0]!, views[1], views[2], views[3])
    }

    /// Splits the interleaved planes of `picture` into this object's memory.
    func split(_ picture: PictureView) {
        forEachRow(of: picture) { row, rows, count in
            Interleaving.split(row, into: rows, count: count, bytesPerSample: layout.format.bytesPerSample)
        }
    }

    /// Merges the planes in this object's memory into the interleaved planes of `picture`.
    func merge(into picture: PictureView) {
        UnsafeMutableRawPointer(padding.start).initializeMemory(
            as: UInt8.self, repeating: 255, count: UnpackedPicture.stride(width, layout.format))
        let peak = UInt16(1 << layout.format.depth - 1)
        if layout.format.bytesPerSample == 2 {
            UnsafeMutableRawPointer(padding.start).initializeMemory(as: UInt16.self, repeating: peak, count: width)
        }
        forEachRow(of: picture) { row, rows, count in
            Interleaving.merge(rows, into: row, count: count, bytesPerSample: layout.format.bytesPerSample)
        }
    }

    private func forEachRow(
        of picture: PictureView, _ body: (UnsafeMutableRawPointer, Interleaving.Rows, _ count: Int) -> Void
    ) {
        for (index, turns) in layout.memory.enumerated() where turns.count > 1 {
            let size = layout.planeSize(index, width: width, height: height)
            let stride = UnpackedPicture.stride(size.width, layout.format)
            let starts = turns.map { UnsafeMutableRawPointer(($0.flatMap { planes[$0] } ?? padding).start) }
            var rows = starts
            for row in 0..<size.height {
                for (turn, plane) in turns.enumerated() where plane != nil { rows[turn] = starts[turn] + row * stride }
                body(picture[index].base + row * picture[index].stride, rows, size.width)
            }
        }
    }
}
