import FlipBase
import FlipMedia
import FlipRender
import FlipSplice
import Synchronization
import TestSupport
import Testing

/// A partly copied file is refused if faults were put into it.
@Suite(.serialized) struct SeamCheckTests {
    let folder = TemporaryFolder.make()

    /// A clip in which little moves: a square of 12x12 pixels moves by 2 pixels per frame over a plain background.
    private func clip(_ name: String, hue: Int) throws -> String {
        try Clips.shared.get().make(
            name + ".mp4", "-f lavfi -i color=0x806040:s=160x96:r=25:d=100 -f lavfi -i sine=r=48000:d=100",
            "-f lavfi -i color=white:s=12x12:r=25:d=100 -filter_complex",
            "[0][2]overlay=x=mod(n*2\\,150):y=40,hue=h=\(hue),format=yuv420p -frames:v 60 -c:v libx264 -g 20",
            "-sc_threshold 0 -colorspace bt709 -color_primaries bt709 -color_trc bt709 -c:a aac -shortest")
    }

    private func plan(_ path: String, _ mode: RenderMode = .smart, crf: Double = 20) throws -> RenderPlan {
        var output = OutputSettings(path: path)
        output.render = mode
        output.crf = crf
        output.threads = 2
        let inputs = try [clip("seam-a", hue: 0), clip("seam-b", hue: 100)]
        return try Planner.plan(
            Composition(
                inputs: inputs.map { ClipSpec(path: $0) },
                transitions: [try TransitionSpec(parsing: "flip=duration=8f")], output: output))
    }

    /// The range of output frames that are encoded, 52...71: those of the clips between a keyframe and the transition,
    /// and the transition's.
    private func encoded() throws -> Range<Int> {
        let folder = try TemporaryFolder()
        return encoded(try plan(folder / "none.mp4"))
    }

    private func encoded(_ plan: RenderPlan) -> Range<Int> {
        let copied = plan.timeline.placedSegments.filter { segment, _ in
            if case .copy = segment { true } else { false }
        }
        return copied[0].1.upperBound..<copied[1].1.lowerBound
    }

    /// The reason for which a rendering with `distortion` is refused; nil if it is not.
    private func refusal(crf: Double = 20, _ distortion: @escaping Pipeline.Distortion) throws -> String? {
        let folder = try TemporaryFolder()
        let plan = try plan(folder / "out.mp4", crf: crf)
        do {
            _ = try Pipeline(plan, distortion: distortion).run { _ in }
        } catch let failure as SpliceFailure {
            #expect(try folder.names.isEmpty, "nothing is left")
            return failure.reason
        }
        return nil
    }

    /// Replaces each frame in `indices` with the one before it.
    private final class Late: Sendable {
        private let kept = Mutex<VideoFrame?>(nil)
        private let indices: Range<Int>

        init(_ indices: Range<Int>) { self.indices = indices }

        func frame(_ frame: VideoFrame, _ index: Int) -> VideoFrame {
            kept.withLock { kept in
                defer { kept = frame }
                return indices.contains(index) ? kept ?? frame : frame
            }
        }
    }

    @Test(arguments: [10.0, 23, 40]) func whatIsMeantIsTaken(crf: Double) throws {
        #expect(try refusal(crf: crf) { frame, _ in frame } == nil)
    }

    /// A repeated frame is refused, although only the square has moved by two pixels, so that the frame as a whole
    /// stays above 20 dB.
    @Test func aRepeatedFrameIsRefused() throws {
        let seam = try encoded()
        let late = Late(seam.lowerBound + 2..<seam.lowerBound + 3)
        #expect(try refusal(late.frame)?.hasSuffix("shows the neighboring frame") == true)
    }

    @Test func shiftedFramesAreRefused() throws {
        let seam = try encoded()
        let late = Late(seam.lowerBound + 1..<seam.upperBound)
        #expect(try refusal(late.frame)?.hasSuffix("shows the neighboring frame") == true)
    }

    /// Frames with the right luma are refused if their chroma planes are swapped or one of them is slightly off.
    @Test(arguments: ["swapped", "shifted"]) func wrongChromaIsRefused(kind: String) throws {
        let reason = try refusal { frame, _ in
            let pool = try? FramePool(
                width: frame.width, height: frame.height, pixelFormat: PixelFormat(name: "yuv420p")!,
                color: ColorDescription(primaries: "bt709", transfer: "bt709", matrix: "bt709"))
            guard let changed = try? pool?.make() else { return frame }
            for plane in 0..<3 {
                let source = frame.plane(kind == "swapped" ? [0, 2, 1][plane] : plane)
                let (target, size) = (changed.plane(plane), changed.planeSize(plane))
                for y in 0..<size.height {
                    for x in 0..<size.width {
                        let value = source.base.load(fromByteOffset: y * source.stride + x, as: UInt8.self)
                        let wanted = kind == "shifted" && plane == 1 ? value &+ 10 : value
                        target.base.storeBytes(of: wanted, toByteOffset: y * target.stride + x, as: UInt8.self)
                    }
                }
            }
            return changed
        }
        #expect(reason != nil)
    }

