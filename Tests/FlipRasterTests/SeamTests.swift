import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// The background must not show where sheets meet.
@Suite struct SeamTests {
    private static let formats = [
        PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2),
        PictureFormat(components: .yuv, depth: 10, chromaStepX: 2, chromaStepY: 2, chromaLocation: .center),
        PictureFormat(components: .gbr, depth: 16, isFullRange: true),
    ]
    private static let moments = [0.001, 0.1, 0.237, 0.4, 0.499, 0.5, 0.501, 0.6, 0.777, 0.9, 0.999]

    /// The same frame drawn over two different backgrounds.
    private func frames(
        _ look: StyledLook, _ progress: Double, _ format: PictureFormat, width: Int, height: Int
    ) throws -> (TestPicture, TestPicture) {
        let from = Pattern.natural.picture(format, width: width, height: height, seed: 31)
        let to = Pattern.natural.picture(format, width: width, height: height, seed: 32)
        let frame = { (background: Color) in
            try drawn(look, progress: progress, from: from, to: to, background: background)
        }
        return (try frame(Color(red: 1, green: 0, blue: 1)), try frame(Color(red: 0, green: 1, blue: 0)))
    }

    /// A flip seen from the middle covers the whole frame at all times.
    @Test func flipCoversTheFrame() throws {
        for format in Self.formats {
            for progress in Self.moments {
                for spine in [0.5, 0.37, 0.05] {
                    for orientation in Orientation.allCases {
                        for reverse in [false, true] {
                            let look = try StyledLook.named("flip") {
                                $0.spine = spine
                                $0.orientation = orientation
                                $0.reverse = reverse
                            }
                            let (left, right) = try frames(look, progress, format, width: 61, height: 47)
                            #expect(left == right, "\(look) p=\(progress): \(PictureDifference(left, right))")
                        }
                    }
                }
            }
        }
    }

    /// The sheets of an accordion and its sleeves adjoin. The background shows only beside the sheets, where
    /// perspective narrows them across the motion, so without perspective it shows nowhere.
    @Test(arguments: ["fold", "unfold"]) func accordionsAreTight(style: String) throws {
        for creases in 1...16 {
            for (index, progress) in Self.moments.enumerated() {
                for orientation in Orientation.allCases {
                    let look = try StyledLook.named(style) {
                        $0.creases = creases
                        $0.orientation = orientation
                        $0.perspective = 0
                    }
                    let format = Self.formats[(creases + index) % Self.formats.count]
                    let (left, right) = try frames(look, progress, format, width: 53, height: 61)
                    #expect(left == right, "\(look) p=\(progress): \(PictureDifference(left, right))")
                }
            }
        }
    }

    /// With perspective, every sheet covers the middle part of the frame across the motion.
    @Test(arguments: ["fold", "unfold"]) func accordionsAreTightInPerspective(style: String) throws {
        for creases in 1...16 {
            for progress in Self.moments {
                let look = try StyledLook.named(style) { $0.creases = creases }
                let (left, right) = try frames(look, progress, Self.formats[0], width: 60, height: 61)
                for plane in left.planes.indices {
                    let size = left.planeSize(plane)
                    // Sheets recede by up to L, half the frame's length, so they keep 14 / 17 of their breadth.
                    for y in 0..<size.height {
                        for x in size.width * 3 / 20..<size.width * 17 / 20 {
                            let (a, b) = (left[plane: plane, x: x, y: y], right[plane: plane, x: x, y: y])
                            if a != b {
                                Issue.record("\(look) p=\(progress) plane \(plane) (\(x), \(y)): \(a) and \(b)")
                                return
                            }
                        }
                    }
                }
            }
        }
    }
}
