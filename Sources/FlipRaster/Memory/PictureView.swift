/// A plane of samples in memory that the view doesn't own: `height` rows of `width` samples, `stride` bytes apart.
package struct PlaneView: @unchecked Sendable, BitwiseCopyable {
    package var base: UnsafeMutableRawPointer
    /// Bytes from one row to the next, at least as many as a row has; negative if the picture is stored bottom-up.
    package var stride: Int
    package var width: Int
    package var height: Int

    package init(base: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int) {
        (self.base, self.stride, self.width, self.height) = (base, stride, width, height)
    }
}

extension PlaneView {
    /// Whether this plane, with rows of `rowBytes` bytes, has a byte in common with `other`, with rows of `otherBytes`
    /// bytes. The rows of one plane don't overlap each other. The rows of two planes may alternate in memory, like
    /// those of two fields or of the left and right half of a picture.
    package func sharesMemory(rowBytes: Int, with other: PlaneView, rowBytes otherBytes: Int) -> Bool {
        var (mine, theirs) = (upwards, other.upwards)
        while mine.rows > 0 && theirs.rows > 0 {
            // Rows are in ascending order, so one that ends before the other plane's row begins can't overlap any later
            // row of that plane.
            if mine.start + rowBytes <= theirs.start {
                mine = (mine.start + mine.step, mine.step, mine.rows - 1)
            } else if theirs.start + otherBytes <= mine.start {
                theirs = (theirs.start + theirs.step, theirs.step, theirs.rows - 1)
            } else {
                return true
            }
        }
        return false
    }

    /// The rows in ascending order of their addresses.
    private var upwards: (start: Int, step: Int, rows: Int) {
        let first = Int(bitPattern: base)
        return stride < 0 ? (first + (height - 1) * stride, -stride, height) : (first, stride, height)
    }
}

/// The planes, four at most, of a picture whose memory the view doesn't own and may use for one call only.
package struct PictureView: @unchecked Sendable {
    package var planes: (PlaneView, PlaneView?, PlaneView?, PlaneView?)

    package init(
        _ first: PlaneView, _ second: PlaneView? = nil, _ third: PlaneView? = nil, _ fourth: PlaneView? = nil
    ) {
        planes = (first, second, third, fourth)
    }

    /// Plane `index`, which the picture must have.
    package subscript(index: Int) -> PlaneView {
        switch index {
        case 0: planes.0
        case 1: planes.1!
        case 2: planes.2!
        default: planes.3!
        }
    }
}

extension PictureView {
    /// One field of a frame whose planes have an even number of lines each.
    package func field(_ field: PictureFormat.Field) -> PictureView {
        let half = { (plane: PlaneView) in
            PlaneView(
                base: plane.base + field.rawValue * plane.stride, stride: 2 * plane.stride, width: plane.width,
                height: plane.height / 2)
        }
        return PictureView(half(planes.0), planes.1.map(half), planes.2.map(half), planes.3.map(half))
    }
}