    /// With `.auto`, a refused file is encoded as a whole, and the plan that is then carried out is reported.
    @Test func aRefusedFileIsEncoded() throws {
        let plan = try plan(folder / "out.mp4", .auto)
        let seam = encoded(plan)
        let late = Late(seam.lowerBound + 2..<seam.lowerBound + 3)
        let again = Mutex<[RenderPlan]>([])
        let report = try Pipeline(plan, distortion: late.frame).run { plan in
            again.withLock { $0.append(plan) }
        } progress: { _ in
        }
        #expect(again.withLock { $0 }.map(\.timeline.copiedFrames) == [0])
        #expect(report.framesCopied == 0 && report.framesEncoded == 112)
        #expect(report.warnings.filter { $0.hasPrefix("everything is encoded, since copying failed") }.count == 1)
        #expect(try Judge.video(folder / "out.mp4").frameCount == 112 && Judge.complaints(folder / "out.mp4") == "")
    }

    // MARK: Seams between the encoder's own packets

    /// Renders what is cut into segments of 17 frames, or has two pictures that are shown for 100 frames each.
    private func report(
        _ kind: Parts, _ folder: TemporaryFolder, distortion: @escaping Pipeline.Distortion = { frame, _ in frame }
    ) throws -> RenderReport {
        var output = OutputSettings(path: folder / "out.\(kind.container)")
        output.threads = 2
        output.frameRate = Rational(25)
        let inputs: [ClipSpec]
        switch kind {
        case .segments, .segmentsBesideCopies:
            output.segments = .every(.frames(kind == .segments ? 17 : 8))
            if kind == .segmentsBesideCopies { output.render = .auto }
            inputs = try [clip("seam-a", hue: 0), clip("seam-b", hue: 100)].map { ClipSpec(path: $0) }
        case .holds:
            inputs = try [0, 100].map { hue in
                let still = try Clips.shared.get().make(
                    "seam-\(hue).png", ["-i", clip("seam-a", hue: 0), "-vf", "hue=h=\(hue)", "-frames:v", "1"])
                var spec = ClipSpec(path: still)
                spec.stillDuration = Rational(4)
                return spec
            }
        }
        let plan = try Planner.plan(
            Composition(inputs: inputs, transitions: [try TransitionSpec(parsing: "flip=duration=8f")], output: output))
        #expect((plan.renderSegments.count > 1) == (kind != .holds))
        return try Pipeline(plan, distortion: distortion).run { _ in }
    }

    enum Parts: CaseIterable {
        case segments, segmentsBesideCopies, holds

        /// The number of output frames.
        var frames: Int { self == .holds ? 192 : 112 }
        /// A frame near a seam that is checked: the middle cut, at 68, and one between copies.
        var frame: Int { self == .segments ? 66 : 60 }
        var container: String { self == .holds ? "mkv" : "mp4" }
    }

    @Test(arguments: Parts.allCases) func partsThatFitAreTaken(kind: Parts) throws {
        #expect(try report(kind, folder).warnings == [])
        #expect(try Judge.video(folder / "out.\(kind.container)").frameCount == kind.frames)
    }

    /// Where a part shows something else than was meant, all is encoded in one pass, and a warning says so.
    @Test(arguments: Parts.allCases) func wrongPartsAreEncodedInOnePass(kind: Parts) throws {
        let wasDistorted = Mutex(false)
        let report = try report(kind, folder) { frame, index in
            // Of a held picture, only the first frame is passed on.
            let isWrong = kind == .holds ? index == 0 : index == kind.frame
            guard isWrong,
                !wasDistorted.withLock({ was in
                    defer { was = true }; return was
                })
            else { return frame }
            let pool = try? FramePool(
                width: frame.width, height: frame.height, pixelFormat: PixelFormat(name: "yuv420p")!,
                color: ColorDescription(primaries: "bt709", transfer: "bt709", matrix: "bt709"))
            guard let wrong = try? pool?.make() else { return frame }
            for plane in 0..<3 {
                let size = wrong.planeSize(plane)
                memset(wrong.plane(plane).base, plane == 0 ? 250 : 60, wrong.plane(plane).stride * size.height)
            }
            return wrong
        }
        #expect(report.warnings.filter { $0.hasPrefix("everything is encoded") }.count == 1, "\(report.warnings)")
        #expect(report.framesCopied == 0 && report.framesEncoded == kind.frames)
        let path = folder / "out.\(kind.container)"
        #expect(try Judge.video(path).frameCount == kind.frames && Judge.complaints(path) == "")
    }
}
