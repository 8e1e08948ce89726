import FlipBase
import FlipGeometry

/// A movement of the hand that was recorded, as a value; a file of it is read elsewhere.
package struct GestureRecording: Sendable, Equatable {
    /// The name of the style that was turned.
    package var style: String
    /// The rule that it followed.
    package var rule: GestureRule
    /// The frame's width divided by its height, 0.01...100.
    package var aspect: Double
    /// The width at which the frame was shown, in CSS pixels, 16...16384.
    package var width = Self.standardWidth
    /// How long a turn took that nobody held, in milliseconds, 1...60000.
    package var turn = Self.standardTurn
    /// In order of time.
    package var samples: [GestureSample]

    /// The width of a recording that names none.
    package static let standardWidth = 960.0
    /// The duration of a recording that names none: that of transitions.
    package static let standardTurn = 600.0
    /// The longest movement, in milliseconds.
    package static let longest = 60_000.0
    /// The greatest number of samples, which is 60 s of a pointer at 1000 Hz.
    package static let maximumCount = 60_000

    package init(
        style: String, rule: GestureRule, aspect: Double, width: Double = Self.standardWidth,
        turn: Double = Self.standardTurn, samples: [GestureSample]
    ) {
        (self.style, self.rule, self.aspect, self.width) = (style, rule, aspect, width)
        (self.turn, self.samples) = (turn, samples)
    }

    /// The movement as `look` follows it. Throws if the recording is of another model, if the transition doesn't
    /// complete, or if it takes no time or too long.
    package func track(for look: StyledLook) throws(OptionError) -> GestureTrack {
        let own = GestureRule(look)
        guard own == rule else {
            throw OptionError(
                "the gesture was recorded with style \(style), which is turned differently from \(look.style.name) "
                    + "(record one with that style)")
        }
        return try GestureTrack(self, look)
    }

    /// The same movement mirrored along the axis of `look`'s motion.
    package func mirrored(for look: StyledLook) -> GestureRecording {
        var copy = self
        copy.samples = samples.map { sample in
            var sample = sample
            if look.look.orientation == .vertical { sample.y = 1 - sample.y } else { sample.x = 1 - sample.x }
            return sample
        }
        return copy
    }
}

/// The progress that a recorded movement has over its time, with the end that the model gives it.
package struct GestureTrack: Sendable {
    /// The model after each sample, with the sample's time.
    private let steps: [(time: Double, model: GestureModel)]
    private let start: Double
    private let end: Double

    fileprivate init(_ recording: GestureRecording, _ look: StyledLook) throws(OptionError) {
        guard let first = recording.samples.first, let last = recording.samples.last else {
            throw OptionError("the gesture has no samples (record it again)")
        }
        let setting = GestureSetting(look, width: recording.width, aspect: recording.aspect, duration: recording.turn)
        var model = GestureModel(setting)
        var steps: [(time: Double, model: GestureModel)] = []
        for sample in recording.samples {
            model.add(sample)
            steps.append((sample.time, model))
        }
        // A wheel has no release of its own; what is left of its pinch is decided by the model.
        let release = last.time + (last.action == .wheel ? GestureConstants.wheelPause : 0)
        model.settle(by: release)
        if release > last.time { steps.append((release, model)) }
        let now = model.position(at: release)
        let ending = model.end
        if now.progress == 0 && ending == nil || ending?.progress == 0 || now.bump != 0 {
            throw OptionError(
                "the gesture ends with the page back where it was, so the next clip would never arrive (record "
                    + "one that completes)")
        }
        if ending == nil, now.progress < 1 {
            model.complete(at: release)
            steps.append((release, model))
        }
        self.steps = steps
        start = first.time
        // What pointers do once the pages have arrived is of no account.
        let arrival = steps.last { $0.model.end != nil }?.model.end?.time
        end = model.end?.time ?? arrival ?? last.time
        guard end > start, end - start <= GestureRecording.longest else {
            throw OptionError(
                "the gesture takes \(end - start) ms (expected more than 0, at most \(Int(GestureRecording.longest)))"
            )
        }
    }

    /// How long the movement takes, in milliseconds.
    package var length: Double { end - start }

    /// The progress at `part` of the time, 0...1.
    package func callAsFunction(_ part: Double) -> Double {
        let time = start + min(max(part, 0), 1) * (end - start)
        return progress(at: time)
    }

    /// The progress at `time` of the recording's clock, in milliseconds.
    package func progress(at time: Double) -> Double {
        let next = steps.partitioningIndex { !($0.time <= time) }
        return next == 0 ? 0 : steps[next - 1].model.position(at: time).progress
    }
}
