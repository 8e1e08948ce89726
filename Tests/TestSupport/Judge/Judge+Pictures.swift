import FlipRaster
import Foundation

extension PictureFormat {
    /// The format with the given ffmpeg name; throws for those that tests do not decode.
    package init(ffmpegName name: String) throws {
        let depth = name.hasSuffix("p10le") ? 10 : name.hasSuffix("p12le") ? 12 : 8
        let isFull = name.hasPrefix("yuvj")
        let plain = name.replacingOccurrences(of: "yuvj", with: "yuv").replacingOccurrences(of: "10le", with: "")
            .replacingOccurrences(of: "12le", with: "").replacingOccurrences(of: "yuva", with: "yuv")
            .replacingOccurrences(of: "gbrap", with: "gbrp")
        let steps = ["yuv420p": (2, 2), "yuv422p": (2, 1), "yuv444p": (1, 1), "yuv411p": (4, 1), "yuv440p": (1, 2)]
        if let (x, y) = steps[plain] {
            self.init(components: .yuv, depth: depth, chromaStepX: x, chromaStepY: y, isFullRange: isFull)
        } else if plain == "gbrp" {
            self.init(components: .gbr, depth: depth, isFullRange: true)
        } else if plain == "gray" {
            self.init(components: .gray, depth: depth)
        } else {
            throw ToolError("tests do not decode \(name)")
        }
        hasAlpha = name.hasPrefix("yuva") || name.hasPrefix("gbra")
    }
}

extension Judge {
    /// The decoded pictures in `range` (by default all) of a file, in `pixelFormat` and with its rotation applied, as
    /// ffmpeg shows them.
    /// - Parameter keepsCodes: whether samples are given as they are stored, whatever range the file states.
    package static func pictures(
        _ path: String, pixelFormat: String, width: Int, height: Int, range: Range<Int>? = nil, keepsCodes: Bool = false
    ) throws -> [TestPicture] {
        let format = try PictureFormat(ffmpegName: pixelFormat)
        let folder = try TemporaryFolder()
        let raw = folder / "video.raw"
        let select = range.map { "select=between(n\\,\($0.lowerBound)\\,\($0.upperBound - 1))," } ?? ""
        let codes = keepsCodes ? "setparams=range=unknown," : ""
        try Tool.ffmpeg(
            "-i \(path) -map 0:v:0 -fps_mode passthrough -vf",
            "\(select)\(codes)scale=\(exactScaling),format=\(pixelFormat) -f rawvideo \(raw)")
        let data = try Data(contentsOf: raw)
        let blank = TestPicture(format: format, width: width, height: height)
        let size = blank.planes.reduce(0) { $0 + $1.count } * format.bytesPerSample
        guard data.count % size == 0 else { throw ToolError("\(path) is not \(width)x\(height) \(pixelFormat)") }
        return data.withUnsafeBytes { bytes in
            (0..<data.count / size).map { index in
                var picture = blank
                var place = index * size
                for plane in picture.planes.indices {
                    for sample in picture.planes[plane].indices {
                        picture.planes[plane][sample] =
                            format.bytesPerSample == 1
                            ? UInt16(bytes[place]) : UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8
                        place += format.bytesPerSample
                    }
                }
                return picture
            }
        }
    }
}
