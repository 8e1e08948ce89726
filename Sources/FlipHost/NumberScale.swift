import FlipGeometry

/// Maps the range 0...1 of hosts to the values of a numeric option.
package struct NumberScale: Sendable {
    private let rule: LookOption.HostScale
    private let range: ClosedRange<Double>
    private let isWhole: Bool

    /// The scale of a numeric option.
    package init(_ option: LookOption) {
        var range = 0.0...1.0
        var isWhole = false
        switch option.kind {
        case .number(let numbers): range = numbers
        case .wholeNumber(let numbers): (range, isWhole) = (numbers, true)
        case .word, .flag, .point, .color, .easing: preconditionFailure("\(option.rawValue) is not a number")
        }
        self.isWhole = isWhole
        rule = option.hostScale
        self.range = range
    }

    /// What the host's values mean, for help.
    var meaning: String {
        switch rule {
        case .linear: range == 0...1 ? range.text : "0...1 is \(range.text)"
        case .strength: "0 is none, 0.5 the style's own, 1 twice as strong"
        case .halfShorterSide: "1 is half the frame's shorter side"
        }
    }

    /// The host's initial value for an option with the default `value`. If the scale is relative to the style's own
    /// value, the initial value leaves that unchanged.
    func initial(_ value: Double) -> Double {
        switch rule {
        case .linear: (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        case .strength: 0.5
        case .halfShorterSide: 0
        }
    }

    /// The option's value, within its range, for the host's `value`.
    /// - Parameters:
    ///   - own: the value of the style or the named look.
    ///   - least: the least value that the style takes, if it isn't 0.
    ///   - shorterSide: the frame's shorter side, in pixels.
    package func number(_ value: Double, own: Double, least: Double = 0.1, shorterSide: Double) -> Double {
        let value = min(max(value, 0), 1)
        switch rule {
        case .linear:
            let number = range.lowerBound + value * (range.upperBound - range.lowerBound)
            return isWhole ? number.rounded() : number
        case .strength:
            // The camera would be farther away than the range allows, which looks the same as no perspective.
            if value * range.upperBound < own / 2 * (1 - 1e-9) { return 0 }
            return min(max(own * 0.5 / value, least), range.upperBound)
        case .halfShorterSide: return min(value * shorterSide / 2, range.upperBound)
        }
    }

    /// The host's value for which the option is `number`; nil if there is none.
    package func hostValue(_ number: Double, own: Double, shorterSide: Double) -> Double? {
        let value: Double
        switch rule {
        case .linear: value = (number - range.lowerBound) / (range.upperBound - range.lowerBound)
        case .strength: value = number == 0 ? 0 : own * 0.5 / number
        case .halfShorterSide: value = 2 * number / shorterSide
        }
        return (0...1).contains(value) ? value : nil
    }
}
