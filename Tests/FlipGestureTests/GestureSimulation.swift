import FlipGeometry
import FlipGesture
import Foundation

/// The rules of gestures once more, written from their definition: at any time there is a law that says where the pages
/// will be, which every event replaces.
final class GestureSimulation {
    /// What the pages do until the next event: a value for any time from now on.
    private var law: (Double) -> (p: Double, bump: Double)
    private let style: String
    private let look: Look
    private let swipes: Bool
    private let width: Double
    private let height: Double
    private let turn: Double
    private var fingers: [Int: (x: Double, y: Double)] = [:]
    private var ignored: Set<Int> = []
    private var grip: Grip?

    private final class Grip {
        var fingers: [Int]
        let first: (a: Double, c: Double)
        let base: Double
        let gap: Double
        let isWheel: Bool
        var way = 0.0
        var turned = 0.0
        var last = 0.0
        var trail: [(t: Double, a: Double, c: Double)] = []
        init(_ fingers: [Int], _ first: (Double, Double), _ base: Double, gap: Double = 0, isWheel: Bool = false) {
            self.fingers = fingers
            self.first = first
            self.base = base
            self.gap = gap
            self.isWheel = isWheel
        }
    }

    init(_ styled: StyledLook, width: Double, height: Double, turn: Double) {
        law = { _ in (0, 0) }
        style = styled.style.name
        look = styled.look
        swipes = styled.named == "vctransitions"
        (self.width, self.height, self.turn) = (width, height, turn)
    }

    private var isPage: Bool { style == "flip" && !swipes || style == "curl" && look.mode == .book }
    private var isPeel: Bool { style == "curl" && look.mode == .peel }
    private var isPinch: Bool { ["fold", "unfold", "spine-fold"].contains(style) }
    private var long: Double { look.orientation == .horizontal ? width : height }

    /// Along and across, in pixels.
    private func axes(_ x: Double, _ y: Double) -> (a: Double, c: Double) {
        var a = look.orientation == .horizontal ? x * width : y * height
        let c = look.orientation == .horizontal ? y * height : x * width
        if look.direction == .backward { a = long - a }
        return (a, c)
    }

    func value(_ t: Double) -> (p: Double, bump: Double) {
        endWheel(t)
        return law(t)
    }

    // MARK: Curves

    /// The cubic Bézier of CSS, solved by Newton's method from within a bracket.
    private static func bezier(_ x1: Double, _ x2: Double, _ y1: Double, _ y2: Double, _ x: Double) -> Double {
        if x <= 0 { return 0 }
        if x >= 1 { return 1 }
        func at(_ a: Double, _ b: Double, _ s: Double) -> Double {
            ((1 + 3 * a - 3 * b) * s + (3 * b - 6 * a)) * s * s + 3 * a * s
        }
        var s = x
        var (low, high) = (0.0, 1.0)
        for _ in 0..<200 {
            let error = at(x1, x2, s) - x
            if error > 0 { high = s } else { low = s }
            let slope = (3 * (1 + 3 * x1 - 3 * x2) * s + 2 * (3 * x2 - 6 * x1)) * s + 3 * x1
            let newton = s - error / slope
            s = newton > low && newton < high ? newton : (low + high) / 2
        }
        return at(y1, y2, s)
    }
    private static func easeOut(_ x: Double) -> Double { bezier(0, 0.58, 0, 1, x) }
    private static func easeIn(_ x: Double) -> Double { bezier(0.42, 1, 0, 1, x) }

    /// A page that falls from `p` to `q`.
    private func fall(_ p: Double, _ q: Double, at t0: Double, moving: Bool) {
        let left = abs(q - p)
        let turn = turn
        let sign = q > p ? 1.0 : -1
        // The last stage is what remains beyond the half.
        let first = max(0, left - 0.5)
        let last = left - first
        law = { t in
            let passed = t - t0
            if passed >= turn * left { return (q, 0) }
            if passed < turn * first {
                let x = passed / (turn * first)
                return (p + sign * first * (moving ? x : Self.easeIn(x)), 0)
            }
            return (q - sign * last * (1 - Self.easeOut((passed - turn * first) / (turn * last))), 0)
        }
    }

    private func glide(_ p: Double, _ q: Double, at t0: Double, eased: Bool, time: Double) {
        law = { t in
            if t - t0 >= time { return (q, 0) }
            let x = (t - t0) / time
            return (p + (q - p) * (eased ? Self.easeOut(x) : x), 0)
        }
    }

    private func momentum(_ p: Double, _ v: Double, at t0: Double) {
        let v = min(4, max(-4, v))
        let up = v > 0 || v == 0 && p >= 0.5
        let goal = up ? max(1, abs(v)) : -max(1, abs(v))
        let dt = 1.0 / 60
        let turn = turn
        law = { t in
            var (now, speed, clock) = (p, v, t0)
            while now != (up ? 1 : 0) {
                let next = min(1, max(0, now + dt * 1000 / turn * speed))
                if t < clock + dt * 1000 { return (now + (next - now) * (t - clock) / (dt * 1000), 0) }
                now = next
                speed += (goal - speed) * dt / 0.2
                clock += dt * 1000
            }
            return (now, 0)
        }
    }

