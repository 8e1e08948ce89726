/// How other programs keep a picture in memory: which samples lie in which plane, by FFmpeg's name for it.
package struct PixelLayout: Sendable, Equatable {
    package let name: String
    /// The picture's samples, plane by plane.
    package var format: PictureFormat
    /// For each plane in memory, the planes of `format` whose samples are interleaved in it; nil is padding.
    package let memory: [[Int?]]

    /// The layout that FFmpeg calls `name`, in this machine's byte order; nil where pictures are not drawn in it: palettes,
    /// floating point, the other byte order, pixels packed into words, and Y' that shares a plane with chroma.
    package init?(named name: String) {
        let suffix = UInt16(littleEndian: 1) == 1 ? "le" : "be"
        let plain = name.hasSuffix(suffix) ? String(name.dropLast(2)) : name
        for family in Family.all {
            for depth in family.depths where family.name(depth: depth) == plain {
                // One byte has no order.
                if depth == 8 && plain != name { return nil }
                self.init(name: name, format: family.format(depth: depth), memory: family.memory)
                return
            }
        }
        return nil
    }

    private init(name: String, format: PictureFormat, memory: [[Int?]]) {
        self.name = name
        self.format = format
        self.memory = memory
    }

    /// Every layout there is, by FFmpeg's names without the byte order.
    package static var names: [String] {
        Family.all.flatMap { family in family.depths.map { family.name(depth: $0) } }
    }

    /// Samples of plane `index` in memory for a picture of `width` x `height` luma pixels: across, of one of the planes that
    /// are interleaved in it, and down.
    package func planeSize(_ index: Int, width: Int, height: Int) -> (width: Int, height: Int) {
        format.planeSize(memory[index].compactMap(\.self)[0], width: width, height: height)
    }

    /// Bytes of a row of plane `index` in memory.
    package func rowBytes(_ index: Int, width: Int) -> Int {
        planeSize(index, width: width, height: 1).width * memory[index].count * format.bytesPerSample
    }
}

/// Layouts that differ in depth alone.
private struct Family {
    /// The name for 8 bits; `#` is where other depths have theirs.
    let pattern: String
    let depths: [Int]
    let components: PictureFormat.Components
    var steps = (x: 1, y: 1)
    var hasAlpha = false
    let memory: [[Int?]]

    static let all: [Family] =
        [
            ("yuv420p", 2, 2, [8, 9, 10, 12, 14, 16]), ("yuv422p", 2, 1, [8, 9, 10, 12, 14, 16]),
            ("yuv444p", 1, 1, [8, 9, 10, 12, 14, 16]), ("yuv440p", 1, 2, [8, 10, 12]), ("yuv411p", 4, 1, [8]),
        ].map { name, x, y, depths in
            Family(pattern: name + "#", depths: depths, components: .yuv, steps: (x, y), memory: planes(3))
        }
        + [
            ("yuva420p", 2, 2, [8, 9, 10, 16]), ("yuva422p", 2, 1, [8, 9, 10, 12, 16]),
            ("yuva444p", 1, 1, [8, 9, 10, 12, 16]),
        ].map { name, x, y, depths in
            Family(
                pattern: name + "#", depths: depths, components: .yuv, steps: (x, y), hasAlpha: true, memory: planes(4))
        }
        + [
            Family(pattern: "gray#", depths: [8, 9, 10, 12, 14, 16], components: .gray, memory: planes(1)),
            Family(pattern: "gbrp#", depths: [8, 9, 10, 12, 14, 16], components: .gbr, memory: planes(3)),
            Family(pattern: "gbrap#", depths: [8, 10, 12, 16], components: .gbr, hasAlpha: true, memory: planes(4)),
            Family(pattern: "ya8", depths: [8], components: .gray, hasAlpha: true, memory: [[0, 1]]),
            Family(pattern: "ya16", depths: [16], components: .gray, hasAlpha: true, memory: [[0, 1]]),
        ]
        + [("nv12", 2, 2, [1, 2]), ("nv21", 2, 2, [2, 1]), ("nv16", 2, 1, [1, 2]), ("nv24", 1, 1, [1, 2])].map(nv)
        + [("nv42", 1, 1, [2, 1])].map(nv)
        + [
            ("rgb24", 8, [2, 0, 1]), ("bgr24", 8, [1, 0, 2]), ("rgb48", 16, [2, 0, 1]), ("bgr48", 16, [1, 0, 2]),
            ("rgba", 8, [2, 0, 1, 3]), ("bgra", 8, [1, 0, 2, 3]), ("argb", 8, [3, 2, 0, 1]),
            ("abgr", 8, [3, 1, 0, 2]), ("rgba64", 16, [2, 0, 1, 3]), ("bgra64", 16, [1, 0, 2, 3]),
            ("rgb0", 8, [2, 0, 1, nil]), ("bgr0", 8, [1, 0, 2, nil]), ("0rgb", 8, [nil, 2, 0, 1]),
            ("0bgr", 8, [nil, 1, 0, 2]),
        ].map { (name: String, depth: Int, turns: [Int?]) in
            Family(
                pattern: name, depths: [depth], components: .gbr, hasAlpha: turns.contains(3), memory: [turns])
        }

    private static func planes(_ count: Int) -> [[Int?]] { (0..<count).map { [$0] } }

    private static func nv(_ name: String, _ x: Int, _ y: Int, _ chroma: [Int?]) -> Family {
        Family(pattern: name, depths: [8], components: .yuv, steps: (x, y), memory: [[0], chroma])
    }

    func name(depth: Int) -> String {
        pattern.last == "#" ? pattern.dropLast() + (depth == 8 ? "" : String(depth)) : pattern
    }

    func format(depth: Int) -> PictureFormat {
        PictureFormat(
            components: components, depth: depth, chromaStepX: steps.x, chromaStepY: steps.y,
            isFullRange: components == .gbr, hasAlpha: hasAlpha)
    }
}
