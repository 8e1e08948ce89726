import CLibav
import FlipBase
import Foundation

/// Pixels from all frames of a video, from which one palette for all of them is chosen.
final class PaletteSamples {
    /// How many pixels of each frame are kept, in a grid.
    private static let grid = (width: 64, height: 36)
    /// The number of frames from which samples are kept, a picture as high as libavfilter takes.
    private static let mostFrames = 400

    /// Half of what a palette can have: dithering hides the difference, and the file is a fifth smaller.
    private static let colors = 128

    private let graph: FilterGraph
    private let file: FileHandle
    private var count = 0
    private var random: UInt64 = 1

    /// - Parameters:
    ///   - shape: the frames' shape.
    ///   - path: the file for the samples, which is created.
    init(_ shape: PictureShape, path: String) throws(MediaError) {
        let grid = Self.grid
        graph = try FilterGraph(
            videoSources: [shape.sourceArguments],
            chain: "scale=\(grid.width):\(grid.height):flags=neighbor,format=rgb24", threads: 1)
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
        else { throw MediaError.system(.cannotCreate, "create", path) }
        self.file = file
    }

    func add(_ frame: Frame) throws(MediaError) {
        // Each frame of a longer video is as likely to be among the samples as any other (Vitter, algorithm R), by numbers
        // that are the same for every run (Knuth's MMIX generator).
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let slot = count < Self.mostFrames ? count : Int(random >> 33) % (count + 1)
        count += 1
        guard slot < Self.mostFrames else { return }
        try graph.send(frame)
        guard let small = try graph.receive(), let data = small.pointer.pointee.data.0 else { return }
        let (stride, length) = (Int(small.pointer.pointee.linesize.0), Self.grid.width * 3)
        do {
            try file.seek(toOffset: UInt64(slot * Self.grid.height * length))
            for row in 0..<Self.grid.height {
                try file.write(contentsOf: Data(bytes: data + row * stride, count: length))
            }
        } catch {
            throw MediaError(.io, "cannot write the colors of the video (is the disk full?)")
        }
    }

    /// The palette for the samples in the file at `path`, with the arguments of a `buffer` source for it.
    static func palette(path: String) throws(MediaError) -> (frame: Frame, arguments: String) {
        guard let data = FileManager.default.contents(atPath: path), data.count >= grid.width * 3 else {
            throw MediaError(.internalFault, "there are no colors for a palette")
        }
        let rows = data.count / (grid.width * 3)
        let samples = try Frame()
        samples.pointer.pointee.width = Int32(grid.width)
        samples.pointer.pointee.height = Int32(rows)
        samples.pointer.pointee.format = AV_PIX_FMT_RGB24.rawValue
        guard av_frame_get_buffer(samples.pointer, 0) >= 0, let target = samples.pointer.pointee.data.0 else {
            throw .outOfMemory
        }
        let stride = Int(samples.pointer.pointee.linesize.0)
        data.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            for row in 0..<rows { memcpy(target + row * stride, start + row * grid.width * 3, grid.width * 3) }
        }
        samples.pointer.pointee.pts = 0
        let graph = try FilterGraph(
            videoSources: ["video_size=\(grid.width)x\(rows):pix_fmt=rgb24:time_base=1/25"],
            chain: "palettegen=reserve_transparent=0:max_colors=\(colors)", threads: 1)
        try graph.send(samples)
        try graph.send(nil)
        guard let palette = try graph.receive() else { throw MediaError(.internalFault, "there is no palette") }
        palette.pointer.pointee.pts = 0
        return (palette, "video_size=16x16:pix_fmt=rgb32:time_base=1/25")
    }
}
