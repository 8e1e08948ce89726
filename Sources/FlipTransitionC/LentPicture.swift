import CFlipTransition
import FlipRaster

/// A picture in a C program's memory, lent for the duration of a call.
struct LentPicture {
    private let planes: [UnsafeMutableRawPointer?]
    private let strides: [Int]

    init(_ picture: fliptransition_picture) {
        planes = [picture.planes.0, picture.planes.1, picture.planes.2, picture.planes.3]
        strides = [picture.strides.0, picture.strides.1, picture.strides.2, picture.strides.3]
    }

    /// A picture whose planes, strides and alignment have been checked.
    struct Checked {
        let view: PictureView
        /// The planes in memory, and the number of bytes in each of their rows.
        fileprivate let planes: [(view: PlaneView, rowBytes: Int)]

        /// Whether any byte belongs to both pictures.
        func overlaps(_ other: Checked) -> Bool {
            planes.contains { plane in
                other.planes.contains {
                    plane.view.sharesMemory(rowBytes: plane.rowBytes, with: $0.view, rowBytes: $0.rowBytes)
                }
            }
        }

        /// Two planes of this picture that have a byte in common; nil if there are none.
        var overlappingPlanes: (Int, Int)? {
            for (index, plane) in planes.enumerated() {
                let other = planes[..<index].firstIndex {
                    plane.view.sharesMemory(rowBytes: plane.rowBytes, with: $0.view, rowBytes: $0.rowBytes)
                }
                if let other { return (other, index) }
            }
            return nil
        }
    }

    /// The picture in the layout `layout`. Throws if it doesn't fit that; error messages call it `name`.
    func view(_ name: String, _ layout: PixelLayout, _ width: Int, _ height: Int) throws(CallError) -> Checked {
        var views: [PlaneView] = []
        var planes: [(view: PlaneView, rowBytes: Int)] = []
        for index in layout.memory.indices {
            let size = layout.planeSize(index, width: width, height: height)
            let rowBytes = layout.rowBytes(index, width: width)
            let stride = strides[index]
            guard let base = self.planes[index] else {
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
            let view = PlaneView(base: base, stride: stride, width: size.width, height: size.height)
            planes.append((view, rowBytes))
            views.append(view)
        }
        let lent = (1...3).map { $0 < views.count ? views[$0] : nil }
        return Checked(view: PictureView(views[0], lent[0], lent[1], lent[2]), planes: planes)
    }
}
