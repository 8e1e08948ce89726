import RealModule

// Two pointers, or the wheel.
extension GestureModel {
    /// Moves a pinch to where the distance is `ratio` times the first one.
    func follow(_ pinch: inout GesturePinch, ratio: Double, at time: Double) {
        let progress = pinch.base + (setting.opens ? ratio - 1 : 1 - ratio)
        pinch.progress = Self.clamped(progress)
        pinch.history.add(progress, at: time)
    }

    mutating func turnWheel(_ sample: GestureSample) {
        guard setting.rule == .pinch else { return }
        var pinch: GesturePinch
        switch state {
        case .pinch(let begun) where begun.points.isEmpty: pinch = begun
        case .rest, .motion:
            let now = position(at: sample.time).progress
            pinch = GesturePinch(points: [:], startDistance: 1, base: now, progress: now)
            pinch.history.add(now, at: sample.time)
        case .drag, .pinch: return
        }
        pinch.wheel += sample.wheel
        pinch.wheelTime = sample.time
        follow(&pinch, ratio: .exp(-pinch.wheel / GestureConstants.wheelScale), at: sample.time)
        state = .pinch(pinch)
    }

    mutating func releasePinch(_ pinch: GesturePinch, at time: Double) {
        let speed = pinch.history.speeds.along
        let half = pinch.progress >= 0.5 ? 1.0 : 0
        let goal = abs(speed) > GestureConstants.pinchSpeed ? (speed > 0 ? 1 : 0) : half
        state = .motion(motion(from: pinch.progress, to: goal, wasMoving: true, at: time))
    }
}
