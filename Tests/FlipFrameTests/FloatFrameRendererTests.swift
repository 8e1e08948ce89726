import FlipFrame
import TestSupport
import Testing

/// Frames of floats in the library; FlipRasterTests judge the samples.
@Suite struct FloatFrameRendererTests {
    private let width = 32
    private let height = 18

    /// The samples of a picture with `channels` each of noise in 0...1.
    private func noise(_ seed: UInt64, channels: Int) -> [Float] {
        var random = SplitMix64(seed: seed)
        return (0..<width * height * channels).map { index in
            channels == 4 && index % 4 == 3 ? 1 : Float(random.next() % 65536) / 65535
        }
    }

    private func drawn(
        _ alpha: FloatFrameRenderer.Alpha, progress: Double, _ from: [Float], _ to: [Float]
    ) throws -> [Float] {
        let renderer = try FloatFrameRenderer(width: width, height: height, alpha: alpha, background: .black)
        var (from, to, into) = (from, to, [Float](repeating: 0, count: from.count))
        let transition = try FrameTransition(Styles.card)
        try from.withUnsafeMutableBytes { from in
            try to.withUnsafeMutableBytes { to in
                try into.withUnsafeMutableBytes { into in
                    let planes = [from, to, into].map {
                        FramePicture.Plane($0.baseAddress!, stride: renderer.rowBytes)
                    }
                    try renderer.draw(transition, progress: progress, from: planes[0], to: planes[1], into: planes[2])
                }
            }
        }
        return into
    }

    /// A frame is the one of 8 bits, but for the rounding of these.
    @Test(arguments: FloatFrameRenderer.Alpha.allCases) func framesAreThoseOfBytes(
        alpha: FloatFrameRenderer.Alpha
    ) throws {
        let channels = alpha == .none ? 3 : 4
        let bytes = [1, 2].map { seed in noise(seed, channels: channels).map { UInt8(($0 * 255).rounded()) } }
        let floats = bytes.map { $0.map { Float($0) / 255 } }
        let format = try FrameFormat(channels == 3 ? "rgb24" : "rgba", width: width, height: height)
        var (from, to, into) = (bytes[0], bytes[1], bytes[0])
        try from.withUnsafeMutableBytes { from in
            try to.withUnsafeMutableBytes { to in
                try into.withUnsafeMutableBytes { into in
                    try FrameRenderer(format, background: .black).draw(
                        try FrameTransition(Styles.card), progress: 0.3, from: try FramePicture(from, format),
                        to: try FramePicture(to, format), into: try FramePicture(into, format))
                }
            }
        }
        let frame = try drawn(alpha, progress: 0.3, floats[0], floats[1])
        let worst = zip(frame, into).reduce(0) { max($0, abs($1.0 * 255 - Float($1.1))) }
        #expect(worst <= 1)
        #expect(try drawn(alpha, progress: 0, floats[0], floats[1]) == floats[0])
        #expect(try drawn(alpha, progress: 1, floats[0], floats[1]) == floats[1])
    }

    @Test func whatCannotBeDrawnIsAnError() throws {
        #expect(throws: FrameError.self) { try FloatFrameRenderer(width: 0, height: 5, alpha: .none) }
        #expect(throws: FrameError.self) { try FloatFrameRenderer(width: 5, height: 5, alpha: .none, threads: 0) }
        let renderer = try FloatFrameRenderer(width: 4, height: 4, alpha: .straight)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 64)
        defer { memory.deallocate() }
        let base = memory.baseAddress!
        let planes = (0..<3).map { FramePicture.Plane(base + 256 * $0, stride: 64) }
        let transition = try FrameTransition()
        let wrong: [(Double, FramePicture.Plane, FramePicture.Plane)] = [
            (1.5, planes[0], planes[2]), (.nan, planes[0], planes[2]), (0.5, planes[2], planes[2]),
            (0.5, FramePicture.Plane(base + 1, stride: 64), planes[2]),
            (0.5, FramePicture.Plane(base, stride: 60), planes[2]),
        ]
        for (progress, from, into) in wrong {
            #expect(throws: FrameError.self) {
                try renderer.draw(transition, progress: progress, from: from, to: planes[1], into: into)
            }
        }
        try renderer.draw(transition, progress: 0.5, from: planes[0], to: planes[1], into: planes[2])
    }
}
