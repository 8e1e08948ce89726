import Synchronization

/// Reads the parts of pictures that are composed: splits what is interleaved, and looks whether it is opaque.
final class Unpacking: SharedWork {
    private struct Part {
        let picture: PictureView
        let planes: UnpackedPicture
        /// The samples of the interleaved plane to split; nil if only alpha is looked at.
        let split: Job.Bounds?
        /// The samples of the alpha plane to look at, if it has memory of its own.
        let alpha: Job.Bounds?
        let withAlpha: Bool
    }

    private let layout: PixelLayout
    private var parts: [Part] = []
    private let isTransparent = Atomic(false)

    /// The maximum number of rows that a thread reads in one piece.
    private static let rowsPerPart = 64

    init(_ layout: PixelLayout) { self.layout = layout }

    /// Whether alpha isn't opaque in all parts that have been read. Unless alpha is wanted, no more is read then.
    var foundTransparency: Bool { isTransparent.load(ordering: .relaxed) }

    /// Forgets all parts.
    func clear() {
        parts.removeAll(keepingCapacity: true)
        isTransparent.store(false, ordering: .relaxed)
    }

    /// Adds a part of the interleaved plane of `picture`, to be split into `planes`.
    func addSplit(_ part: Job.Bounds, of picture: PictureView, into planes: UnpackedPicture, withAlpha: Bool) {
        forEachPiece(part) {
            parts.append(Part(picture: picture, planes: planes, split: $0, alpha: nil, withAlpha: withAlpha))
        }
    }

    /// Adds a part of the alpha plane of `picture`, to be looked at.
    func addAlpha(_ part: Job.Bounds, of picture: PictureView, _ planes: UnpackedPicture) {
        forEachPiece(part) {
            parts.append(Part(picture: picture, planes: planes, split: nil, alpha: $0, withAlpha: false))
        }
    }

    private func forEachPiece(_ part: Job.Bounds, _ body: (Job.Bounds) -> Void) {
        for start in stride(from: part.rows.lowerBound, to: part.rows.upperBound, by: Unpacking.rowsPerPart) {
            let end = min(start + Unpacking.rowsPerPart, part.rows.upperBound)
            body(Job.Bounds(columns: part.columns, rows: start..<end))
        }
    }

    var count: Int { parts.count }

    func perform(_ index: Int, _ worker: Worker) {
        let part = parts[index]
        if !part.withAlpha && foundTransparency { return }
        var isOpaque = true
        if let split = part.split {
            isOpaque = part.planes.unpack(split, of: part.picture, withAlpha: part.withAlpha, spare: worker.spareRow)
        } else if let alpha = part.alpha {
            isOpaque = layout.isOpaque(part.picture, alpha)
        }
        if !isOpaque { isTransparent.store(true, ordering: .relaxed) }
    }
}

extension PixelLayout {
    /// Whether the alpha of all samples in `part` is opaque, in a picture that has alpha.
    func isOpaque(_ picture: PictureView, _ part: Job.Bounds) -> Bool {
        guard let alpha else { return true }
        let (plane, count) = (picture[alpha.plane], part.columns.count)
        return part.rows.allSatisfy { row in
            let start = row * plane.stride + part.columns.lowerBound * pixelBytes(alpha.plane)
            if let spareByte { return PackedRows.areOpaque(plane.base + start, spareByte, count: count) }
            return Interleaving.areAll(
                format.peak, plane.base + (start + alpha.turn * format.bytesPerSample),
                every: memory[alpha.plane].count, count: count, bytesPerSample: format.bytesPerSample)
        }
    }
}
