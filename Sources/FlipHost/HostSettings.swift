import FlipGeometry

/// The values of a plugin's parameters, as set by the host.
package struct HostSettings: Sendable {
    /// One value for each of `HostParameter.all`, of that parameter's kind.
    package private(set) var values = HostParameter.all.map(\.initial)
    /// The indices of the parameters whose values count even if they are the initial ones.
    fileprivate private(set) var given: Set<Int> = []

    package init() {}

    /// Sets parameter `index`, which must exist. A value of another kind and a number that is not finite are ignored.
    /// - Returns: whether the value has changed.
    package mutating func set(_ index: Int, to value: HostParameter.Value) -> Bool {
        switch (values[index], value) {
        case (.flag(let old), .flag(let new)) where old != new: break
        case (.number(let old), .number(let new)) where old != new && new.isFinite: break
        case (.color(let old), .color(let new)) where old != new: break
        case (.text(let old), .text(let new)) where old != new: break
        default: return false
        }
        values[index] = value
        return true
    }

    /// Sets parameter `index` by the user's choice: unlike `set`, for hosts that set all parameters, this doesn't leave the
    /// option as the style has it if the value is the initial one.
    /// - Returns: whether the transition has changed.
    package mutating func give(_ index: Int, _ value: HostParameter.Value) -> Bool {
        let isChanged = set(index, to: value)
        return given.insert(index).inserted || isChanged
    }

    /// The settings without an offset unless there is a duration: alone it has no meaning.
    package var withoutLoneOffset: HostSettings {
        guard HostSettings.isEmpty(text(.duration)) else { return self }
        var settings = self
        if let index = HostParameter.all.firstIndex(where: { $0.role == .offset }) {
            settings.values[index] = .text("")
        }
        return settings
    }

    fileprivate func value(_ role: HostParameter.Role) -> HostParameter.Value {
        let index = HostParameter.all.firstIndex { $0.role == role }
        return values[index!]
    }

    fileprivate func isGiven(_ role: HostParameter.Role) -> Bool {
        given.contains { HostParameter.all[$0].role == role }
    }

    fileprivate func text(_ role: HostParameter.Role) -> String {
        if case .text(let text) = value(role) { return text }
        return ""
    }

    fileprivate func number(_ role: HostParameter.Role) -> Double {
        if case .number(let number) = value(role) { return number }
        return 0
    }

    /// Whether a text leaves the choice to the style.
    static func isEmpty(_ text: String) -> Bool { text.isEmpty || text == own }

    /// Stands for the empty text (the style's own value, or none) in hosts' lists, which can't have an empty entry.
    package static let own = "auto"

    /// Whether the transition runs from the host's second picture to its first.
    package var isSwapped: Bool { value(.swap) == .flag(true) }

    /// The progress before easing, 0...1: computed from `time`, in seconds from the transition's beginning, if the host
    /// sets `rate`, `in` and `out`; otherwise the value that the host animates.
    package func progress(at time: Double) -> Double {
        let (rate, frames) = (number(.rate) / 1000, number(.lastFrame) - number(.firstFrame))
        return min(max(rate > 0 && frames > 0 ? time * rate / frames : number(.progress), 0), 1)
    }

    /// The time from one frame to the next as a part of the transition, if the host sets `rate`, `in` and `out`.
    fileprivate var spacing: Double? {
        let frames = number(.lastFrame) - number(.firstFrame)
        return number(.rate) > 0 && frames > 0 ? 1 / frames : nil
    }
}

