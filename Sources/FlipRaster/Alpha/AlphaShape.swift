/// How pictures with alpha are split into colors and alpha: the formats and sizes of the planes, and the chroma
/// samples' grid.
struct AlphaShape {
    /// The format of the colors alone, with 16 bits per sample.
    let colors: PictureFormat
    /// The format of alpha as a gray picture.
    let cover: PictureFormat
    let width: Int
    let height: Int
    /// The columns and rows of the last color plane, which is chroma if there is any.
    let columns: Grid
    let rows: Grid

    init(format: PictureFormat, width: Int, height: Int) {
        colors = format.deepColors
        var cover = PictureFormat(components: .gray, depth: 16, isFullRange: true)
        cover.pixelAspect = format.pixelAspect
        (self.cover, self.width, self.height) = (cover, width, height)
        let last = format.colorPlaneCount - 1
        columns = Grid(.horizontal, plane: last, format: colors, extent: width)
        rows = Grid(.vertical, plane: last, format: colors, extent: height)
    }

    var isSubsampled: Bool { columns.count < width || rows.count < height }
}
