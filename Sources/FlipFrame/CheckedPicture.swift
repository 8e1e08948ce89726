import FlipRaster

/// A picture whose planes, strides and alignment have been checked.
struct CheckedPicture {
    let view: PictureView
    /// The planes in memory, and the number of bytes in each of their rows.
    private let planes: [(view: PlaneView, rowBytes: Int)]

    /// The largest stride: far more than any row has, and little enough that the last row's address can't overflow.
    private static let longestStride = 1 << 40

    /// Checks that `picture` has memory for `layout`. Throws if it hasn't; error messages call it `name`.
    init(_ name: String, _ picture: FramePicture, _ layout: PixelLayout, width: Int, height: Int) throws(FrameError) {
        var planes: [(view: PlaneView, rowBytes: Int)] = []
        for index in layout.memory.indices {
            let size = layout.planeSize(index, width: width, height: height)
            let rowBytes = layout.rowBytes(index, width: width)
            guard picture.planes.indices.contains(index) else {
                throw FrameError(
                    .invalidArgument, "picture '\(name)' has no plane \(index), which \(layout.name) needs")
            }
            let (start, stride) = (picture.planes[index].start, picture.planes[index].stride)
            try CheckedPicture.check(
                picture.planes[index], index, of: name, rowBytes: rowBytes, sampleBytes: layout.format.bytesPerSample)
            planes.append((PlaneView(base: start, stride: stride, width: size.width, height: size.height), rowBytes))
        }
        self.planes = planes
        let others = (1...3).map { $0 < planes.count ? planes[$0].view : nil }
        view = PictureView(planes[0].view, others[0], others[1], others[2])
    }

    /// Throws if plane `index` of the picture called `name` has no room for rows of `rowBytes`, or if its samples aren't
    /// aligned.
    static func check(
        _ plane: FramePicture.Plane, _ index: Int, of name: String, rowBytes: Int, sampleBytes: Int
    ) throws(FrameError) {
        let (start, stride) = (plane.start, plane.stride)
        guard stride.magnitude >= rowBytes, stride.magnitude <= longestStride else {
            throw FrameError(
                .invalidArgument,
                "the stride of plane \(index) of '\(name)' is \(stride), and a row has \(rowBytes) bytes")
        }
        guard Int(bitPattern: start) % sampleBytes == 0, stride % sampleBytes == 0 else {
            throw FrameError(
                .invalidArgument,
                "plane \(index) of '\(name)' has samples at odd addresses (align it and its stride to \(sampleBytes) "
                    + "bytes)")
        }
    }

    /// Whether any byte belongs to both pictures.
    func overlaps(_ other: CheckedPicture) -> Bool {
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
