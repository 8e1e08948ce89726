/// What the camera sees at one moment of a transition: panels over a background (EFFECTS 1).
///
/// Positions are luma pixels along the motion axis (0...length) and across it (0...breadth). `orientation` says which
/// of them is x: the rest of a scene does not depend on it.
package struct Scene: Sendable, Equatable {
    package var orientation: Orientation
    /// The frame's extent along the motion axis.
    package var length: Double
    /// The frame's extent across the motion axis.
    package var breadth: Double
    package var camera: Camera
    package var panels: [Panel]
    /// A soft shadow painted over the background, behind every panel.
    package var softShadow: SoftShadow?
}

/// A camera that looks down on the screen from above its foot point.
package struct Camera: Sendable, Equatable {
    /// The foot point along the motion axis and across it, in luma pixels.
    package var along: Double
    package var across: Double
    /// Height above the screen in luma pixels, greater than 0; infinite without perspective.
    package var height: Double
}

/// A box blurred by a Gaussian (EFFECTS 6).
package struct SoftShadow: Sendable, Equatable {
    package var along: ClosedRange<Double>
    package var across: ClosedRange<Double>
    /// Standard deviation of the blur in luma pixels.
    package var deviation: Double
    /// The shade in the middle of a box much larger than the blur, 0...1.5; clamped to 1 where it is painted.
    package var opacity: Double
}

/// A frame's size in luma pixels.
package struct Stage: Sendable, Equatable {
    package var width: Double
    package var height: Double

    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

extension Scene {
    /// The scene that `style` shows at `progress` (0...1, after easing) with the given look.
    package init(style: any TransitionStyle, look: Look, stage: Stage, progress: Double) {
        let horizontal = look.orientation == .horizontal
        let length = horizontal ? stage.width : stage.height
        let breadth = horizontal ? stage.height : stage.width
        let set = style.set(at: progress, look: look, length: length, breadth: breadth)
        self.init(
            orientation: look.orientation, length: length, breadth: breadth,
            camera: Camera(
                along: (horizontal ? look.viewpoint.x : look.viewpoint.y) * length,
                across: (horizontal ? look.viewpoint.y : look.viewpoint.x) * breadth,
                height: look.perspective == 0 ? .infinity : look.perspective * set.pageLength),
            panels: set.panels, softShadow: set.softShadow)
        if look.direction == .backward { mirror() }
    }

    /// Mirrors the geometry along the motion axis; the pictures and the camera stay as they are.
    private mutating func mirror() {
        for index in panels.indices {
            let panel = panels[index]
            panels[index].cut = (length - panel.cut.upperBound)...(length - panel.cut.lowerBound)
            // position'(s) = length - position(length - s), height'(s) = height(length - s)
            panels[index].position = Line(
                constant: length - panel.position(length), slope: panel.position.slope)
            panels[index].height = Line(constant: panel.height(length), slope: -panel.height.slope)
            panels[index].shade = panel.shade.mirrored(length: length)
            panels[index].cornerRadius = (lower: panel.cornerRadius.upper, upper: panel.cornerRadius.lower)
        }
        if let shadow = softShadow {
            softShadow!.along = (length - shadow.along.upperBound)...(length - shadow.along.lowerBound)
        }
    }
}
