/// The layout of a picture in memory, named as in FFmpeg: which samples lie in which plane.
package struct PixelLayout: Sendable, Hashable {
    package let name: String
    /// The format of the picture when it is split into planes.
    package var format: PictureFormat
    /// For each plane in memory, the planes of `format` whose samples are interleaved in it, in this order; nil is
    /// padding.
    package let memory: [[Int?]]

    /// The layout that FFmpeg calls `name`, in this machine's byte order. Returns nil for layouts that aren't
    /// supported: palettes, floating point, the other byte order, pixels packed into words, and Y' that shares a plane
    /// with chroma.
    package init?(named name: String) {
        let suffix = UInt16(littleEndian: 1) == 1 ? "le" : "be"
        let plain = name.hasSuffix(suffix) ? String(name.dropLast(2)) : name
        for family in Family.all {
            for depth in family.depths where family.name(depth: depth) == plain {
                // Samples of one byte have no byte order.
                if depth == 8 && plain != name { return nil }
                self.init(name: name, format: family.format(depth: depth), memory: family.memory)
                return
            }
        }
        return nil
    }

    /// The layout in which each plane of `format` has memory of its own.
    package init(planar format: PictureFormat) {
        self.init(name: "planar", format: format, memory: (0..<format.planeCount).map { [$0] })
    }

    private init(name: String, format: PictureFormat, memory: [[Int?]]) {
        (self.name, self.format, self.memory) = (name, format, memory)
    }

    /// The index of the plane in memory in which samples of several planes are interleaved; nil if there is none. No
    /// layout has two.
    var interleaved: Int? { memory.firstIndex { $0.count > 1 } }

    /// The plane in memory that holds alpha, and the turn in which its samples come; nil for formats without alpha.
    var alpha: (plane: Int, turn: Int)? {
        guard format.hasAlpha else { return nil }
        for (plane, turns) in memory.enumerated() {
            if let turn = turns.firstIndex(of: format.colorPlaneCount) { return (plane, turn) }
        }
        return nil
    }

    /// The byte of a pixel that is alpha or padding, if samples are interleaved as pixels of four bytes.
    var spareByte: PackedRows.Spare? {
        guard let turns = interleaved.map({ memory[$0] }), turns.count == 4, format.bytesPerSample == 1 else {
            return nil
        }
        let isSpare = { (turn: Int?) in turn == nil || turn == 3 }
        return isSpare(turns[3]) ? .last : isSpare(turns[0]) ? .first : nil
    }

    /// FFmpeg's names for all supported layouts, without the byte order.
    package static var names: [String] { Family.all.flatMap { family in family.depths.map { family.name(depth: $0) } } }

    /// The size of plane `index` in memory, for a picture of `width` x `height` luma pixels. The width counts the
    /// samples of only one of the planes interleaved in it.
    package func planeSize(_ index: Int, width: Int, height: Int) -> (width: Int, height: Int) {
        format.planeSize(memory[index].compactMap(\.self)[0], width: width, height: height)
    }

    /// The bytes of one sample of each plane interleaved in plane `index` in memory.
    func pixelBytes(_ index: Int) -> Int { memory[index].count * format.bytesPerSample }

    /// The bytes in a row of plane `index` in memory.
    package func rowBytes(_ index: Int, width: Int) -> Int {
        planeSize(index, width: width, height: 1).width * memory[index].count * format.bytesPerSample
    }
}

/// Layouts that differ only in depth.
private struct Family {
    /// FFmpeg's name. A final `#` stands for the depth, which is left out for 8 bits.
    let pattern: String
    let depths: [Int]
    let components: PictureFormat.Components
    var steps = (x: 1, y: 1)
    var hasAlpha = false
    let memory: [[Int?]]

    /// All of them, in parts: as one expression they take some compilers too long to check.
    static let all = yuv + yuva + planar + nv + packed

    private static let yuv: [Family] = [
        ("yuv420p", 2, 2, [8, 9, 10, 12, 14, 16]), ("yuv422p", 2, 1, [8, 9, 10, 12, 14, 16]),
        ("yuv444p", 1, 1, [8, 9, 10, 12, 14, 16]), ("yuv440p", 1, 2, [8, 10, 12]), ("yuv411p", 4, 1, [8]),
    ].map { (name: String, x: Int, y: Int, depths: [Int]) in
        Family(pattern: name + "#", depths: depths, components: .yuv, steps: (x, y), memory: planes(3))
    }

    private static let yuva: [Family] = [
        ("yuva420p", 2, 2, [8, 9, 10, 16]), ("yuva422p", 2, 1, [8, 9, 10, 12, 16]),
        ("yuva444p", 1, 1, [8, 9, 10, 12, 16]),
    ].map { (name: String, x: Int, y: Int, depths: [Int]) in
        Family(pattern: name + "#", depths: depths, components: .yuv, steps: (x, y), hasAlpha: true, memory: planes(4))
    }

    private static let planar: [Family] = [
        Family(pattern: "gray#", depths: [8, 9, 10, 12, 14, 16], components: .gray, memory: planes(1)),
        Family(pattern: "gbrp#", depths: [8, 9, 10, 12, 14, 16], components: .gbr, memory: planes(3)),
        Family(pattern: "gbrap#", depths: [8, 10, 12, 16], components: .gbr, hasAlpha: true, memory: planes(4)),
        Family(pattern: "ya8", depths: [8], components: .gray, hasAlpha: true, memory: [[0, 1]]),
        Family(pattern: "ya16", depths: [16], components: .gray, hasAlpha: true, memory: [[0, 1]]),
    ]

    private static let nv: [Family] = [
        ("nv12", 2, 2, [1, 2]), ("nv21", 2, 2, [2, 1]), ("nv16", 2, 1, [1, 2]), ("nv24", 1, 1, [1, 2]),
        ("nv42", 1, 1, [2, 1]),
    ].map { (name: String, x: Int, y: Int, chroma: [Int?]) in
        Family(pattern: name, depths: [8], components: .yuv, steps: (x, y), memory: [[0], chroma])
    }

    private static let packed: [Family] = [
        ("rgb24", 8, [2, 0, 1]), ("bgr24", 8, [1, 0, 2]), ("rgb48", 16, [2, 0, 1]), ("bgr48", 16, [1, 0, 2]),
        ("rgba", 8, [2, 0, 1, 3]), ("bgra", 8, [1, 0, 2, 3]), ("argb", 8, [3, 2, 0, 1]),
        ("abgr", 8, [3, 1, 0, 2]), ("rgba64", 16, [2, 0, 1, 3]), ("bgra64", 16, [1, 0, 2, 3]),
        ("rgb0", 8, [2, 0, 1, nil]), ("bgr0", 8, [1, 0, 2, nil]), ("0rgb", 8, [nil, 2, 0, 1]),
        ("0bgr", 8, [nil, 1, 0, 2]),
    ].map { (name: String, depth: Int, turns: [Int?]) in
        Family(pattern: name, depths: [depth], components: .gbr, hasAlpha: turns.contains(3), memory: [turns])
    }

    private static func planes(_ count: Int) -> [[Int?]] { (0..<count).map { [$0] } }

    func name(depth: Int) -> String {
        pattern.last == "#" ? pattern.dropLast() + (depth == 8 ? "" : String(depth)) : pattern
    }

    func format(depth: Int) -> PictureFormat {
        PictureFormat(
            components: components, depth: depth, chromaStepX: steps.x, chromaStepY: steps.y,
            isFullRange: components == .gbr, hasAlpha: hasAlpha)
    }
}