/// The transition that a host's settings describe.
package struct HostTransition: Sendable {
    package private(set) var look: StyledLook
    package private(set) var background: Color
    /// The picture's width in pixels; the rest of the frame, to its right, is padding.
    package private(set) var width: Int
    /// The span of the host's clock, in seconds, during which the transition runs; nil if the host animates the
    /// progress.
    package private(set) var clock: (offset: Double, duration: Double)?
    /// The invalid settings, one sentence each. They are collected and not thrown, because hosts accept no errors.
    package private(set) var mistakes: [String] = []

    /// - Parameters:
    ///   - width: the frame's width in pixels, at least 1.
    ///   - height: the frame's height in pixels, at least 1.
    package init(_ settings: HostSettings, width: Int, height: Int) {
        var mistakes: [String] = []
        let own = settings.text(.width)
        self.width = HostSettings.isEmpty(own) ? width : Int(own) ?? 0
        if !(1...width).contains(self.width) {
            mistakes.append("invalid width '\(own)' (expected 1...\(width) pixels)")
            self.width = width
        }
        let chosen = HostTransition.chosen(settings, &mistakes)
        look = chosen
        var given: Color?
        if case .color(let color) = settings.value(.background), color != .black || settings.isGiven(.background) {
            given = color
        }
        background = chosen.background(given: given, orElse: .black)
        background.alpha = min(max(settings.number(.backgroundOpacity), 0), 1)
        for (index, (parameter, value)) in zip(HostParameter.all, settings.values).enumerated()
        where value != parameter.initial || settings.given.contains(index) {
            if let excess = excess(parameter, value) { mistakes.append(excess) }
            do throws(OptionError) {
                try apply(parameter, value, shorterSide: Double(min(self.width, height)))
            } catch { mistakes.append(error.description) }
        }
        clock = HostTransition.clock(settings, &mistakes)
        self.mistakes = mistakes
    }

    /// The span of the host's clock that `offset` and `duration` describe; nil if the host animates the progress, or if
    /// they are invalid.
    private static func clock(
        _ settings: HostSettings, _ mistakes: inout [String]
    ) -> (offset: Double, duration: Double)? {
        let (offset, duration) = (settings.text(.offset), settings.text(.duration))
        if HostSettings.isEmpty(duration) {
            if !HostSettings.isEmpty(offset) {
                mistakes.append("offset '\(offset)' means nothing without a duration, so progress decides (give both)")
            }
            return nil
        }
        if let seconds = seconds(duration), seconds > 0,
            let start = HostSettings.isEmpty(offset) ? 0 : HostTransition.seconds(offset)
        {
            return (start, seconds)
        }
        mistakes.append("invalid offset '\(offset)' or duration '\(duration)' (expected 0.6 or 600ms)")
        return nil
    }

    /// The look before any option is set: the named look, or the style's defaults.
    private static func chosen(_ settings: HostSettings, _ mistakes: inout [String]) -> StyledLook {
        let (style, name) = (settings.text(.style), settings.text(.look))
        do throws(OptionError) {
            if !HostSettings.isEmpty(name) {
                let bundle = try Looks.named(name)
                return try StyledLook(style: bundle.style, options: bundle.options)
            }
            if !HostSettings.isEmpty(style) { return try StyledLook(style: style, look: nil, options: []) }
        } catch { mistakes.append(error.description) }
        let usual = Styles.all[0]
        guard let look = try? StyledLook(style: usual) else { preconditionFailure("\(usual.name) has no look") }
        return look
    }

    /// An error message for a number outside 0...1, which is clamped; nil if the number is valid or has no effect.
    private func excess(_ parameter: HostParameter, _ value: HostParameter.Value) -> String? {
        guard case .number(let number) = value, !(-1e-6...1 + 1e-6).contains(number) else { return nil }
        switch parameter.role {
        case .option(let option), .coordinate(let option, _):
            guard look.style.options.contains(option) else { return nil }
        case .backgroundOpacity: break
        case .progress, .offset, .duration, .width, .style, .look, .background, .swap, .rate, .firstFrame, .lastFrame:
            return nil
        }
        return "invalid \(parameter.name) '\(number)' (expected 0...1)"
    }

    /// Sets an option. Hosts show all parameters at once, so options that don't apply to the style are ignored.
    private mutating func apply(
        _ parameter: HostParameter, _ value: HostParameter.Value, shorterSide: Double
    ) throws(OptionError) {
        var changed = look.look
        switch parameter.role {
        case .progress, .offset, .duration, .width, .style, .look, .background, .backgroundOpacity, .swap, .rate,
            .firstFrame, .lastFrame:
            return
        case .option(let option):
            guard look.style.options.contains(option), let text = text(of: value, option, shorterSide) else { return }
            try option.set(&changed, to: text)
            if option == .bend { changed.shadeAsBent() }
        case .coordinate(let option, let isX):
            guard look.style.options.contains(option), case .number(let number) = value,
                case .point(let range) = option.kind, let other = option.point(in: look.look)
            else { return }
            let coordinate = range.lowerBound + min(max(number, 0), 1) * (range.upperBound - range.lowerBound)
            try option.set(&changed, to: isX ? "\(coordinate),\(other.y)" : "\(other.x),\(coordinate)")
        }
        look = try StyledLook(style: look.style, look: changed)
    }

    /// A value in the form that `LookOption` parses; nil leaves the option unchanged.
    private func text(of value: HostParameter.Value, _ option: LookOption, _ shorterSide: Double) -> String? {
        switch value {
        case .flag(let flag): return String(flag)
        case .text(let text): return HostSettings.isEmpty(text) ? nil : text
        case .color(let color): return color.description
        case .number(let number):
            let own = Double(option.value(in: look.look)) ?? 0
            let scaled = NumberScale(option).number(
                number, own: own, least: look.style.leastPerspective, shorterSide: shorterSide)
            if case .wholeNumber = option.kind { return String(Int(scaled)) }
            return String(scaled)
        }
    }

    /// Parses a time in seconds, which may be negative: `0.6`, `0.6s` or `600ms`.
    private static func seconds(_ text: String) -> Double? {
        if text.hasSuffix("ms") { return Double(finite: String(text.dropLast(2))).map { $0 / 1000 } }
        return Double(finite: text.hasSuffix("s") ? String(text.dropLast()) : text)
    }

    /// The time before easing, 0...1: from `seconds` of the host's clock, if `clock` is set; otherwise `progress`, which is
    /// before easing.
    package func time(_ progress: Double, seconds: Double) -> Double {
        guard let clock else { return progress }
        return min(max((seconds - clock.offset) / clock.duration, 0), 1)
    }

    /// The time from one frame to the next as a part of the transition; nil if the host doesn't tell.
    ///
    /// - Parameter frame: the seconds from one frame to the next by the host's clock; nil if it doesn't tell.
    package func spacing(_ settings: HostSettings, frame: Double?) -> Double? {
        guard let clock else { return settings.spacing }
        return frame.map { $0 / clock.duration }
    }

    /// The progress at `time`, both 0...1.
    package func progress(at time: Double) -> Double { look.look.easing(time) }
}
