import FlipBase
import FlipFiles

/// How a decoded picture is transformed for display: first mirrored left to right, then rotated clockwise.
package struct DisplayTransform: Sendable, Hashable, Codable {
    /// The clockwise rotation: 0, 90, 180 or 270 degrees.
    package let rotation: Int
    /// Whether left and right are swapped before the rotation.
    package let mirrored: Bool
    /// The angle that the file asks for, in degrees clockwise, where it isn't one of the four and the nearest is taken;
    /// else nil.
    package let requestedAngle: Double?

    package init(rotation: Int = 0, mirrored: Bool = false) {
        (self.rotation, self.mirrored) = (rotation, mirrored)
        requestedAngle = nil
    }

    package static let identity = DisplayTransform()

    package var swapsAxes: Bool { rotation == 90 || rotation == 270 }

    /// What turns a picture of this transform into one that `other` shows in the same way.
    package func relative(to other: DisplayTransform) -> DisplayTransform {
        if self == other { return .identity }
        let turn = other.mirrored ? other.rotation - rotation : rotation - other.rotation
        return DisplayTransform(rotation: (turn + 360) % 360, mirrored: mirrored != other.mirrored)
    }

    /// The place in the coded picture of a place in the shown one, both in fractions of width and height.
    package func coded(_ shown: (x: Double, y: Double)) -> (x: Double, y: Double) {
        let (x, y) =
            switch rotation {
            case 90: (shown.y, 1 - shown.x)
            case 180: (1 - shown.x, 1 - shown.y)
            case 270: (1 - shown.y, shown.x)
            default: (shown.x, shown.y)
            }
        return (mirrored ? 1 - x : x, y)
    }

    /// The size as shown, in square pixels, of a picture of `width` x `height` pixels: the height is kept, the width
    /// scaled, then both are rotated.
    /// - Parameters:
    ///   - aspect: the width of a pixel over its height.
    ///   - step: the width of a chroma sample in pixels; a width that is scaled is a multiple of it.
    package func displaySize(width: Int, height: Int, aspect: Rational, step: Int) -> (width: Int, height: Int) {
        let exact = aspect * Rational(width)
        let step = aspect == Rational(1) ? 1 : step
        let width = max(1, (exact / Rational(step)).rounded()) * step
        return swapsAxes ? (height, width) : (width, height)
    }

    /// Creates the transform of a display matrix: nine numbers in 16.16 fixed point, x' = a x + c y and y' = b x + d y
    /// with y down (ISO/IEC 14496-12 8.3.2). A singular matrix counts as the identity.
    package init(matrix: UnsafePointer<Int32>) {
        let (a, b, c, d) = (Double(matrix[0]), Double(matrix[1]), Double(matrix[3]), Double(matrix[4]))
        let determinant = a * d - b * c
        guard determinant != 0 else {
            self = .identity
            return
        }
        mirrored = determinant < 0
        let angle = atan2(mirrored ? -b : b, mirrored ? -a : a) * 180 / .pi
        let quarter = (angle / 90).rounded()
        rotation = (Int(quarter) * 90 + 360) % 360
        requestedAngle = abs(angle - quarter * 90) > 1 ? angle : nil
    }

    /// Creates the transform of a photo's EXIF "Orientation" (EXIF 2.3, tag 274); nil when it is not 1...8.
    package init?(exifOrientation: Int) {
        switch exifOrientation {
        case 1: self.init()
        case 2: self.init(mirrored: true)
        case 3: self.init(rotation: 180)
        case 4: self.init(rotation: 180, mirrored: true)
        case 5: self.init(rotation: 270, mirrored: true)
        case 6: self.init(rotation: 90)
        case 7: self.init(rotation: 90, mirrored: true)
        case 8: self.init(rotation: 270)
        default: return nil
        }
    }
}
