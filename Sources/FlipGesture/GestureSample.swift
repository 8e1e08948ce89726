/// One event of a pointer: the finger, pen or mouse that turns a page.
package struct GestureSample: Sendable, Equatable {
    /// What the pointer did.
    package enum Action: String, Sendable, CaseIterable {
        case down, move, up
        /// The system took the pointer away; the page springs back.
        case cancel
        /// The wheel turned while the control key was held, which is how browsers report a pinch on a touch pad.
        case wheel
    }

    /// When it happened, in milliseconds of any clock that never goes back.
    package var time: Double
    /// Which pointer, of those that are down at the same time.
    package var pointer: Int
    package var action: Action
    /// The place in fractions of the frame: 0...1 within it, y downward. It may lie outside.
    package var x: Double
    package var y: Double
    /// How far the wheel turned, in CSS pixels, positive toward the user; 0 for other actions.
    package var wheel: Double

    package init(time: Double, pointer: Int = 1, _ action: Action, x: Double, y: Double, wheel: Double = 0) {
        (self.time, self.pointer, self.action, self.x) = (time, pointer, action, x)
        (self.y, self.wheel) = (y, wheel)
    }
}

/// Where the pages are.
package struct GesturePosition: Sendable, Equatable {
    /// The transition's progress, 0...1.
    package var progress: Double
    /// How far a page is lifted that has nothing on its other side, in whole turns: less than 0 for the first page,
    /// which is lifted against the motion, more than 0 for the last one. Its absolute value is below 1/3.
    package var bump = 0.0

    package init(progress: Double, bump: Double = 0) { (self.progress, self.bump) = (progress, bump) }
}
