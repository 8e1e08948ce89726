import FlipGeometry

/// What hosts' 0...1 means for an option that is a number.
package struct NumberScale: Sendable {
    private enum Rule {
        /// From the least value to the largest, evenly.
        case even(ClosedRange<Double>)
        /// How strong the style's own perspective is: 0.5 leaves it, 1 halves the camera's height, 0 is none.
        case perspective(ClosedRange<Double>)
        /// Parts of half the frame's shorter side.
        case halfSide(ClosedRange<Double>)
    }

    private let rule: Rule
    private let isWhole: Bool

    /// The scale of an option whose kind is a number.
    package init(_ option: LookOption) {
        var range = 0.0...1.0
        var isWhole = false
        switch option.kind {
        case .number(let numbers): range = numbers
        case .wholeNumber(let numbers): (range, isWhole) = (numbers, true)
        case .word, .flag, .point, .color, .easing: preconditionFailure("\(option.rawValue) is no number")
        }
        self.isWhole = isWhole
        switch option {
        case .perspective: rule = .perspective(range)
        case .cornerRadius: rule = .halfSide(range)
        case .direction, .orientation, .reverse, .mode, .creases, .easing, .viewpoint, .spine, .shadow, .shadowStrength,
            .shadowColor, .pullBack:
            rule = .even(range)
        }
    }

    /// What the ends mean, for people.
    var meaning: String {
        switch rule {
        case .even(let range): "0...1 is \(NumberScale.text(range))"
        case .perspective: "0 is none, 0.5 the style's own, 1 twice as strong"
        case .halfSide: "1 is half the frame's shorter side"
        }
    }

    /// The host's initial value for an option that is `value` unless set. Where the scale is relative to the style's own value, the
    /// initial value is the one that leaves it.
    func initial(_ value: Double) -> Double {
        switch rule {
        case .even(let range): (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        case .perspective: 0.5
        case .halfSide: 0
        }
    }

    /// The option's value, within its range, for `value` of a host.
    /// - Parameters:
    ///   - own: the value that the style or the named look has.
    ///   - shorterSide: of the frame, in pixels.
    package func number(_ value: Double, own: Double, shorterSide: Double) -> Double {
        let value = min(max(value, 0), 1)
        switch rule {
        case .even(let range):
            let number = range.lowerBound + value * (range.upperBound - range.lowerBound)
            return isWhole ? number.rounded() : number
        case .perspective(let range):
            // So far away that nobody can tell it from none.
            if value * range.upperBound < own / 2 * (1 - 1e-9) { return 0 }
            return min(max(own * 0.5 / value, 0.1), range.upperBound)
        case .halfSide(let range): return min(value * shorterSide / 2, range.upperBound)
        }
    }

    /// A host's value that gives the option `number`; nil where none does.
    package func hostValue(_ number: Double, own: Double, shorterSide: Double) -> Double? {
        let value: Double
        switch rule {
        case .even(let range): value = (number - range.lowerBound) / (range.upperBound - range.lowerBound)
        case .perspective: value = number == 0 ? 0 : own * 0.5 / number
        case .halfSide: value = 2 * number / shorterSide
        }
        return (0...1).contains(value) ? value : nil
    }

    /// A range for people: "1...16", "0.05...0.95".
    static func text(_ range: ClosedRange<Double>) -> String {
        let ends = [range.lowerBound, range.upperBound].map { $0 == $0.rounded() ? String(Int($0)) : String($0) }
        return ends.joined(separator: "...")
    }
}
