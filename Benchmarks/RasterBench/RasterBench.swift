import FlipGeometry
import FlipRaster
import Foundation

/// Draws whole default transitions between two moving pictures and prints the cost of a frame.
///
///     raster-bench [width height depth threads frames]
@main
struct RasterBench {
    static func main() throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let width = numbers.count > 0 ? numbers[0] : 1920
        let height = numbers.count > 1 ? numbers[1] : 1080
        let depth = numbers.count > 2 ? numbers[2] : 8
        let threads = numbers.count > 3 ? numbers[3] : 1
        let frames = numbers.count > 4 ? numbers[4] : 60
        let format = PictureFormat(components: .yuv, depth: depth, chromaStepX: 2, chromaStepY: 2)
        let from = BenchPicture(format, width, height, seed: 1)
        let to = BenchPicture(format, width, height, seed: 2)
        let target = BenchPicture(format, width, height, seed: 3)
        print("\(width)x\(height) \(depth) bit, \(threads) threads: ms of wall and of processor time a frame")
        let copy = measure(frames) { _ in target.copy(to) }
        print("memcpy", copy)
        let names = CommandLine.arguments.filter { Int($0) == nil }.dropFirst()
        for style in Styles.all where names.isEmpty || names.contains(style.name) {
            let look = try StyledLook(style: style)
            let renderer = TransitionRenderer(
                format: format, width: width, height: height, background: .black, threads: threads)
            let cost = measure(frames) { index in
                let progress = look.look.easing(Double(index + 1) / Double(frames + 1))
                renderer.render(look, progress: progress, from: from.view, to: to.view, into: target.view)
            }
            print(style.name, cost)
        }
    }

    /// Milliseconds a frame: by the clock, and of processor time.
    private static func measure(_ frames: Int, _ draw: (Int) -> Void) -> String {
        for index in 0..<frames { draw(index) }
        let (wall, processor) = (seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID))
        for index in 0..<frames { draw(index) }
        let each = 1000 / Double(frames)
        return String(
            format: "%.3f %.3f", (seconds(CLOCK_MONOTONIC) - wall) * each,
            (seconds(CLOCK_PROCESS_CPUTIME_ID) - processor) * each)
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// A picture with content, in memory of its own.
final class BenchPicture {
    let view: PictureView
    private let bytes: Int

    init(_ format: PictureFormat, _ width: Int, _ height: Int, seed: Int) {
        var total = 0
        var planes: [PlaneView] = []
        for index in 0..<format.planeCount {
            let size = format.planeSize(index, width: width, height: height)
            let stride = (size.width * format.bytesPerSample + 63) / 64 * 64
            let base = UnsafeMutableRawPointer.allocate(byteCount: stride * size.height + 64, alignment: 64)
            for byte in 0..<(stride * size.height) {
                base.storeBytes(
                    of: UInt8(truncatingIfNeeded: byte &* 31 &+ (byte >> 9) &+ seed &* 77)
                        & (format.depth > 8 && byte % 2 == 1 ? 3 : 255), toByteOffset: byte, as: UInt8.self)
            }
            planes.append(PlaneView(base: base, stride: stride, width: size.width, height: size.height))
            total += stride * size.height
        }
        bytes = total
        view = PictureView(planes[0], planes.count > 1 ? planes[1] : nil, planes.count > 2 ? planes[2] : nil)
    }

    func copy(_ other: BenchPicture) {
        for index in 0..<3 {
            view[index].base.copyMemory(
                from: other.view[index].base, byteCount: view[index].stride * view[index].height)
        }
    }
}
