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
            spec: TransitionSpec(look: drawing.look), ends: drawing.ends, name: transition.service)
    }

    /// How a transition is drawn.
    private struct Drawing {
        let look: StyledLook
        /// Whether it runs from the upper track to the lower.
        let isReversed: Bool
        /// The number of frames at its beginning and at its end that show only one film.
        let ends: (plain: Int, done: Int)
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
        return Drawing(look: look, isReversed: node.flag("reverse"), ends: (1, 0))
    }

    /// This program's own plugin, with the settings that Kdenlive gives it, where its frame i of n is at i / (n - 1), or with
    /// a progress that is animated without such frames at its ends.
    private func ownMixer(_ transition: Transition) -> Drawing? {
        var settings = HostSettings()
        let count = transition.frames.count
        var ends: (plain: Int, done: Int)?
        for (name, value) in transition.node.properties {
            if name.hasPrefix("kdenlive:") || Self.neutralProperties.contains(name) { continue }
            guard let index = HostParameter.all.firstIndex(where: { $0.name == name }) else { return nil }
            let role = HostParameter.all[index].role
            if role == .rate {
                // A thousand seconds in frames.
                guard MLTTime.frames(value, rate: rate) == (rate * Rational(1000)).rounded() else { return nil }
                ends = (1, 1)
                continue
            }
            if role == .progress {
                guard let even = Self.ends(ofProgress: value, count: count) else { return nil }
                ends = ends ?? even
                continue
            }
            switch HostParameter.all[index].initial {
            case .flag: _ = settings.set(index, to: .flag(transition.node.flag(name)))
            case .number:
                // Kdenlive saves what doesn't change as one keyframe.
                let keyframes = value.split(separator: ";")
                let constant = keyframes.count == 1 ? value.split(separator: "=").last.map(String.init) : nil
                guard let number = constant.flatMap({ Double($0) }) else { return nil }
                _ = settings.set(index, to: .number(number))
            case .text: _ = settings.set(index, to: .text(value))
            case .color:
                guard let color = try? Color(parsing: value) else { return nil }
                _ = settings.set(index, to: .color(color))
            }
        }
        let drawn = HostTransition(settings, width: media.profile.width, height: media.profile.height)
        guard let ends, drawn.mistakes.isEmpty, drawn.clock == nil, drawn.background == .black, count > 1 else {
            return nil
        }
        return Drawing(look: drawn.look, isReversed: settings.isSwapped, ends: ends)
    }

    /// The frames that show only one film if keyframes lead a transition of `count` frames evenly from one to the other; nil if
    /// they don't.
    private static func ends(ofProgress keyframes: String, count: Int) -> (plain: Int, done: Int)? {
        let frames = keyframes.split(separator: ";").map { $0.split(separator: "=") }
        guard frames.count == 2, frames.allSatisfy({ $0.count == 2 }), let first = Double(frames[0][1]),
            let last = Double(frames[1][1]), frames[0][0] == "0", ["-1", "\(count - 1)"].contains(frames[1][0])
        else { return nil }
        let ends = (plain: first == 0 ? 1 : 0, done: last == 1 ? 1 : 0)
        let step = 1 / Double(count - ends.plain - ends.done + 1)
        let (start, end) = (Double(1 - ends.plain) * step, 1 - Double(1 - ends.done) * step)
        return abs(first - start) < 1e-6 && abs(last - end) < 1e-6 ? ends : nil
    }
}
