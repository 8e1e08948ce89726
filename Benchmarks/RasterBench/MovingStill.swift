import BenchSupport
import FlipRaster

/// A still that moves, as `#zoom=1.2` moves it.
struct MovingStill {
    static let name = "moving still"

    private let picture: BenchPicture
    private let zoom: PictureZoom

    init(_ subject: Subject) {
        // A magnification of 1.2, rounded to whole chroma samples.
        let size = (width: (subject.width * 6 / 5 + 1) / 2 * 2, height: (subject.height * 6 / 5 + 1) / 2 * 2)
        picture = BenchPicture(subject.format, size.width, size.height, seed: 5)
        zoom = PictureZoom(subject.format, picture: size, frame: (subject.width, subject.height))
    }

    /// The cost of a frame, from the whole picture to its middle.
    func cost(_ clips: BenchClips, runs: Int, frames: Int = 18) -> Cost {
        var next = 0
        return Cost.median(runs: runs, frames: frames) { index in
            let target = clips.target[next % clips.target.count]
            next += 1
            let size = 1 - Double(index) / Double(frames - 1) / 6
            let part = PictureZoom.Part(x: (1 - size) / 2, y: (1 - size) / 2, width: size, height: size)
            zoom.draw(part, of: picture.view, into: target.view)
        }
    }
}
