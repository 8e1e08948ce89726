import FlipFrame
import Foundation

/// Draws a frame of a card flip between two raw pictures in rgb24.
///
///     swift run frame WIDTH HEIGHT PROGRESS a.rgb b.rgb frame.rgb
@main struct Frame {
    static func main() throws {
        let words = CommandLine.arguments
        guard words.count == 7, let width = Int(words[1]), let height = Int(words[2]), let progress = Double(words[3])
        else { throw FrameError(.invalidArgument, "frame WIDTH HEIGHT PROGRESS <a> <b> <frame>") }

        let format = try FrameFormat("rgb24", width: width, height: height)
        let card = try FrameTransition(Styles.card, .pullBack(0.7))
        let renderer = try FrameRenderer(format)

        let pictures = try words[4...5].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        var frame = Data(count: format.planes[0].rows * format.planes[0].rowBytes)
        try pictures[0].withUnsafeBytes { from in
            try pictures[1].withUnsafeBytes { to in
                try frame.withUnsafeMutableBytes { into in
                    try renderer.draw(
                        card, progress: progress, from: FramePicture(reading: from, format),
                        to: FramePicture(reading: to, format), into: FramePicture(into, format))
                }
            }
        }
        try frame.write(to: URL(fileURLWithPath: words[6]))
    }
}
