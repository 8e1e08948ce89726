import FlipGeometry

/// How pages go on when nobody holds them: one leg after the other.
struct GestureMotion: Sendable {
    /// A part of the way, from one value to another.
    struct Leg: Sendable {
        /// In milliseconds, at least 0.
        var duration: Double
        var from: Double
        var to: Double
        var easing = Easing.linear
    }

    /// When it began, in milliseconds.
    let start: Double
    let legs: [Leg]
    /// The position for a value of a leg: the progress, or the bump at this progress.
    let bumpsAt: Double?

    init(start: Double, _ legs: [Leg], bumpsAt: Double? = nil) {
        (self.start, self.legs, self.bumpsAt) = (start, legs, bumpsAt)
    }

    /// When it ends, in milliseconds.
    var end: Double { legs.reduce(start) { $0 + $1.duration } }

    /// Where it ends.
    var goal: Double { bumpsAt ?? legs.last?.to ?? 0 }

    func position(at time: Double) -> GesturePosition {
        var begin = start
        var value = legs.last?.to ?? 0
        for leg in legs {
            if time < begin + leg.duration {
                let part = max(0, time - begin) / leg.duration
                value = leg.from + (leg.to - leg.from) * leg.easing(part)
                break
            }
            begin += leg.duration
        }
        if let bumpsAt { return GesturePosition(progress: bumpsAt, bump: value) }
        return GesturePosition(progress: value)
    }

    // MARK: The motions of the rules

    /// A page that falls to `goal`: each stage takes half the duration. It goes on evenly if it was moving, and the
    /// last stage is eased out.
    static func page(
        from progress: Double, to goal: Double, wasMoving: Bool, at time: Double, duration: Double
    ) -> GestureMotion {
        let stages = 2 * abs(goal - progress)
        if stages <= 1 {
            return GestureMotion(
                start: time, [Leg(duration: duration / 2 * stages, from: progress, to: goal, easing: .easeOut)])
        }
        return GestureMotion(
            start: time,
            [
                Leg(
                    duration: duration / 2 * (stages - 1), from: progress, to: 0.5,
                    easing: wasMoving ? .linear : .easeIn),
                Leg(duration: duration / 2, from: 0.5, to: goal, easing: .easeOut),
            ])
    }

    /// A card that keeps its speed, in whole turns per duration, clamped; it approaches its target, which is at least
    /// the minimum.
    static func card(
        from progress: Double, speed released: Double, at time: Double, duration: Double
    ) -> GestureMotion {
        let limits = GestureConstants.cardSpeeds
        var speed = min(max(released, -limits.upperBound), limits.upperBound)
        let isForward = speed == 0 ? progress >= 0.5 : speed > 0
        let target = max(abs(speed), limits.lowerBound) * (isForward ? 1 : -1)
        let goal = isForward ? 1.0 : 0
        // A card that is there already stays.
        var legs = [Leg(duration: 0, from: progress, to: progress)]
        var value = progress
        while value != goal {
            let step = GestureConstants.cardStep
            let next = min(max(value + step * 1000 / duration * speed, 0), 1)
            legs.append(Leg(duration: step * 1000, from: value, to: next))
            value = next
            speed += (target - speed) * step / GestureConstants.cardSettling
        }
        return GestureMotion(start: time, legs)
    }

    /// A swipe that came `part` of its way: it completes or goes back, at the speed 1 - `part`.
    static func swipe(from base: Double, part: Double, at time: Double, duration: Double) -> GestureMotion {
        let sign = base == 0 ? 1.0 : -1
        let completes = part > GestureConstants.swipeHalf
        let way = completes ? 1 - part : part
        return GestureMotion(
            start: time,
            [Leg(duration: way / (1 - part) * duration, from: base + sign * part, to: completes ? base + sign : base)])
    }

    /// A fold that goes to `goal`, eased out.
    static func pinch(from progress: Double, to goal: Double, at time: Double, duration: Double) -> GestureMotion {
        GestureMotion(
            start: time, [Leg(duration: duration * abs(goal - progress), from: progress, to: goal, easing: .easeOut)])
    }

    /// A page with nothing on its other side, at `progress` 0 or 1, that falls back from `bump`.
    static func fallBack(from bump: Double, of progress: Double, at time: Double, duration: Double) -> GestureMotion {
        GestureMotion(
            start: time, [Leg(duration: duration * abs(bump), from: bump, to: 0, easing: .easeOut)], bumpsAt: progress)
    }

    /// The same page, lifted by a tap.
    static func tapBump(of progress: Double, at time: Double, duration: Double) -> GestureMotion {
        let height = GestureConstants.tapBump / 2
        let signed = progress == 0 ? -height : height
        return GestureMotion(
            start: time,
            [
                Leg(duration: duration * height, from: 0, to: signed, easing: .easeOut),
                Leg(duration: duration * height, from: signed, to: 0, easing: .easeIn),
            ], bumpsAt: progress)
    }
}
