import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Every option of every style changes the picture.
@Suite struct OptionTests {
    private static let formats = [
        PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2),
        PictureFormat(components: .gbr, depth: 10, isFullRange: true),
    ]

    /// Sample values of an option, as users write them; all of them if they are words.
    private static func values(_ option: LookOption, of style: any TransitionStyle) -> [String] {
        switch option {
        case .direction: Direction.allCases.map(\.rawValue)
        case .orientation: Orientation.allCases.map(\.rawValue)
        case .reverse: ["false", "true"]
        case .mode: style.modes.map(\.rawValue)
        case .creases: ["1", "2", "3", "5"]
        case .easing: ["linear", "page-turn", "ease-in", "ease-out", "cubic-in-out", "steps(3)"]
        case .shutter: ["0", "90", "180", "360"]
        case .perspective: ["0", "1.5", "2.5", "6", "20"]
        case .viewpoint: ["0.5,0.5", "0.2,0.5", "0.5,0.2", "0.8,0.8", "-0.5,1.5"]
        case .spine: ["0.5", "0.3", "0.6", "0.9"]
        case .bend: ["0", "0.2", "0.45", "0.8"]
        case .shadow: style.shadows.map(\.rawValue)
        case .shadowStrength: ["0", "0.5", "1", "2"]
        case .radius: ["0.05", "0.12", "0.3"]
        case .angle: ["-30", "0", "20", "45"]
        case .strips: ["2", "3", "8", "13"]
        case .stagger: ["0", "0.5", "1", "4"]
        case .softness: ["0", "0.1", "0.5", "1"]
        case .paperOpacity: ["0", "0.5", "0.8", "1"]
        case .shadowColor, .through, .paper: ["black", "white", "red", "#204060"]
        case .cornerRadius: ["0", "4", "9"]
        case .pullBack: ["0.5", "0.7", "0.85", "1"]
        }
    }

    /// Small frames of noise over the whole transition, drawn in `style` with `option` set to `value`.
    private func frames(
        _ style: any TransitionStyle, _ option: LookOption, _ value: String, _ format: PictureFormat,
        _ mode: Mode? = nil
    ) throws -> [TestPicture] {
        let (width, height) = (40, 30)
        let from = Pattern.noise.picture(format, width: width, height: height, seed: 1)
        let to = Pattern.noise.picture(format, width: width, height: height, seed: 2)
        let modes = mode.map { [(option: LookOption.mode, value: $0.rawValue)] } ?? []
        let look = try StyledLook(style: style, options: modes + [(option, value)])
        // These times also tell the steps of an easing apart.
        let renderer = TransitionRenderer(
            format: format, width: width, height: height, background: Color(red: 1, green: 1, blue: 1), threads: 1)
        return try [0.12, 0.3, 0.45, 0.6, 0.85].map { time in
            try renderer.drawn(look, at: time, of: 3, from: from, to: to)
        }
    }

    /// No two values of an option draw the same frames, and every option has a value other than its default.
    @Test(arguments: Places.some(Styles.all.map(\.name), every: 16))
    func everyValueDrawsItsOwnPictures(style: String) throws {
        let style = try Styles.named(style)
        for format in Self.formats {
            for option in style.options {
                // Only a book has a spine.
                let mode: Mode? = style.name == "curl" && option == .spine ? .book : nil
                let value = option.value(in: style.defaults)
                let unchanged = try frames(style, option, value, format, mode)
                var seen: [(value: String, look: Look, frames: [TestPicture])] = [(value, style.defaults, unchanged)]
                for value in Self.values(option, of: style) {
                    let look = try StyledLook(style: style, options: [(option, value)]).look
                    if look == style.defaults { continue }
                    let frames = try frames(style, option, value, format, mode)
                    // Doors are their own mirror image.
                    if style.name == "doors" && option == .direction {
                        #expect(frames == unchanged)
                        seen.append((value, look, frames))
                        continue
                    }
                    for other in seen where other.frames == frames {
                        Issue.record("\(style.name): \(option.rawValue) \(other.value) and \(value) draw the same")
                    }
                    seen.append((value, look, frames))
                }
                #expect(seen.count > 1, "\(style.name): \(option.rawValue) has no value but its default")
            }
        }
    }
}
