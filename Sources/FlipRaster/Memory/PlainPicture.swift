import FlipGeometry

/// A picture of one color in memory of its own, laid out as any other.
final class PlainPicture {
    private let picture: OwnPicture
    /// The color of the picture; nil before it is filled.
    private var color: Color?

    init(_ layout: PixelLayout, width: Int, height: Int) {
        picture = OwnPicture(layout, width: width, height: height)
    }

    /// The picture, in `color`: alpha is the color's, and padding has all bits set.
    func filled(with color: Color) -> PictureView {
        if self.color != color {
            self.color = color
            for (index, plane) in picture.planes.enumerated() { fill(plane, index, color) }
        }
        return picture.view
    }

    private func fill(_ view: PlaneView, _ plane: Int, _ color: Color) {
        let layout = picture.layout
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
    }
}
