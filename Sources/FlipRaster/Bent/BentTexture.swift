import FlipGeometry

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
    /// The samples' places: those of all slices for the first point, then for the next one, `stride` later.
    let columns: UnsafePointer<Int32>
    let rows: UnsafePointer<Int32>
    /// For each slice: which part of the sample it is, and the parts of the texture, of the paper, of the shadow color and of
    /// paper white.
    let weights: UnsafeMutablePointer<Float>
    let lights: UnsafePointer<SIMD4<Float>>

    /// The distance from one point's places to the next one's, for `count` slices.
    static func stride(_ count: Int) -> Int { (count + 3) / 4 * 4 }
    var stride: Int { SeenSlices.stride(count) }
}
