/// A value that is followed over time, to know its speed.
struct GestureHistory: Sendable {
    private(set) var entries: [(time: Double, along: Double, across: Double)] = []

    /// Adds a point, and drops what is older than speeds are measured over.
    mutating func add(_ along: Double, _ across: Double = 0, at time: Double) {
        entries.removeAll { time - $0.time > GestureConstants.speedWindow }
        entries.append((time, along, across))
    }

    /// Whether the speeds rest on enough samples for letting go a page that is still held.
    var isSteady: Bool {
        guard let first = entries.first, let last = entries.last else { return false }
        return entries.count > GestureConstants.escapeSamples && last.time - first.time >= GestureConstants.escapeTime
    }

    /// The speeds between the oldest and the newest point, per second; 0 if no time lies between them.
    var speeds: (along: Double, across: Double) {
        guard let first = entries.first, let last = entries.last, last.time > first.time else { return (0, 0) }
        let seconds = (last.time - first.time) / 1000
        return ((last.along - first.along) / seconds, (last.across - first.across) / seconds)
    }
}

/// One pointer that drags.
struct GestureDrag: Sendable {
    let pointer: Int
    let start: GesturePoint
    /// The progress where it began.
    let base: Double
    var position: GesturePosition
    /// The farthest it has been from where it began, in pixels.
    var travel = 0.0
    var history = GestureHistory()

    /// Whether the pointer has moved far enough for a drag.
    var isDrag: Bool { travel >= GestureConstants.slop }

    init(pointer: Int, at point: GesturePoint, time: Double, base: Double) {
        self.pointer = pointer
        start = point
        self.base = base
        position = GesturePosition(progress: base)
        history.add(point.along, point.across, at: time)
    }

    mutating func follow(_ point: GesturePoint, at time: Double) {
        travel = max(travel, start.distance(to: point))
        history.add(point.along, point.across, at: time)
    }
}

/// Two pointers, or the wheel, that pinch.
struct GesturePinch: Sendable {
    /// The places of both pointers; none for the wheel.
    var points: [Int: GesturePoint]
    /// The distance of both pointers at first, in pixels.
    let startDistance: Double
    let base: Double
    var progress: Double
    /// How far the wheel has turned.
    var wheel = 0.0
    /// When the wheel turned last.
    var wheelTime = 0.0
    /// Follows the progress before it is clamped.
    var history = GestureHistory()
}
