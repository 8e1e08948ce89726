import Foundation

/// A picture as the luma (with BT.601's weights, 0...255) of its RGB samples, averaged over 32x18 cells.
package struct GrayCells: Sendable {
    package static let (width, height) = (32, 18)
    package let samples: [Double]

    /// Reads two hexadecimal digits per cell, row by row; nil if the text is anything else.
    init?(hexadecimal text: String) {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count == 2 * Self.width * Self.height else { return nil }
        samples = stride(from: 0, to: digits.count, by: 2).map { Double(digits[$0] * 16 + digits[$0 + 1]) }
    }

    /// Converts packed RGB with one pixel per cell.
    private init(rgb: ArraySlice<UInt8>) {
        let first = rgb.startIndex
        samples = stride(from: first, to: rgb.endIndex, by: 3).map {
            0.299 * Double(rgb[$0]) + 0.587 * Double(rgb[$0 + 1]) + 0.114 * Double(rgb[$0 + 2])
        }
    }

    /// Every frame of `file` as ffmpeg shows it. If the file is not tagged with a color matrix, the one that browsers
    /// assume is taken.
    package static func all(_ file: String) throws -> [GrayCells] {
        let facts = try Judge.probe(file, ["-select_streams", "v:0", "-show_entries", "stream=height,color_space"])
        let stream = (facts["streams"] as? [[String: Any]])?.first ?? [:]
        let isTagged = !["unknown", nil].contains(stream["color_space"] as? String)
        let guess = stream["height"] as? Int ?? 0 >= 720 ? "bt709" : "bt601"
        let run = try Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", file, "-map", "0:v:0", "-fps_mode", "passthrough", "-vf",
                "scale=in_color_matrix=\(isTagged ? "auto" : guess):\(Judge.exactScaling),format=rgb24,scale=\(width):\(height):flags=area",
                "-f", "rawvideo", "-",
            ])
        let (bytes, size) = ([UInt8](run.output), 3 * width * height)
        guard bytes.count % size == 0 else { throw ToolError("ffmpeg shows no whole frames of \(file)") }
        return stride(from: 0, to: bytes.count, by: size).map { GrayCells(rgb: bytes[$0..<$0 + size]) }
    }

    /// The peak signal-to-noise ratio in dB, infinite for equal pictures.
    package func psnr(_ other: GrayCells) -> Double {
        let sum = zip(samples, other.samples).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        return sum == 0 ? .infinity : 10 * log10(255 * 255 * Double(samples.count) / sum)
    }

    /// The luma of the cell in column `x` of row `y`.
    package subscript(x x: Int, y y: Int) -> Double { samples[y * Self.width + x] }
}
