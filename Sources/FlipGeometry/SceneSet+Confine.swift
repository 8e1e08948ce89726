extension SceneSet {
    /// The largest position and height, in luma pixels, and the largest slope that are drawn: some 600 times the
    /// largest frame, so that nothing visible is lost, yet small enough for a Double to resolve 2e-9 pixels there.
    private static let farthest = 1e7

    /// Removes from the set what can't be drawn, so that a style that computes nonsense leaves a gap instead of causing
    /// a crash: sheets with numbers that are not finite or exceed `farthest`, and the parts of cuts outside the
    /// picture's `length`. Of several bent sheets, the first one stays.
    mutating func confine(to length: Double) {
        for index in sheets.indices {
            let cut = sheets[index].cut
            // A leaf may be longer than its picture, whose outermost samples then extend.
            if sheets[index].leaf != nil { continue }
            if cut.lowerBound < 0 || cut.upperBound > length { sheets[index].cut = cut.clamped(to: 0...length) }
        }
        sheets.removeAll { !$0.canBeDrawn(within: SceneSet.farthest) }
        if let bent = sheets.firstIndex(where: { $0.plane == nil }) {
            for index in sheets.indices.reversed() where index > bent && sheets[index].plane == nil {
                sheets.remove(at: index)
            }
        }
        if !(pageLength >= 1e-6 && pageLength <= SceneSet.farthest) { pageLength = .infinity }
        if let shadow = softShadow, !shadow.canBeDrawn(within: SceneSet.farthest) { softShadow = nil }
        if let part = fade?.part {
            fade?.part = min(max(part, 0), 1)
            if !part.isFinite { fade = nil }
        }
        if let ramp = fade?.ramp, !ramp.canBeDrawn(within: SceneSet.farthest) { fade = nil }
    }
}

extension Sheet {
    fileprivate func canBeDrawn(within limit: Double) -> Bool {
        let isPlaced =
            switch placement {
            case .plane(let plane): plane.canBeDrawn(within: limit)
            case .bent(let bend): bend.canBeDrawn(within: limit)
            case .leaf(let leaf): leaf.canBeDrawn(within: limit)
            }
        return isPlaced && back.canBeDrawn(within: limit) && cut.lowerBound < cut.upperBound && shade.isFinite
            && acrossCut.map { abs($0.lowerBound) <= limit && abs($0.upperBound) <= limit } ?? true
            && cornerRadius.lower >= 0 && cornerRadius.lower <= limit
            && cornerRadius.upper >= 0 && cornerRadius.upper <= limit
    }
}

extension Sheet.Back {
    fileprivate func canBeDrawn(within limit: Double) -> Bool {
        switch self {
        case .paper(_, let opacity): opacity >= 0 && opacity <= 1
        case .picture(_, let spine): abs(spine) <= limit
        }
    }
}

extension Plane {
    fileprivate func canBeDrawn(within limit: Double) -> Bool {
        func fits(_ line: Line) -> Bool { abs(line.constant) <= limit && abs(line.slope) <= limit }
        return fits(position) && fits(height) && acrossScale >= 1 / limit && acrossScale <= limit
    }
}

extension Bend {
    fileprivate func canBeDrawn(within limit: Double) -> Bool {
        let size = (normal * normal).sum()
        return abs(size - 1) < 1e-9 && abs(contact) <= limit && radius >= 1e-6 && radius <= limit
            && lift >= 0 && lift <= 1 && strength >= 0 && strength <= 3
    }
}

extension Leaf {
    fileprivate func canBeDrawn(within limit: Double) -> Bool {
        abs(spine) <= limit && length >= 1e-6 && length <= limit && angles.first >= 0 && angles.first <= angles.last
            && angles.last <= .pi && strength >= 0 && strength <= 3
    }
}

extension Fade.Ramp {
    fileprivate func canBeDrawn(within limit: Double) -> Bool {
        abs(extent.lowerBound) <= limit && abs(extent.upperBound) <= limit
    }
}

extension SoftShadow {
    fileprivate func canBeDrawn(within limit: Double) -> Bool {
        abs(along.lowerBound) <= limit && abs(along.upperBound) <= limit
            && abs(across.lowerBound) <= limit && abs(across.upperBound) <= limit
            && deviation >= 1e-6 && deviation <= limit && opacity >= 0 && opacity <= 1.5
    }
}
