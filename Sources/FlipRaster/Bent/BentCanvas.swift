import FlipGeometry

/// The samples of a piece of a row with a bent sheet: `BentRow` says what they see, and a canvas has the values, of all
/// planes or channels at once.
///
/// What is averaged over windows is in the buffers' `columns`, `rows` and `places`, and what shadows leave in `keep`.
protocol BentCanvas: AnyObject {
    // MARK: Pieces

    /// Sets `count` samples to the means of a picture over their windows.
    func average(_ count: Int, _ picture: Picture, taps: Int)
    /// Sets the samples of a row to those of a picture at their place.
    func load(_ columns: Range<Int>, row: Int, _ picture: Picture)
    /// Mixes paper over `count` samples of the flat back: `keep` of the texture, and `paper` of the paper's color.
    func mixPaper(_ count: Int, keep: Float, paper: Float)
    /// Mixes paper and then the light on the back over `count` samples.
    func lightBack(
        _ count: Int, texture: Float, paper: Float, keep: CurlLines.Row, shadow: CurlLines.Row, gloss: CurlLines.Row)
    /// Mixes the shadow color over `count` samples, of which the buffers' `keep` is left.
    func mixShadow(_ count: Int)
    /// Sets `count` samples to the background.
    func fill(_ count: Int)
    /// Stores a piece of a row.
    func store(_ columns: Range<Int>, row: Int)
    /// Copies a part of a row from a picture to the frame.
    func copy(_ columns: Range<Int>, row: Int, _ picture: Picture)

    // MARK: Single samples

    /// Begins a sample, to which parts are then added.
    func begin()
    /// Adds `weight` of a texture in some light.
    func add(_ weight: Float, _ texture: BentTexture, _ light: Light)
    /// Adds slices of the back at the rim.
    func add(_ slices: SeenSlices)
    /// Sets sample `index` of the piece to the sum of the parts.
    func finish(at index: Int)
    /// Sets sample `index` of the piece to the mean of `count` rays, each of which was added with weight 1.
    func finish(rays count: Int, at index: Int)
}

/// What is seen of a picture in a part of a sample.
enum BentTexture {
    /// A sample of a picture.
    case sample(Picture, column: Int, row: Int)
    /// The mean over a window. Beyond the picture, its outermost samples repeat.
    case window(Picture, BentWindow)
    case background
}

/// A window of a picture, and where its weights are.
struct BentWindow {
    let column: Int
    let row: Int
    let taps: Int
    let weights: UnsafePointer<Int16>
}

/// The slices of a picture that a sample at the rim sees. Each is the mean of `points` samples.
struct SeenSlices {
    let picture: Picture
    let count: Int
    let points: Int
    /// The samples' places: those of all slices for the first point, then for the next one.
    let columns: UnsafePointer<Int32>
    let rows: UnsafePointer<Int32>
    /// For each slice: which part of the sample it is, and the parts of the light on it.
    let weights: UnsafePointer<Float>
    let keep: UnsafePointer<Float>
    let paper: UnsafePointer<Float>
    let shadow: UnsafePointer<Float>
    let gloss: UnsafePointer<Float>
}
