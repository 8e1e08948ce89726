extension SceneSet {
    /// Nothing is farther away than this, in luma pixels, nor steeper: some 600 times the largest frame, so that nothing that could
    /// be seen is lost, and small enough that a Double still tells 2e-9 pixels apart there.
    private static let farthest = 1e7

    /// Takes from the set what nobody could draw, so that a style that computes nonsense is seen as a gap and not as a crash:
    /// panels with numbers that are not finite or larger than `farthest`, and the parts of cuts outside the picture's `length`.
    mutating func confine(to length: Double) {
        for index in panels.indices {
            let cut = panels[index].cut
            if cut.lowerBound < 0 || cut.upperBound > length { panels[index].cut = cut.clamped(to: 0...length) }
        }
        panels.removeAll { !$0.canBeDrawn(within: SceneSet.farthest) }
        if !(pageLength > 0 && pageLength <= SceneSet.farthest) { pageLength = .infinity }
        if let shadow = softShadow, !shadow.canBeDrawn(within: SceneSet.farthest) { softShadow = nil }
        if let part = crossFade { crossFade = part.isFinite ? min(max(part, 0), 1) : nil }
    }
}

extension Panel {
    fileprivate func canBeDrawn(within limit: Double) -> Bool {
        func fits(_ line: Line) -> Bool { abs(line.constant) <= limit && abs(line.slope) <= limit }
        return cut.lowerBound < cut.upperBound && fits(position) && fits(height)
            && acrossScale >= 1 / limit && acrossScale <= limit && shade.isFinite
            && cornerRadius.lower >= 0 && cornerRadius.lower <= limit
            && cornerRadius.upper >= 0 && cornerRadius.upper <= limit
    }
}

extension SoftShadow {
    fileprivate func canBeDrawn(within limit: Double) -> Bool {
        abs(along.lowerBound) <= limit && abs(along.upperBound) <= limit
            && abs(across.lowerBound) <= limit && abs(across.upperBound) <= limit
            && deviation >= 1e-6 && deviation <= limit && opacity >= 0 && opacity <= 1.5
    }
}
