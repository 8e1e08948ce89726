import FlipGeometry

/// What a ray sees: a sample of one picture, or the background, in some light.
struct BentRay {
    /// The picture; nil for the background.
    var picture: Picture?
    /// The point of the picture, in luma pixels.
    var point: SIMD2<Double>
    var light = Light()
}

extension Light {
    /// Mixes the light of a curl table's entry over what is seen.
    mutating func mix(_ entry: CurlTable.Entry) {
        (keep, paper) = (keep * Double(entry[2]), paper * Double(entry[2]))
        (shadow, gloss) = (shadow * Double(entry[2]) + Double(entry[3]), gloss * Double(entry[2]) + Double(entry[4]))
    }
}

/// A scene with a bent sheet: the sheet, what lies beneath it, and the camera's step back.
struct BentScene {
    /// A piece of a picture in its own place: its range along the motion axis.
    struct Piece {
        let picture: Picture
        let low: Double
        let high: Double
    }

    let geometry: BentGeometry
    let front: Picture
    let back: Sheet.Back
    /// Whether y is the motion axis.
    let isVertical: Bool
    /// The flat pieces beneath.
    let pieces: UnsafeBufferPointer<Piece>
    /// The x where what lies flat in a row may change; ascending.
    let edges: UnsafeBufferPointer<Double>
    /// The y where what lies flat in a column may change.
    let rowLimits: UnsafeBufferPointer<Double>
    /// The frame's size in luma pixels.
    let size: SIMD2<Double>
    /// How many luma pixels of the scene a luma pixel of the frame shows: 1 / the scale to which the camera steps back.
    let zoom: Double

    /// The scene lives as long as `lists`, and as long as no other scene takes them.
    init(_ sheet: Sheet, _ bend: Bend, scene: Scene, _ lists: BentSceneLists) {
        geometry = BentGeometry(sheet, bend, scene: scene)
        front = sheet.picture
        back = sheet.back
        isVertical = scene.orientation == .vertical
        size = isVertical ? SIMD2(scene.breadth, scene.length) : SIMD2(scene.length, scene.breadth)
        zoom = 1 / scene.scale
        lists.fill(scene, page: geometry.page, size: size)
        (pieces, edges, rowLimits) = (lists.pieces, lists.edges, lists.rowLimits)
    }

    /// The point of the scene's screen that is seen at `point` of the frame.
    func scenePoint(_ point: SIMD2<Double>) -> SIMD2<Double> {
        zoom == 1 ? point : size / 2 + (point - size / 2) * zoom
    }

    /// The picture that lies flat at `point` of the scene's screen, beneath the sheet; nil for the background.
    func picture(at point: SIMD2<Double>) -> Picture? {
        if point.x < 0 || point.y < 0 || point.x > size.x || point.y > size.y { return nil }
        let along = isVertical ? point.y : point.x
        for piece in pieces where along >= piece.low && along <= piece.high { return piece.picture }
        return nil
    }

    /// The picture on the back.
    var backPicture: Picture {
        switch back {
        case .paper: front
        case .picture(let picture, _): picture
        }
    }

    /// What the back shows at the page point `point`, without light.
    func backRay(_ point: SIMD2<Double>) -> BentRay {
        switch back {
        case .paper(_, let opacity):
            return BentRay(picture: front, point: point, light: Light(keep: 1 - opacity, paper: opacity))
        case .picture(let picture, let spine):
            let mirrored = isVertical ? SIMD2(point.x, 2 * spine - point.y) : SIMD2(2 * spine - point.x, point.y)
            return BentRay(picture: picture, point: mirrored)
        }
    }

    /// What the ray through `point` of the scene's screen sees.
    func ray(_ point: SIMD2<Double>) -> BentRay {
        let d = geometry.distance(point)
        if d <= geometry.rim {
            let back = geometry.back(d)
            let onBack = geometry.page(point, back)
            if geometry.isOnPage(onBack) {
                var ray = backRay(onBack)
                let light = geometry.light.onBack(back)
                ray.light.shade(light.shade)
                ray.light.shine(light.gloss)
                return ray
            }
            let front = geometry.front(d)
            let onFront = geometry.page(point, front)
            if geometry.isOnPage(onFront) {
                var ray = BentRay(picture: self.front, point: onFront)
                ray.light.shade(geometry.light.onFront(front))
                ray.light.shade(geometry.backShadow(point, d))
                return ray
            }
        }
        return rayBeneath(point, d)
    }

    /// What is seen of the flat pictures beneath the sheet at `point`, at distance `d` from the contact line.
    func rayBeneath(_ point: SIMD2<Double>, _ d: Double) -> BentRay {
        var ray = BentRay(picture: picture(at: point), point: point)
        if ray.picture != nil {
            ray.light.shade(geometry.light.rollShadow(d))
            ray.light.shade(geometry.backShadow(point, d))
        }
        return ray
    }
}
