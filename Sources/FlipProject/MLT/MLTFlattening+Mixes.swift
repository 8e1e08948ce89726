import FlipBase
import FlipGeometry
import FlipHost
import FlipRender

/// Transitions between two films that this program draws as melt does.
extension MLTFlattening {
    /// The mix that `transition` makes of its two tracks; nil if melt has to draw it.
    /// - Parameter place: the frame at which the tracks have these contents.
    func mix(_ transition: Transition, from lower: MLTContent, to upper: MLTContent, at place: Int) -> MLTMix? {
        guard case .shot(let first) = lower, case .shot(let second) = upper, transition.frames.lowerBound > .min,
            let drawing = drawing(transition)
        else { return nil }
        let (from, to) = drawing.isReversed ? (second, first) : (first, second)
        let past = place - transition.frames.lowerBound
        return MLTMix(
            from: from.moved(by: -past), to: to.moved(by: -past), count: transition.frames.count, first: past,
            spec: TransitionSpec(look: drawing.look), ends: (plain: 1, done: drawing.done), name: transition.service)
    }

    /// How a transition is drawn. Its first frame shows only one film.
    private struct Drawing {
        let look: StyledLook
        /// Whether it runs from the upper track to the lower.
        let isReversed: Bool
        /// The number of frames at its end that show only the other film.
        let done: Int
    }

    private func drawing(_ transition: Transition) -> Drawing? {
        switch transition.service {
        case "luma": dissolve(transition.node)
        case "frei0r.fliptransition": ownMixer(transition)
        default: nil
        }
    }

    /// A luma wipe without a picture, which is a dissolve: its frame i of n is at i / n.
    private func dissolve(_ node: MLTNode) -> Drawing? {
        for (name, value) in node.properties {
            if name.hasPrefix("kdenlive:") || name.hasPrefix("shotcut:") || Self.neutralProperties.contains(name) {
                continue
            }
            switch name {
            // Opaque pictures look the same with all of these.
            case "softness", "progressive", "alpha_over", "fix_background_alpha", "accepts_blanks", "reverse": continue
            case "resource" where value.isEmpty, "invert" where value == "0": continue
            default: return nil
            }
        }
        guard let look = try? StyledLook(style: Dissolve()) else { return nil }
        return Drawing(look: look, isReversed: node.flag("reverse"), done: 0)
    }

    /// This program's own plugin, with the settings that Kdenlive gives it: its frame i of n is at i / (n - 1).
    private func ownMixer(_ transition: Transition) -> Drawing? {
        var settings = HostSettings()
        for (name, value) in transition.node.properties {
            if name.hasPrefix("kdenlive:") || Self.neutralProperties.contains(name) { continue }
            guard let index = HostParameter.all.firstIndex(where: { $0.name == name }) else { return nil }
            let role = HostParameter.all[index].role
            if role == .rate {
                // A thousand seconds in frames.
                guard MLTTime.frames(value, rate: rate) == (rate * Rational(1000)).rounded() else { return nil }
                continue
            }
            switch HostParameter.all[index].initial {
            case .flag: _ = settings.set(index, to: .flag(transition.node.flag(name)))
            case .number:
                guard let number = Double(value) else { return nil }
                _ = settings.set(index, to: .number(number))
            case .text: _ = settings.set(index, to: .text(value))
            case .color:
                guard let color = try? Color(parsing: value) else { return nil }
                _ = settings.set(index, to: .color(color))
            }
        }
        let rateName = HostParameter.all.first { $0.role == .rate }?.name ?? ""
        let drawn = HostTransition(settings, width: media.profile.width, height: media.profile.height)
        guard transition.node[rateName] != nil, drawn.mistakes.isEmpty, drawn.clock == nil, drawn.background == .black,
            transition.frames.count > 1
        else { return nil }
        return Drawing(look: drawn.look, isReversed: settings.isSwapped, done: 1)
    }
}
