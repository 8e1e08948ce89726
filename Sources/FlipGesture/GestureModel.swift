/// Turns what pointers do into the progress of a transition. It has no clock: samples carry their times, and the
/// position at any time from the last sample on follows from them alone.
package struct GestureModel: Sendable {
    enum State: Sendable {
        case rest(Double)
        case drag(GestureDrag)
        case pinch(GesturePinch)
        case motion(GestureMotion)
    }

    let setting: GestureSetting
    var state: State
    /// Pointers that are down but have no say any more, until they are up.
    var spent: Set<Int> = []

    /// Pages that rest at `progress`, 0...1.
    package init(_ setting: GestureSetting, at progress: Double = 0) {
        self.setting = setting
        state = .rest(progress)
    }

    // MARK: Reading

    /// The position at `time`, in milliseconds, which is not before the last sample.
    package func position(at time: Double) -> GesturePosition {
        switch settled(by: time).state {
        case .rest(let progress): GesturePosition(progress: progress)
        case .drag(let drag): drag.position
        case .pinch(let pinch): GesturePosition(progress: pinch.progress)
        case .motion(let motion): motion.position(at: time)
        }
    }

    /// Whether a pointer holds the pages.
    package var isHeld: Bool {
        switch state {
        case .drag, .pinch: true
        case .rest, .motion: false
        }
    }

    /// Whether the position will change without a further sample after `time`.
    package func isMoving(at time: Double) -> Bool {
        switch settled(by: time).state {
        case .motion: true
        case .pinch(let pinch): pinch.points.isEmpty
        case .rest, .drag: false
        }
    }

    /// When the motion ends that goes on by itself, and where; nil if there is none.
    package var end: (time: Double, progress: Double)? {
        switch state {
        case .motion(let motion): (motion.end, motion.goal)
        case .rest, .drag, .pinch: nil
        }
    }

    /// The model at `time`: motions have ended that end before, and so has a pinch of the wheel.
    private func settled(by time: Double) -> GestureModel {
        var copy = self
        if case .pinch(let pinch) = state, pinch.points.isEmpty {
            let release = pinch.wheelTime + GestureConstants.wheelPause
            if time >= release { copy.releasePinch(pinch, at: release) }
        }
        if case .motion(let motion) = copy.state, time >= motion.end { copy.state = .rest(motion.goal) }
        return copy
    }

    /// Lets all that has ended by `time` be over.
    package mutating func settle(by time: Double) { self = settled(by: time) }

    // MARK: Samples

    /// Adds what a pointer did. Its time is not before that of the last sample.
    package mutating func add(_ sample: GestureSample) {
        settle(by: sample.time)
        let point = setting.point(sample)
        switch sample.action {
        case .down: press(sample, point)
        case .move: move(sample, point)
        case .up, .cancel:
            if spent.remove(sample.pointer) != nil { return }
            lift(sample, point)
        case .wheel: turnWheel(sample)
        }
    }

    /// Completes the transition from where it is at `time`, as Enter does and the end of a recording.
    package mutating func complete(at time: Double) { finish(to: 1, at: time) }

    /// Takes the transition back from where it is at `time`, as Escape does.
    package mutating func cancel(at time: Double) { finish(to: 0, at: time) }

    /// Goes to `progress` at once.
    package mutating func jump(to progress: Double) { state = .rest(progress) }

    private mutating func finish(to goal: Double, at time: Double) {
        let now = position(at: time).progress
        spendAll()
        state = .motion(motion(from: now, to: goal, wasMoving: now > 0 && now < 1, at: time))
    }

    /// Leaves all pointers that are down without a say.
    private mutating func spendAll() {
        switch state {
        case .drag(let drag): spent.insert(drag.pointer)
        case .pinch(let pinch): spent.formUnion(pinch.points.keys)
        case .rest, .motion: break
        }
    }

    private mutating func press(_ sample: GestureSample, _ point: GesturePoint) {
        spent.remove(sample.pointer)
        let now = position(at: sample.time).progress
        if case .drag(let drag) = state, setting.rule == .pinch, drag.pointer != sample.pointer {
            let last = drag.history.entries.last.map { GesturePoint(along: $0.along, across: $0.across) }
            let other = last ?? drag.start
            var pinch = GesturePinch(
                points: [drag.pointer: other, sample.pointer: point], startDistance: max(1, other.distance(to: point)),
                base: now, progress: now)
            pinch.history.add(now, at: sample.time)
            state = .pinch(pinch)
            return
        }
        // A swipe that goes on by itself can't be grabbed, and a further pointer has no say.
        let isFree = setting.rule != .swipe || now == 0 || now == 1
        guard !isHeld, isFree else {
            spent.insert(sample.pointer)
            return
        }
        state = .drag(GestureDrag(pointer: sample.pointer, at: point, time: sample.time, base: now))
    }

    private mutating func move(_ sample: GestureSample, _ point: GesturePoint) {
        switch state {
        case .drag(var drag) where drag.pointer == sample.pointer:
            drag.follow(point, at: sample.time)
            drag.position = position(of: drag, at: point)
            state = .drag(drag)
            escape(drag, at: sample.time)
        case .pinch(var pinch) where pinch.points[sample.pointer] != nil:
            pinch.points[sample.pointer] = point
            let ends = pinch.points.sorted { $0.key < $1.key }.map(\.value)
            follow(&pinch, ratio: ends[0].distance(to: ends[1]) / pinch.startDistance, at: sample.time)
            state = .pinch(pinch)
        case .rest, .motion, .drag, .pinch: break
        }
    }

    private mutating func lift(_ sample: GestureSample, _ point: GesturePoint) {
        switch state {
        case .drag(var drag) where drag.pointer == sample.pointer:
            if sample.action == .cancel { return springBack(drag, at: sample.time) }
            drag.follow(point, at: sample.time)
            if drag.isDrag { drag.position = position(of: drag, at: point) }
            release(drag, at: point, time: sample.time)
        case .pinch(let pinch) where pinch.points[sample.pointer] != nil:
            spent.formUnion(pinch.points.keys)
            spent.remove(sample.pointer)
            if sample.action == .up { return releasePinch(pinch, at: sample.time) }
            state = .motion(motion(from: pinch.progress, to: pinch.base.rounded(), wasMoving: true, at: sample.time))
        case .rest, .motion, .drag, .pinch: break
        }
    }

    /// The motion to `goal` of pages that nobody holds any more.
    func motion(from progress: Double, to goal: Double, wasMoving: Bool, at time: Double) -> GestureMotion {
        switch setting.rule {
        case .page, .peel:
            return .page(from: progress, to: goal, wasMoving: wasMoving, at: time, duration: setting.duration)
        case .card:
            // The least speed toward the goal.
            let speed = GestureConstants.cardSpeeds.lowerBound * (goal >= 0.5 ? 1 : -1)
            return .card(from: progress, speed: speed, at: time, duration: setting.duration)
        case .swipe, .pinch:
            return .pinch(from: progress, to: goal, at: time, duration: setting.duration)
        }
    }
}
