import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// If both pictures, the background and the color that a dip goes through are the same, no other color may appear, however many rows fall into one
/// and however often a sample is averaged, blended and summed.
@Suite struct UniformTests {
    /// Sizes at which pages are far smaller than their pictures along or across the motion, and an ordinary one.
    private static let sizes = [(3, 2160), (2160, 3), (61, 150), (300, 40)]
    private static let moments = [0.02, 0.3, 0.47, 0.4999, 0.63, 0.999]

    private func expectUniform(_ look: StyledLook, _ format: PictureFormat, level: Int, tolerance: Int) throws {
        let peak = 1 << format.depth - 1
        let part = Double(level) / Double(peak)
        var values = [UInt16](repeating: UInt16(level), count: format.planeCount)
        if format.hasAlpha { values[format.planeCount - 1] = UInt16(peak) }
        let color = Color(red: part, green: part, blue: part)
        var options = look.look
        options.through = color
        options.paperOpacity = 0
        let look = try StyledLook(style: look.style, look: options)
        for (width, height) in Self.sizes {
            let page = TestPicture(format: format, width: width, height: height, filledWith: values)
            for progress in Self.moments {
                let frame = try drawn(look, progress: progress, from: page, to: page, background: color)
                let difference = PictureDifference(frame, page)
                #expect(
                    difference.worst <= tolerance,
                    "\(look) \(format.depth) bits of \(level) p=\(progress): \(difference)")
                // Opaque pictures stay opaque, to the last bit of any depth.
                if format.hasAlpha {
                    #expect(frame.planes.last == page.planes.last, "\(look) \(format.depth) bits p=\(progress): alpha")
                }
            }
        }
    }

    private func looks(_ style: String) throws -> [StyledLook] {
        try Orientation.allCases.flatMap { orientation in
            try [0, 3].map { perspective in
                try StyledLook.named(style) {
                    $0.orientation = orientation
                    $0.perspective = perspective
                    $0.shadow = .none
                }
            }
        }
    }

    @Test(arguments: Places.some([8, 10, 12, 14, 16], every: 5)) func oneColorStaysOneColor(depth: Int) throws {
        let format = PictureFormat(components: .gray, depth: depth, isFullRange: true)
        let peak = 1 << depth - 1
        for style in Styles.all {
            for look in try looks(style.name) {
                // Only 15 of 16 bits are kept, and rounding changes them by one; black and white are exact.
                for level in Places.some([0, peak, peak * 235 / 255, peak / 3], every: 2) {
                    try expectUniform(
                        look, format, level: level, tolerance: depth == 16 && level != 0 && level != peak ? 1 : 0)
                }
            }
        }
    }

    @Test(arguments: Places.some([8, 12, 16], every: 3)) func opaquePicturesStayOpaque(depth: Int) throws {
        let format = PictureFormat(components: .gray, depth: depth, isFullRange: true, hasAlpha: true)
        for style in Styles.all {
            for look in try looks(style.name) { try expectUniform(look, format, level: 1 << depth - 1, tolerance: 0) }
        }
    }
}
