import RealModule

/// What the camera sees at one moment of a transition: sheets over a background (EFFECTS 1).
///
/// Positions are luma pixels along the motion axis (0...length) and across it (0...breadth). `orientation` says which
/// of them is x; nothing else in a scene depends on it.
package struct Scene: Sendable, Equatable {
    package var orientation: Orientation
    /// The frame's extent along the motion axis, in luma pixels.
    package var length: Double
    /// The frame's extent across the motion axis, in luma pixels.
    package var breadth: Double
    package var camera: Camera
    /// The scale about the frame's center at which a tilted bent sheet and the sheets beneath it are seen; 1 in other
    /// scenes, in which everything is placed with its scale.
    package private(set) var scale = 1.0
    private var placed = SceneSet()

    /// What a scene consists of.
    package enum Contents {
        case sheets([Sheet])
        case fade(Fade)
    }

    package var contents: Contents { placed.fade.map(Contents.fade) ?? .sheets(placed.sheets) }
    package var sheets: [Sheet] { placed.sheets }
    /// The number of samples by which a sheet's texture may slide across the motion within a sample.
    package var maxSlide: Double { placed.maxSlide }
    /// A soft shadow painted over the background, behind every sheet.
    package var softShadow: SoftShadow? { placed.softShadow }
    /// The sheet that bends above the others; nil if there is none.
    package var bentSheet: Sheet? { placed.sheets.first { $0.plane == nil } }
    /// Whether light shines on a sheet that bends.
    package var hasGloss: Bool { (bentSheet?.bend?.strength ?? bentSheet?.leaf?.strength ?? 0) > 0 }
    /// Whether what is seen of the bent sheet depends on the position along the motion alone: the contact line is
    /// perpendicular to it, and nowhere does the camera look past the page's sides below the flat back, where its
    /// shadow depends on both.
    package var bendsStraight: Bool {
        guard let bend = bentSheet?.bend, bend.isStraight else { return false }
        return (0...breadth).contains(camera.across) || bend.strength == 0
    }
    /// Two sources that are mixed in place instead of all else; nil if there is none.
    package var fade: Fade? { placed.fade }
}

/// A camera that looks straight down at the screen.
package struct Camera: Sendable, Equatable {
    /// The point of the screen below the camera, along the motion axis and across it, in luma pixels.
    package var along: Double
    package var across: Double
    /// Height above the screen in luma pixels, greater than 0; infinite without perspective.
    package var height: Double
}

/// A soft shadow: a box blurred by a Gaussian (EFFECTS 6).
public struct SoftShadow: Sendable, Equatable {
    /// The box's extent along the motion axis, in luma pixels.
    public var along: ClosedRange<Double>
    /// The box's extent across the motion axis, in luma pixels.
    public var across: ClosedRange<Double>
    /// The standard deviation of the blur in luma pixels, greater than 0.
    public var deviation: Double
    /// The shade in the middle of a box much larger than the blur, 0...1.5; the painted shade is clamped to 1.
    public var opacity: Double

    /// A shadow with these properties.
    public init(along: ClosedRange<Double>, across: ClosedRange<Double>, deviation: Double, opacity: Double) {
        (self.along, self.across, self.deviation, self.opacity) = (along, across, deviation, opacity)
    }
}

/// A frame's size in luma pixels.
package struct Stage: Sendable, Equatable {
    package var width: Double
    package var height: Double

    package init(width: Double, height: Double) { (self.width, self.height) = (width, height) }
}

extension Scene {
    /// An empty scene.
    package init() {
        orientation = .horizontal
        (length, breadth) = (0, 0)
        camera = Camera(along: 0, across: 0, height: .infinity)
    }

    /// The scene that `style` shows at `progress` (0...1, after easing) with the given look.
    package init(style: any TransitionStyle, look: Look, stage: Stage, progress: Double) {
        self.init()
        show(style, look: look, stage: stage, progress: progress)
    }

    /// Replaces the scene with the one that `style` shows, reusing the storage.
    package mutating func show(_ style: any TransitionStyle, look: Look, stage: Stage, progress: Double) {
        let horizontal = look.orientation == .horizontal
        orientation = look.orientation
        length = horizontal ? stage.width : stage.height
        breadth = horizontal ? stage.height : stage.width
        placed.clear()
        style.place(on: &placed, at: progress, look: look, length: length, breadth: breadth)
        placed.confine(to: length)
        camera = Camera(
            along: look.viewpointAlong * length,
            across: (horizontal ? look.viewpoint.y : look.viewpoint.x) * breadth,
            height: look.perspective == 0 ? .infinity : look.perspective * placed.pageLength)
        // A camera that is not above the sheet sees nothing of it.
        placed.sheets.removeAll {
            ($0.bend?.radius ?? 0) * 2 * StyledLook.leastHeightOverPage > camera.height * (1 + 1e-9)
        }
        if look.direction == .backward { mirror() }
        scale = 1
        if style.options.contains(.pullBack) && !style.pullsBackItself && look.pullBack < 1 {
            let wave = Double.sin(.pi * progress)
            stepBack(to: 1 - (1 - look.pullBack) * wave * wave)
        }
    }

