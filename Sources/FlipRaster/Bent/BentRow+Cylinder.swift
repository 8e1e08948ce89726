import FlipGeometry

/// The part of the sheet that bends.
extension BentRow {
    /// Draws samples of the cylinder: those that see only one side of the sheet, or only what lies beneath it, by
    /// tables; the others one by one.
    func drawCylinder(_ range: Range<Int>, taps: Int) {
        if range.isEmpty { return }
        let tabulated = whole.clamped(to: range)
        drawByRays(range.lowerBound..<tabulated.lowerBound)
        let cursor = CylinderCursor(self, taps: taps)
        var start = tabulated.lowerBound
        while start < tabulated.upperBound {
            let limit = min(start + BentRowBuffers.capacity, tabulated.upperBound)
            let (sight, end) = cursor.place(start..<limit)
            draw(start..<end, sight, taps)
            start = end
        }
        drawByRays(tabulated.upperBound..<range.upperBound)
    }

    private func draw(_ range: Range<Int>, _ sight: CylinderCursor.Sight, _ taps: Int) {
        switch sight {
        case .edge: drawEdges(range)
        case .flatFront: drawUnder(range, isLifted: false, shadow: .back)
        case .under: drawUnder(range, isLifted: true, shadow: .both)
        case .back, .front:
            let picture = sight == .back ? scene.backPicture : scene.front
            for plane in layout.planes {
                average(range.count, picture, plane: plane, taps: taps)
                mix(range.count, plane: plane)
            }
            store(range)
        }
    }

    /// Mixes the light over the piece's samples.
    private func mix(_ count: Int, plane: Int) {
        let line = line(plane)
        let colors = sampler.colors[plane - layout.planes.lowerBound]
        let (paper, shadow, white) = (colors.paper, colors.shadow, colors.white)
        let keep = buffers.keep
        let (onPaper, onShadow, onWhite) = (buffers.paper, buffers.shadow, buffers.gloss)
        for index in 0..<count {
            let over = onPaper[index] * paper + onShadow[index] * shadow + onWhite[index] * white
            line[index] = Wide.nearest(Float(line[index]) * keep[index] + over)
        }
    }
}
