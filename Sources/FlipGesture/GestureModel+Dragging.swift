import RealModule

// One pointer.
extension GestureModel {
    func position(of drag: GestureDrag, at point: GesturePoint) -> GesturePosition {
        let way = drag.start.along - point.along
        switch setting.rule {
        case .page:
            let reach = max(1, abs(drag.start.along - setting.spine))
            if drag.base == 0, way < 0 { return GesturePosition(progress: 0, bump: -band(way: -way, half: reach)) }
            if drag.base == 1, way > 0 { return GesturePosition(progress: 1, bump: band(way: way, half: reach)) }
            return GesturePosition(progress: setting.progress(from: drag.base, way: way, reach: reach))
        case .peel: return GesturePosition(progress: setting.peel.progress(at: point))
        case .card, .pinch: return GesturePosition(progress: Self.clamped(drag.base + way / setting.extent))
        case .swipe:
            let part = Self.swiped(way)
            return GesturePosition(progress: drag.base == 0 ? part : 1 - part)
        }
    }

    static func clamped(_ progress: Double) -> Double { min(max(progress, 0), 1) }

    private static func swiped(_ way: Double) -> Double {
        min(GestureConstants.swipeLimit, abs(way) / GestureConstants.swipeWay)
    }

    /// How far a rubber band gives way, in whole turns.
    private func band(way: Double, half: Double) -> Double {
        let longer = half + max(2 * half, half + setting.extent / 2)
        let strain = Double.pow(way, GestureConstants.bandPower) / (GestureConstants.bandStiffness * longer)
        return GestureConstants.bandLimit * strain / (1 + strain) / 2
    }

    /// Lets a page go that is dragged fast enough.
    mutating func escape(_ drag: GestureDrag, at time: Double) {
        guard setting.rule == .page || setting.rule == .peel, drag.isDrag, drag.position.bump == 0,
            drag.history.isSteady
        else { return }
        let speeds = drag.history.speeds
        guard abs(speeds.along) > GestureConstants.escapeSpeed, abs(speeds.along) >= abs(speeds.across) else { return }
        spent.insert(drag.pointer)
        state = .motion(motion(from: drag.position.progress, to: speeds.along < 0 ? 1 : 0, wasMoving: true, at: time))
    }

    mutating func springBack(_ drag: GestureDrag, at time: Double) {
        if drag.position.bump != 0 { return fallBack(drag, at: time) }
        state = .motion(motion(from: drag.position.progress, to: drag.base.rounded(), wasMoving: true, at: time))
    }

    private mutating func fallBack(_ drag: GestureDrag, at time: Double) {
        state = .motion(
            .fallBack(from: drag.position.bump, of: drag.position.progress, at: time, duration: setting.duration))
    }

    mutating func release(_ drag: GestureDrag, at point: GesturePoint, time: Double) {
        if drag.position.bump != 0 { return fallBack(drag, at: time) }
        if !drag.isDrag, tap(drag, at: point, time: time) { return }
        let progress = drag.position.progress
        let speeds = drag.isDrag ? drag.history.speeds : (along: 0, across: 0)
        let half = progress >= 0.5 ? 1.0 : 0
        switch setting.rule {
        case .page, .peel:
            let decides =
                abs(speeds.along) > GestureConstants.decidingSpeed && abs(speeds.along) >= abs(speeds.across)
            let goal = decides ? (speeds.along < 0 ? 1 : 0) : half
            state = .motion(motion(from: progress, to: goal, wasMoving: true, at: time))
        case .card:
            let speed = -speeds.along / setting.extent * setting.duration / 1000
            state = .motion(.card(from: progress, speed: speed, at: time, duration: setting.duration))
        case .swipe:
            state = .motion(
                .swipe(from: drag.base, part: abs(progress - drag.base), at: time, duration: setting.duration))
        case .pinch:
            let speed = -speeds.along / setting.extent
            let goal = abs(speed) > GestureConstants.pinchSpeed ? (speed > 0 ? 1 : 0) : half
            state = .motion(motion(from: progress, to: goal, wasMoving: true, at: time))
        }
    }

    /// Does what a tap does, if it does anything.
    private mutating func tap(_ drag: GestureDrag, at point: GesturePoint, time: Double) -> Bool {
        if let step = setting.tapStep {
            let isForward = point.along >= setting.extent / 2
            state = .rest(Self.clamped(drag.base + (isForward ? step : -step)))
            return true
        }
        guard setting.rule == .page || setting.rule == .peel, drag.base == 0 || drag.base == 1 else { return false }
        let isForward = point.along > setting.extent - GestureConstants.edgeMargin
        guard isForward || point.along < GestureConstants.edgeMargin else { return false }
        let goal = isForward ? 1.0 : 0
        if goal != drag.base {
            state = .motion(motion(from: drag.base, to: goal, wasMoving: false, at: time))
        } else if setting.rule == .page {
            state = .motion(.tapBump(of: goal, at: time, duration: setting.duration))
        } else {
            state = .rest(drag.base)
        }
        return true
    }
}
