import FlipGeometry

/// The inverse of `HostTransition`: from a look to the parameter values that describe it.
extension HostSettings {
    /// The settings with which a host shows `look`, driven by its clock.
    /// - Parameters:
    ///   - width: the picture's width, in pixels.
    ///   - height: the picture's height, in pixels.
    ///   - frameWidth: the frame's width in pixels, including padding to the right of the picture.
    ///   - offset: the value of the parameter `offset`: when the transition begins.
    ///   - duration: the value of the parameter `duration`: how long the transition lasts.
    /// - Throws: if a number is outside its parameter's range, which is possible for perspectives and corner radii.
    package init(
        _ look: StyledLook, background: Color, width: Int, height: Int, frameWidth: Int, offset: String,
        duration: String
    ) throws(OptionError) {
        self.init()
        for (index, parameter) in HostParameter.all.enumerated() {
            switch parameter.role {
            case .progress, .look, .swap, .rate, .firstFrame, .lastFrame: break
            case .offset: _ = set(index, to: .text(offset))
            case .duration: _ = set(index, to: .text(duration))
            case .width: _ = set(index, to: .text(frameWidth == width ? "" : String(width)))
            case .style: _ = set(index, to: .text(look.style.name))
            case .background: _ = set(index, to: .color(background.opaque))
            case .backgroundOpacity: _ = set(index, to: .number(background.alpha))
            case .coordinate(let option, let isX):
                guard case .point(let range) = option.kind, let point = option.point(in: look.look) else { break }
                let coordinate = isX ? point.x : point.y
                _ = set(index, to: .number((coordinate - range.lowerBound) / (range.upperBound - range.lowerBound)))
            case .option(let option):
                guard look.style.options.contains(option) else { break }
                let value = try HostSettings.value(of: option, in: look, shorterSide: Double(min(width, height)))
                if let value { _ = set(index, to: value) }
            }
        }
    }

    /// The parameter's value for an option; nil if it is the style's default, or a point, which has two parameters.
    private static func value(
        of option: LookOption, in look: StyledLook, shorterSide: Double
    ) throws(OptionError) -> HostParameter.Value? {
        let (text, own) = (option.value(in: look.look), option.value(in: look.style.defaults))
        if text == own { return nil }
        switch option.kind {
        case .flag: return .flag(text == "true")
        case .word, .easing: return .text(text)
        case .color: return option.color(in: look.look).map { .color($0.opaque) }
        case .point: return nil
        case .number, .wholeNumber:
            let (number, usual) = (Double(text) ?? 0, Double(own) ?? 0)
            if let value = NumberScale(option).hostValue(number, own: usual, shorterSide: shorterSide) {
                return .number(value)
            }
            throw OptionError("plugins don't reach \(option.rawValue) \(text) in style \(look.style.name)")
        }
    }

    /// The values that aren't the initial ones, as the properties of a transition of MLT's.
    package var properties: [(name: String, value: String)] {
        zip(HostParameter.all, values).compactMap { parameter, value in
            if value == parameter.initial { return nil }
            return switch value {
            case .flag(let flag): (parameter.name, flag ? "1" : "0")
            case .number(let number): (parameter.name, String(number))
            case .color(let color): (parameter.name, color.description)
            case .text(let text): (parameter.name, text)
            }
        }
    }

    /// The values in the form that FFmpeg's frei0r filter takes, without trailing initial values.
    package var filterParameters: [String] {
        let last = values.indices.last { values[$0] != HostParameter.all[$0].initial }
        return values.prefix((last ?? -1) + 1).map { value in
            switch value {
            case .flag(let flag): flag ? "y" : "n"
            case .number(let number): String(number)
            case .color(let color): "\(Float(color.red))/\(Float(color.green))/\(Float(color.blue))"
            case .text(let text): text
            }
        }
    }
}

extension Color {
    /// The color without transparency.
    fileprivate var opaque: Color { Color(red: red, green: green, blue: blue) }
}