    // MARK: Events

    func event(_ s: GestureSample) {
        endWheel(s.time)
        let at = axes(s.x, s.y)
        switch s.action {
        case .down: down(s, at)
        case .move: move(s, at)
        case .wheel: wheel(s)
        case .up, .cancel:
            if ignored.contains(s.pointer) {
                ignored.remove(s.pointer)
            } else if let grip, grip.fingers.contains(s.pointer) {
                self.grip = nil
                for finger in grip.fingers where finger != s.pointer { ignored.insert(finger) }
                up(s, at, grip)
            }
        }
    }

    private func down(_ s: GestureSample, _ at: (a: Double, c: Double)) {
        ignored.remove(s.pointer)
        let p = law(s.time).p
        if isPinch, let one = grip, one.fingers.count == 1, one.fingers[0] != s.pointer, !one.isWheel {
            let other = one.trail.last!
            let gap = max(1, hypot(other.a - at.a, other.c - at.c))
            fingers = [one.fingers[0]: (other.a, other.c), s.pointer: (at.a, at.c)]
            let two = Grip([one.fingers[0], s.pointer], (0, 0), p, gap: gap)
            two.trail = [(s.time, p, 0)]
            grip = two
            law = { _ in (p, 0) }
        } else if grip == nil, !(swipes && p != 0 && p != 1) {
            grip = Grip([s.pointer], at, p)
            grip!.trail = [(s.time, at.a, at.c)]
            law = { _ in (p, 0) }
        } else {
            ignored.insert(s.pointer)
        }
    }

    private func speed(_ grip: Grip) -> (a: Double, c: Double) {
        guard let last = grip.trail.last else { return (0, 0) }
        let recent = grip.trail.filter { last.t - $0.t <= 100 }
        let dt = last.t - recent[0].t
        return dt > 0 ? ((last.a - recent[0].a) / dt * 1000, (last.c - recent[0].c) / dt * 1000) : (0, 0)
    }

    private func track(_ grip: Grip, _ at: (a: Double, c: Double)) -> (p: Double, bump: Double) {
        let way = grip.first.a - at.a
        func clamp(_ x: Double) -> Double { x < 0 ? 0 : x > 1 ? 1 : x }
        if isPage {
            let half = max(1, abs(grip.first.a - look.spine * long))
            let beyond = grip.base == 0 && way < 0 || grip.base == 1 && way > 0
            if beyond {
                let k = 1 / (3 * (half + max(2 * half, half + long / 2)))
                let u = k * pow(abs(way), 1.6667)
                return (grip.base, (way < 0 ? -1 : 1) * 0.667 * u / (1 + u) * 0.5)
            }
            return (clamp(grip.base + 0.5 * way / half), 0)
        }
        if isPeel { return (peel(at), 0) }
        if swipes {
            let part = min(0.99, abs(way) / 200)
            return (grip.base == 0 ? part : 1 - part, 0)
        }
        return (clamp(grip.base + way / long), 0)
    }

    /// Where the corner stands at the pointer, by Newton's method on the arc and directly beyond it.
    private func peel(_ at: (a: Double, c: Double)) -> Double {
        let wide = look.orientation == .horizontal ? height : width
        let angle = look.angle * Double.pi / 180
        let n = (a: cos(angle), c: sin(angle))
        let r = look.radius * long
        let hi = long * n.a + (look.angle >= 0 ? wide * n.c : 0)
        let lo = (look.angle >= 0 ? 0 : wide * n.c) - 2.2 * r
        let back = hi - (at.a * n.a + at.c * n.c)
        if back <= 0 { return 0 }
        // Beyond the arc, the corner has come back by 2 s - pi r.
        if back >= Double.pi * r { return min(1, (back + Double.pi * r) / 2 / (hi - lo)) }
        // On it, by s - r sin(s / r).
        var (low, high) = (0.0, Double.pi)
        for _ in 0..<100 {
            let middle = (low + high) / 2
            if middle - sin(middle) < back / r { low = middle } else { high = middle }
        }
        return min(1, low * r / (hi - lo))
    }

    private func move(_ s: GestureSample, _ at: (a: Double, c: Double)) {
        guard let grip, grip.fingers.contains(s.pointer) else { return }
        if grip.fingers.count == 2 {
            fingers[s.pointer] = (at.a, at.c)
            let (one, two) = (fingers[grip.fingers[0]]!, fingers[grip.fingers[1]]!)
            pinch(grip, hypot(one.x - two.x, one.y - two.y) / grip.gap, s.time)
            return
        }
        grip.way = max(grip.way, hypot(at.a - grip.first.a, at.c - grip.first.c))
        grip.trail.append((s.time, at.a, at.c))
        let now = track(grip, at)
        law = { _ in now }
        let v = speed(grip)
        let recent = grip.trail.filter { s.time - $0.t <= 100 }
        let isSteady = recent.count >= 4 && s.time - recent[0].t >= 30
        if isSteady, isPage || isPeel, grip.way >= 10, now.bump == 0, abs(v.a) > 650, abs(v.a) >= abs(v.c) {
            ignored.insert(s.pointer)
            self.grip = nil
            fall(now.p, v.a < 0 ? 1 : 0, at: s.time, moving: true)
        }
    }

