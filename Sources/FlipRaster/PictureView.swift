/// A plane of samples that somebody else owns: `height` rows of `width` samples, `stride` bytes apart.
package struct PlaneView: @unchecked Sendable {
    package var base: UnsafeMutableRawPointer
    /// Bytes from one row to the next; at least the bytes of a row.
    package var stride: Int
    package var width: Int
    package var height: Int

    package init(base: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int) {
        self.base = base
        self.stride = stride
        self.width = width
        self.height = height
    }
}

/// The planes of a picture that somebody else owns and lends for one call: four at most.
package struct PictureView: @unchecked Sendable {
    package var planes: (PlaneView, PlaneView?, PlaneView?, PlaneView?)

    package init(
        _ first: PlaneView, _ second: PlaneView? = nil, _ third: PlaneView? = nil, _ fourth: PlaneView? = nil
    ) {
        planes = (first, second, third, fourth)
    }

    /// Plane `index`, which the picture has.
    package subscript(index: Int) -> PlaneView {
        switch index {
        case 0: planes.0
        case 1: planes.1!
        case 2: planes.2!
        default: planes.3!
        }
    }
}