    /// Replaces the scene with flat sheets, which `place` adds to an empty set, reusing the storage.
    package mutating func showFlat(stage: Stage, _ orientation: Orientation, place: (inout SceneSet) -> Void) {
        self.orientation = orientation
        length = orientation == .horizontal ? stage.width : stage.height
        breadth = orientation == .horizontal ? stage.height : stage.width
        placed.clear()
        place(&placed)
        camera = Camera(along: length / 2, across: breadth / 2, height: .infinity)
        scale = 1
    }

    /// Scales the finished scene about the frame's center (EFFECTS 9): everything in it and the camera.
    private mutating func stepBack(to scale: Double) {
        if bentSheet?.bend != nil && !bendsStraight {
            self.scale = scale
            return
        }
        for index in placed.sheets.indices { placed.sheets[index].scale(by: scale, about: length / 2) }
        placed.softShadow?.scale(by: scale, about: length / 2, breadth / 2)
        camera.along = length / 2 + scale * (camera.along - length / 2)
        camera.across = breadth / 2 + scale * (camera.across - breadth / 2)
        camera.height *= scale
    }

    /// The light on sheets: all of it, only the gloss of bent ones, or none.
    package enum LightPart: Sendable { case all, gloss, none }

    /// Removes the light on all sheets but a part of it; the soft shadow stays.
    package mutating func keepLight(_ part: LightPart) {
        if part == .all { return }
        for index in placed.sheets.indices { placed.sheets[index].keepLight(part) }
    }

    /// Mirrors the geometry along the motion axis; the pictures and the camera stay as they are.
    private mutating func mirror() {
        for index in placed.sheets.indices { placed.sheets[index].mirror(length: length) }
        if let ramp = placed.fade?.ramp { placed.fade!.ramp = ramp.mirrored(length: length) }
        if let shadow = placed.softShadow {
            placed.softShadow!.along = (length - shadow.along.upperBound)...(length - shadow.along.lowerBound)
        }
    }
}

extension SoftShadow {
    /// Scales the shadow about a point of the frame.
    fileprivate mutating func scale(by scale: Double, about along: Double, _ across: Double) {
        let scaled = { (range: ClosedRange<Double>, center: Double) in
            (center + scale * (range.lowerBound - center))...(center + scale * (range.upperBound - center))
        }
        (self.along, self.across) = (scaled(self.along, along), scaled(self.across, across))
        deviation *= scale
    }
}

extension Sheet {
    /// Scales the sheet in space about the frame's center, which lies at `center` along the motion.
    fileprivate mutating func scale(by scale: Double, about center: Double) {
        switch placement {
        case .plane(var plane):
            plane.position = Line(
                constant: center + scale * (plane.position.constant - center), slope: scale * plane.position.slope)
            plane.height = Line(constant: scale * plane.height.constant, slope: scale * plane.height.slope)
            plane.acrossScale *= scale
            placement = .plane(plane)
        case .bent(var bend):
            bend.scale(by: scale, about: center)
            placement = .bent(bend)
        case .leaf(var leaf):
            leaf.scale(by: scale, about: center)
            placement = .leaf(leaf)
        }
    }

    /// Mirrors the sheet's geometry in a scene of `length` luma pixels; its pictures are not mirrored.
    fileprivate mutating func mirror(length: Double) {
        cut = (length - cut.upperBound)...(length - cut.lowerBound)
        shade = shade.mirrored(length: length)
        cornerRadius = (lower: cornerRadius.upper, upper: cornerRadius.lower)
        if case .picture(let picture, let spine) = back { back = .picture(picture, spine: length - spine) }
        switch placement {
        case .plane(var plane):
            // position'(s) = length - position(length - s), height'(s) = height(length - s)
            plane.position = Line(constant: length - plane.position(length), slope: plane.position.slope)
            plane.height = Line(constant: plane.height(length), slope: -plane.height.slope)
            placement = .plane(plane)
        case .bent(var bend):
            bend.mirror(length: length)
            placement = .bent(bend)
        case .leaf(var leaf):
            leaf.mirror(length: length)
            placement = .leaf(leaf)
        }
    }

    fileprivate mutating func keepLight(_ part: Scene.LightPart) {
        shade = .none
        switch placement {
        case .plane: break
        case .bent(var bend):
            bend.light = part
            placement = .bent(bend)
        case .leaf(var leaf):
            leaf.light = part
            placement = .leaf(leaf)
        }
    }
}
