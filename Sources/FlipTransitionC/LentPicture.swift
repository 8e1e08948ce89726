import CFlipTransition
import FlipRaster

/// A picture that a C program lends for a call.
struct LentPicture {
    private let planes: [UnsafeMutableRawPointer?]
    private let strides: [Int]

    init(_ picture: fliptransition_picture) {
        planes = [picture.planes.0, picture.planes.1, picture.planes.2, picture.planes.3]
        strides = [picture.strides.0, picture.strides.1, picture.strides.2, picture.strides.3]
    }

    /// A picture whose planes are there and long enough.
    struct Checked {
        let view: PictureView
        /// Where each plane begins and ends, whichever way up it is.
        fileprivate let extents: [Range<UInt>]

        func overlaps(_ other: Checked) -> Bool {
            extents.contains { extent in other.extents.contains(where: extent.overlaps) }
        }
    }

    /// The picture as one of `layout`; `name` is what the sentence calls it where it can't be one.
    func view(_ name: String, _ layout: PixelLayout, _ width: Int, _ height: Int) throws(CallError) -> Checked {
        var views: [PlaneView] = []
        var extents: [Range<UInt>] = []
        for index in layout.memory.indices {
            let size = layout.planeSize(index, width: width, height: height)
            let rowBytes = layout.rowBytes(index, width: width)
            let stride = strides[index]
            guard let base = planes[index] else {
                throw CallError(.invalidArgument, "picture '\(name)' has no plane \(index), which \(layout.name) needs")
            }
            guard stride.magnitude >= rowBytes, stride.magnitude <= 1 << 40 else {
                throw CallError(
                    .invalidArgument,
                    "the stride of plane \(index) of '\(name)' is \(stride), and a row has \(rowBytes) bytes")
            }
            let samples = layout.format.bytesPerSample
            guard Int(bitPattern: base) % samples == 0, stride % samples == 0 else {
                throw CallError(
                    .invalidArgument,
                    "plane \(index) of '\(name)' has samples at odd addresses (align it and its stride to \(samples) bytes)"
                )
            }
            let first = UInt(bitPattern: base)
            let last = UInt(bitPattern: base + (size.height - 1) * stride)
            extents.append(min(first, last)..<max(first, last) + UInt(rowBytes))
            views.append(PlaneView(base: base, stride: stride, width: size.width, height: size.height))
        }
        let lent = (1...3).map { $0 < views.count ? views[$0] : nil }
        return Checked(view: PictureView(views[0], lent[0], lent[1], lent[2]), extents: extents)
    }
}
