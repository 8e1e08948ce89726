/// How a frame is turned: where its axes lie, in a frame that is one of the eight mirrored and turned forms of it.
package struct FrameTurn: Sendable, Hashable {
    /// Whether the frame's x axis is the other one's y axis.
    package var swapsAxes: Bool
    /// Whether the frame's x axis, and its y axis, run against the axes of the other one on which they lie.
    package var reversesX: Bool
    package var reversesY: Bool

    package init(swapsAxes: Bool, reversesX: Bool, reversesY: Bool) {
        (self.swapsAxes, self.reversesX, self.reversesY) = (swapsAxes, reversesX, reversesY)
    }

    package static let none = FrameTurn(swapsAxes: false, reversesX: false, reversesY: false)
}

extension StyledLook {
    /// The look that draws in a turned frame, from turned pictures, what this one draws in the frame itself.
    ///
    /// A scene depends on x and y by the motion's axis and direction and by the camera alone, and on what is across the
    /// motion by the angle of a sheet that bends.
    package func turned(_ turn: FrameTurn) -> StyledLook {
        if turn == .none { return self }
        var look = look
        let isHorizontal = look.orientation == .horizontal
        let (reversesAlong, reversesAcross) =
            isHorizontal ? (turn.reversesX, turn.reversesY) : (turn.reversesY, turn.reversesX)
        if turn.swapsAxes { look.orientation = isHorizontal ? .vertical : .horizontal }
        if reversesAlong { look.direction = look.direction == .forward ? .backward : .forward }
        if reversesAcross { look.angle = -look.angle }
        let x = turn.reversesX ? 1 - look.viewpoint.x : look.viewpoint.x
        let y = turn.reversesY ? 1 - look.viewpoint.y : look.viewpoint.y
        look.viewpoint = turn.swapsAxes ? Viewpoint(x: y, y: x) : Viewpoint(x: x, y: y)
        var copy = self
        copy.look = look
        return copy
    }
}
