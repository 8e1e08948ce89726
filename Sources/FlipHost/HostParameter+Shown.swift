import FlipGeometry

/// How hosts show a parameter whose panels have titles, and whose numbers have units of their own.
extension HostParameter {
    /// The parameter's title, such as "Shadow strength" for "shadow-strength".
    package var title: String {
        let words = name.split(separator: "-").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// Whether the parameter serves hosts that can't animate the progress, or whose frames are padded.
    package var isWorkaround: Bool {
        switch role {
        case .offset, .duration, .width, .rate, .firstFrame, .lastFrame: true
        case .progress, .style, .look, .option, .coordinate, .background, .backgroundOpacity, .swap: false
        }
    }

    /// The entries of the host's list: the texts to choose from, after `HostSettings.own` if the initial text is none of
    /// them; empty if there is no list.
    package var listEntries: [String] {
        guard case .text(let text) = initial, !choices.isEmpty else { return [] }
        return choices.contains(text) ? choices : [HostSettings.own] + choices
    }

    /// A number in the unit in which a panel shows it.
    package struct ShownNumber: Sendable, Equatable {
        /// The numbers that can be set.
        package let range: ClosedRange<Double>
        package let isWhole: Bool
        fileprivate let initialValue: Double

        /// The number that is shown at first.
        package var initial: Double { number(initialValue) }

        /// The number to be shown for the parameter's value, 0...1.
        package func number(_ value: Double) -> Double {
            let exact = range.lowerBound + value * (range.upperBound - range.lowerBound)
            return isWhole ? exact.rounded() : (exact * 1e9).rounded() / 1e9
        }

        /// The parameter's value, 0...1, for a number that is shown. The initial number gives the initial value exactly, so
        /// that it leaves the option as the style has it.
        package func value(_ number: Double) -> Double {
            if number == initial { return initialValue }
            return (number - range.lowerBound) / (range.upperBound - range.lowerBound)
        }
    }

    /// The explanation for hosts that show numbers as `shownNumber` and texts as `listEntries`, without what it says of
    /// 0...1 and of empty texts.
    package var shownExplanation: String {
        if let range = shownNumber?.range, range != 0...1 {
            return explanation.split(separator: ":", maxSplits: 1)[0] + ": \(range.text)"
        }
        guard listEntries.first == HostSettings.own, explanation.hasSuffix(HostParameter.emptyIsOwn) else {
            return explanation
        }
        return explanation.dropLast(HostParameter.emptyIsOwn.count) + "; \(HostSettings.own) is the style's own"
    }

    /// How the parameter's number is shown: in the option's own unit where the values 0...1 are linear in that; nil if the
    /// parameter is not a number.
    package var shownNumber: ShownNumber? {
        guard case .number(let initial) = initial else { return nil }
        var (range, isWhole) = (0.0...1.0, false)
        switch role {
        case .option(let option) where option.hostScale == .linear:
            switch option.kind {
            case .number(let numbers): range = numbers
            case .wholeNumber(let numbers): (range, isWhole) = (numbers, true)
            case .word, .flag, .point, .color, .easing: break
            }
        case .coordinate(let option, _):
            if case .point(let coordinates) = option.kind { range = coordinates }
        default: break
        }
        return ShownNumber(range: range, isWhole: isWhole, initialValue: initial)
    }
}
