/// A plane in a picture's memory: which samples it holds.
struct MemoryPlane: Sendable {
    /// The index of the plane in the picture's memory.
    let index: Int
    /// The planes of the format whose samples are interleaved in it, in this order; nil is padding.
    let turns: [Int?]
    let format: PictureFormat
    /// The bytes of one sample of each of them.
    let pixelBytes: Int
    /// The turn in which padding comes, and that in which alpha comes; nil if there is none.
    let padding: Int?
    let alpha: Int?
    /// The first plane of colors among them; nil for a plane of alpha alone.
    let color: Int?

    init(_ index: Int, of layout: PixelLayout) {
        self.index = index
        format = layout.format
        turns = layout.memory[index]
        pixelBytes = layout.pixelBytes(index)
        padding = turns.firstIndex(of: nil)
        let (hasAlpha, count) = (layout.format.hasAlpha, layout.format.colorPlaneCount)
        alpha = hasAlpha ? turns.firstIndex(of: count) : nil
        color = turns.compactMap(\.self).first { $0 < count }
    }

    /// Whether samples of several planes are interleaved.
    var isInterleaved: Bool { turns.count > 1 }
}
