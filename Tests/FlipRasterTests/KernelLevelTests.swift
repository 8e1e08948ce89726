import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// No test runs on 64-bit ARM, so the compiler at least sees the loops for it.
@Suite(.enabled(if: Places.has("clang"), "needs clang")) struct ForeignKernelTests {
    @Test(arguments: ["kernels", "lines", "means", "neon", "windows"]) func compileFor64BitARM(name: String) throws {
        try Tool.succeed(
            "clang", "--target=aarch64-linux-gnu -ffreestanding -fsyntax-only -Wall -Wextra -Werror",
            "-Wno-unused-function -x c \(Places.package)/Sources/CKernels/\(name).h")
    }
}

/// Whole frames are identical at every kernel level that the machine supports. On a machine that has only one the suite is
/// skipped, which also tells that the kernels' own tests compared the scalar definitions only with themselves.
@Suite(.enabled(if: KernelLevel.available.count > 1, "this machine can only run the scalar definitions"))
struct KernelLevelTests {
    private static let formats = [
        PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2),
        PictureFormat(components: .yuv, depth: 10, chromaStepX: 2, chromaStepY: 1, chromaLocation: .center),
        PictureFormat(components: .gray, depth: 12),
        PictureFormat(components: .gbr, depth: 16, isFullRange: true),
        PictureFormat(components: .gbr, depth: 10, isFullRange: true, hasAlpha: true),
    ]

    @Test(arguments: Places.some(Styles.all.map(\.name), every: 4)) func drawTheSameFrames(style: String) throws {
        for (index, format) in Self.formats.enumerated() {
            // Wider than a tile, and with more rows than lie between two rebases.
            let (width, height) = (271 - index, 150 + index)
            let from = Pattern.noise.picture(format, width: width, height: height, seed: 1)
            let to = Pattern.natural.picture(format, width: width, height: height, seed: 2)
            for orientation in Orientation.allCases {
                for progress in [0.2, 0.49, 0.7] {
                    let look = try StyledLook.named(style) {
                        $0.orientation = orientation
                        $0.viewpoint = Viewpoint(x: 0.4, y: 0.7)
                    }
                    let frames = try KernelLevel.available.map {
                        try drawn(look, progress: progress, from: from, to: to, background: .white, level: $0)
                    }
                    #expect(frames.dropFirst().allSatisfy { $0 == frames[0] }, "\(look) \(format) p=\(progress)")
                }
            }
        }
    }

    /// By default, renderers use the fastest level, which is the last one.
    @Test func theFastestIsUsed() {
        #expect(KernelLevel.best == KernelLevel.available.last)
        #expect(KernelLevel.available.first == .scalar)
    }
}
