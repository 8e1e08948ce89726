import FlipGeometry

/// A picture of one color in memory of its own, laid out as any other.
final class PlainPicture {
    private let layout: PixelLayout
    private let width: Int
    private let height: Int
    private let planes: [Scratch<UInt8>]
    /// The color of the picture; nil before it is filled.
    private var color: Color?

    init(_ layout: PixelLayout, width: Int, height: Int) {
        (self.layout, self.width, self.height) = (layout, width, height)
        planes = layout.memory.map { _ in Scratch<UInt8>() }
    }

    /// The picture, in `color`: alpha is the color's, and padding has all bits set.
    func filled(with color: Color) -> PictureView {
        let isNew = self.color != color
        self.color = color
        let views = planes.indices.map { isNew ? fill($0, color) : view($0) }
        return PictureView(
            views[0], views.count > 1 ? views[1] : nil, views.count > 2 ? views[2] : nil,
            views.count > 3 ? views[3] : nil)
    }

    private func view(_ plane: Int) -> PlaneView {
        let size = layout.planeSize(plane, width: width, height: height)
        let stride = layout.rowBytes(plane, width: width)
        return PlaneView(
            base: UnsafeMutableRawPointer(planes[plane].reserve(stride * size.height)), stride: stride,
            width: size.width, height: size.height)
    }

    private func fill(_ plane: Int, _ color: Color) -> PlaneView {
        let view = view(plane)
        let format = layout.format
        let encoded = EncodedColor(color, format: format)
        let samples = layout.memory[plane].map { source -> Int in
            switch source {
            case nil: return format.peak
            case format.colorPlaneCount?: return Int((color.alpha * Double(format.peak)).rounded())
            case let source?: return Int(format.colors.narrow(encoded[plane: source]))
            }
        }
        for row in 0..<view.height {
            for (turn, sample) in samples.enumerated() {
                for column in 0..<view.width {
                    let place = view.base + row * view.stride
                    let index = column * samples.count + turn
                    if format.bytesPerSample == 1 {
                        place.storeBytes(of: UInt8(sample), toByteOffset: index, as: UInt8.self)
                    } else {
                        place.storeBytes(of: UInt16(sample), toByteOffset: 2 * index, as: UInt16.self)
                    }
                }
            }
        }
        return view
    }
}
