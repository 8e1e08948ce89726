import BenchSupport
import FlipRaster

/// A picture with content, in its own memory.
final class BenchPicture {
    let view: PictureView
    private let format: PictureFormat

    init(_ format: PictureFormat, _ width: Int, _ height: Int, seed: Int) {
        self.format = format
        let planes = (0..<format.planeCount).map { index in
            let size = format.planeSize(index, width: width, height: height)
            let rowBytes = size.width * format.bytesPerSample
            let stride = (rowBytes + 63) / 64 * 64
            let base = UnsafeMutableRawPointer.allocate(byteCount: stride * size.height, alignment: 64)
            for row in 0..<size.height {
                BenchPicture.fill(base + row * stride, stride, format.depth, seed &* 77 &+ row)
            }
            return PlaneView(base: base, stride: stride, width: size.width, height: size.height)
        }
        view = PictureView(planes[0], planes.count > 1 ? planes[1] : nil, planes.count > 2 ? planes[2] : nil)
    }

    deinit {
        for index in 0..<format.planeCount { view[index].base.deallocate() }
    }

    private static func fill(_ row: UnsafeMutableRawPointer, _ bytes: Int, _ depth: Int, _ seed: Int) {
        if depth == 8 {
            for x in 0..<bytes {
                row.storeBytes(of: UInt8(truncatingIfNeeded: x &* 31 &+ seed), toByteOffset: x, as: UInt8.self)
            }
        } else {
            let mask = UInt16(1 << depth - 1)
            for x in 0..<bytes / 2 {
                row.storeBytes(
                    of: UInt16(truncatingIfNeeded: x &* 31 &+ seed) & mask, toByteOffset: 2 * x, as: UInt16.self)
            }
        }
    }

    func copy(_ other: BenchPicture) {
        for index in 0..<format.planeCount {
            view[index].base.copyMemory(
                from: other.view[index].base, byteCount: view[index].stride * view[index].height)
        }
    }

    /// Appends the samples without padding, as in raw video files.
    func appendSamples(to bytes: inout [UInt8]) {
        for index in 0..<format.planeCount {
            let plane = view[index]
            for row in 0..<plane.height {
                let start = plane.base + row * plane.stride
                bytes.append(
                    contentsOf: UnsafeRawBufferPointer(start: start, count: plane.width * format.bytesPerSample))
            }
        }
    }
}

/// Two moving clips and the frames to draw into. If there are enough frames, no cache holds them.
struct BenchClips {
    let from: [BenchPicture]
    let to: [BenchPicture]
    let target: [BenchPicture]

    /// Makes `frames` frames of each clip and of the target.
    init(_ subject: Subject, frames: Int) {
        let clip = { (part: Int) in
            (0..<frames).map { BenchPicture(subject.format, subject.width, subject.height, seed: 3 * $0 + part) }
        }
        (from, to, target) = (clip(0), clip(1), clip(2))
    }

    /// So many frames that no cache holds a frame until its next turn.
    static func cold(_ subject: Subject) -> BenchClips {
        BenchClips(subject, frames: max(2, Machine.cacheBytes / (2 * subject.bytes) + 1))
    }
}

/// What is measured: pictures of one size and format.
struct Subject {
    var width: Int
    var height: Int
    var depth: Int

    var format: PictureFormat { PictureFormat(components: .yuv, depth: depth, chromaStepX: 2, chromaStepY: 2) }
    /// ffmpeg's name for the format.
    var pixelFormat: String { depth == 8 ? "yuv420p" : "yuv420p\(depth)le" }
    /// The size of a frame in bytes.
    var bytes: Int {
        (0..<3).reduce(0) { sum, plane in
            let size = format.planeSize(plane, width: width, height: height)
            return sum + size.width * size.height * format.bytesPerSample
        }
    }
}
