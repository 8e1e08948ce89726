extension SceneSet {
    /// The largest position and height, in luma pixels, and the largest slope that are drawn: some 600 times the
    /// largest frame, so that nothing visible is lost, yet small enough for a Double to resolve 2e-9 pixels there.
    private static let farthest = 1e7

    /// Removes from the set what can't be drawn, so that a style that computes nonsense leaves a gap instead of causing
    /// a crash: panels with numbers that are not finite or exceed `farthest`, and the parts of cuts outside the
    /// picture's `length`.
    mutating func confine(to length: Double) {
        for index in panels.indices {
            let cut = panels[index].cut
            if cut.lowerBound < 0 || cut.upperBound > length { panels[index].cut = cut.clamped(to: 0...length) }
        }
        panels.removeAll { !$0.canBeDrawn(within: SceneSet.farthest) }
        if !(pageLength > 0 && pageLength <= SceneSet.farthest) { pageLength = .infinity }
        if let shadow = softShadow, !shadow.canBeDrawn(within: SceneSet.farthest) { softShadow = nil }
        if let sheet = bentSheet, !sheet.canBeDrawn(within: SceneSet.farthest, length: length) { bentSheet = nil }
        if let part = fade?.part {
            fade?.part = min(max(part, 0), 1)
            if !part.isFinite { fade = nil }
        }
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

extension BentSheet {
    fileprivate func canBeDrawn(within limit: Double, length: Double) -> Bool {
        let size = (normal * normal).sum()
        return cut.lowerBound >= 0 && cut.upperBound <= length && cut.lowerBound < cut.upperBound
            && abs(size - 1) < 1e-9 && abs(contact) <= limit && radius > 0 && radius <= limit
            && lift >= 0 && lift <= 1 && strength >= 0 && strength <= 3
    }
}

extension SoftShadow {
    fileprivate func canBeDrawn(within limit: Double) -> Bool {
        abs(along.lowerBound) <= limit && abs(along.upperBound) <= limit
            && abs(across.lowerBound) <= limit && abs(across.upperBound) <= limit
            && deviation >= 1e-6 && deviation <= limit && opacity >= 0 && opacity <= 1.5
    }
}