    private func pinch(_ grip: Grip, _ ratio: Double, _ t: Double) {
        let p = grip.base + (style == "unfold" ? ratio - 1 : 1 - ratio)
        grip.trail.append((t, p, 0))
        let shown = min(1, max(0, p))
        law = { _ in (shown, 0) }
    }

    private func wheel(_ s: GestureSample) {
        guard isPinch, grip == nil || grip!.isWheel else { return }
        if grip == nil {
            grip = Grip([], (0, 0), law(s.time).p, isWheel: true)
            grip!.trail = [(s.time, grip!.base, 0)]
        }
        grip!.turned += s.wheel
        grip!.last = s.time
        pinch(grip!, exp(-grip!.turned / 100), s.time)
    }

    private func endWheel(_ t: Double) {
        guard let grip, grip.isWheel, t >= grip.last + 200 else { return }
        self.grip = nil
        letGo(grip, law(grip.last).p, at: grip.last + 200)
    }

    /// The release of a pinch.
    private func letGo(_ grip: Grip, _ p: Double, at t: Double) {
        let v = speed(grip).a
        let q = abs(v) > 1 ? (v > 0 ? 1.0 : 0) : p >= 0.5 ? 1 : 0
        glide(p, q, at: t, eased: true, time: turn * abs(q - p))
    }

    private func up(_ s: GestureSample, _ at: (a: Double, c: Double), _ grip: Grip) {
        let p = law(s.time).p
        let home = grip.base.rounded()
        if grip.fingers.count == 2 {
            if s.action == .cancel { return glide(p, home, at: s.time, eased: true, time: turn * abs(home - p)) }
            return letGo(grip, p, at: s.time)
        }
        var now = law(s.time)
        if s.action == .up {
            grip.way = max(grip.way, hypot(at.a - grip.first.a, at.c - grip.first.c))
            grip.trail.append((s.time, at.a, at.c))
            if grip.way >= 10 { now = track(grip, at) }
        }
        if now.bump != 0 {
            let (t0, time) = (s.time, turn * abs(now.bump))
            law = { t in (now.p, t - t0 >= time ? 0 : now.bump * (1 - Self.easeOut((t - t0) / time))) }
        } else if s.action == .cancel {
            settle(now.p, home, at: s.time)
        } else if grip.way >= 10 || !tap(s, at, grip) {
            free(now.p, grip, at: s.time)
        }
    }

    private func settle(_ p: Double, _ q: Double, at t: Double) {
        if isPage || isPeel { return fall(p, q, at: t, moving: true) }
        if isPinch || swipes { return glide(p, q, at: t, eased: true, time: turn * abs(q - p)) }
        if p == q { law = { _ in (q, 0) } } else { momentum(p, q > p ? 1 : -1, at: t) }
    }

    private func free(_ p: Double, _ grip: Grip, at t: Double) {
        let v = grip.way >= 10 ? speed(grip) : (a: 0, c: 0)
        let half = p >= 0.5 ? 1.0 : 0
        if isPage || isPeel {
            let isFast = abs(v.a) > 125 && abs(v.a) >= abs(v.c)
            fall(p, isFast ? (v.a < 0 ? 1 : 0) : half, at: t, moving: true)
        } else if isPinch {
            let q = abs(v.a / long) > 1 ? (v.a < 0 ? 1.0 : 0) : half
            glide(p, q, at: t, eased: true, time: turn * abs(q - p))
        } else if swipes {
            let part = abs(p - grip.base)
            let q = part > 0.5 ? 1 - grip.base : grip.base
            glide(p, q, at: t, eased: false, time: part > 0.5 ? turn : turn * part / (1 - part))
        } else {
            momentum(p, -v.a / long * turn / 1000, at: t)
        }
    }

    private func tap(_ s: GestureSample, _ at: (a: Double, c: Double), _ grip: Grip) -> Bool {
        if style == "spine-fold" {
            let p = min(1, max(0, grip.base + (at.a < long / 2 ? -7.5 : 7.5) / 180))
            law = { _ in (p, 0) }
            return true
        }
        guard isPage || isPeel, grip.base == 0 || grip.base == 1, at.a > long - 44 || at.a < 44 else { return false }
        let q = at.a > long - 44 ? 1.0 : 0
        if q != grip.base {
            fall(grip.base, q, at: s.time, moving: false)
        } else if isPage {
            let (t0, time, sign) = (s.time, turn / 6, q == 0 ? -1.0 : 1)
            law = { t in
                let x = (t - t0) / time
                if x >= 2 { return (q, 0) }
                return (q, sign / 6 * (x < 1 ? Self.easeOut(x) : 1 - Self.easeIn(x - 1)))
            }
        } else {
            law = { _ in (q, 0) }
        }
        return true
    }
}
