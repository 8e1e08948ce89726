import FlipBase
import FlipGeometry

/// A color in the components of a format, as wide samples (`Wide`). In HDR, white is diffuse white.
struct EncodedColor: Equatable {
    private var components: (UInt16, UInt16, UInt16)

    init(_ color: Color, format: PictureFormat) {
        components = format.colors.wide(red: color.red, green: color.green, blue: color.blue)
    }

    /// The color premultiplied by `alpha`: its distance from black is scaled by `alpha`.
    func premultiplied(by alpha: Double, format: PictureFormat) -> EncodedColor {
        let black = EncodedColor(.black, format: format)
        func mixed(_ value: UInt16, _ black: UInt16) -> UInt16 {
            UInt16((Double(black) + (Double(value) - Double(black)) * alpha).rounded())
        }
        var result = self
        result.components = (
            mixed(components.0, black.components.0), mixed(components.1, black.components.1),
            mixed(components.2, black.components.2)
        )
        return result
    }

    /// The component in plane `index`.
    subscript(plane index: Int) -> UInt16 { index == 0 ? components.0 : index == 1 ? components.1 : components.2 }

    static func == (left: EncodedColor, right: EncodedColor) -> Bool { left.components == right.components }
}
