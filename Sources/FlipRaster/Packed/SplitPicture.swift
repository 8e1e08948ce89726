/// A packed picture split into planes of G', B', R' and, if it `hasAlpha`, alpha.
final class SplitPicture {
    /// The planes as a picture.
    let view: PictureView
    private let samples = Scratch<UInt8>()
    private let hasAlpha: Bool

    init(width: Int, height: Int, hasAlpha: Bool = false) {
        self.hasAlpha = hasAlpha
        // A power of two as stride would put all rows into the same sets of a cache.
        let stride = (width + 63) / 64 * 64 + 64
        let size = stride * height
        let count = hasAlpha ? 4 : 3
        samples.reserve(size * count)
        let start = samples.start
        func plane(_ index: Int) -> PlaneView {
            PlaneView(base: UnsafeMutableRawPointer(start + index * size), stride: stride, width: width, height: height)
        }
        view = PictureView(plane(0), plane(1), plane(2), hasAlpha ? plane(3) : nil)
    }

    private func sample(_ plane: Int, _ column: Int, _ row: Int) -> UnsafeMutablePointer<UInt8> {
        (view[plane].base + (row * view[plane].stride + column)).assumingMemoryBound(to: UInt8.self)
    }

    /// Splits a part of `picture` into the planes; returns whether all of the part is opaque.
    @discardableResult
    func split(_ picture: PackedView, _ part: Job.Bounds) -> Bool {
        let (first, count) = (part.columns.lowerBound, part.columns.count)
        var isOpaque = true
        for row in part.rows {
            let isRowOpaque = PackedRows.split(
                picture.pixel(first, row), green: sample(0, first, row), blue: sample(1, first, row),
                red: sample(2, first, row), count: count)
            isOpaque = isOpaque && isRowOpaque
            if hasAlpha {
                PackedRows.splitAlpha(picture.pixel(first, row), alpha: sample(3, first, row), count: count)
            }
        }
        return isOpaque
    }

    /// Packs a part of the planes into `picture`, opaque if there is no alpha plane.
    func join(_ part: Job.Bounds, into picture: PackedView) {
        let (first, count) = (part.columns.lowerBound, part.columns.count)
        for row in part.rows {
            PackedRows.join(
                green: sample(0, first, row), blue: sample(1, first, row), red: sample(2, first, row),
                into: picture.pixel(first, row), count: count)
            if hasAlpha {
                PackedRows.joinAlpha(sample(3, first, row), into: picture.pixel(first, row), count: count)
            }
        }
    }
}
