import FlipFrame
import TestSupport
import Testing

/// What can't be drawn is refused with a sentence, and nothing is written.
@Suite struct FrameErrorTests {
    private func refusal(_ body: () throws -> Void) -> FrameError? {
        do {
            try body()
            return nil
        } catch {
            return error as? FrameError
        }
    }

    @Test func formatsAreChecked() throws {
        for name in ["yuyv422", "p010le", "pal8", "yuv420p10be", "", "gbrpf32le"] {
            let error = refusal { _ = try FrameFormat(name, width: 8, height: 8) }
            #expect(error?.kind == .unsupportedFormat && error?.message.contains("'\(name)'") == true)
            #expect(!FrameFormat.supports(name))
        }
        for (width, height) in [(0, 8), (8, 0), (16385, 8), (-1, 8)] {
            let error = refusal { _ = try FrameFormat("gray", width: width, height: height) }
            #expect(error?.kind == .unsupportedFormat && error?.message.contains("\(width)x\(height)") == true)
        }
        let format = try FrameFormat("nv12", width: 5, height: 3)
        #expect(format.planes.map(\.rows) == [3, 2] && format.planes.map(\.rowBytes) == [5, 6])
        #expect(format.range == .limited && !format.hasAlpha && format.bytesPerSample == 1)
        #expect(try FrameFormat("rgba64le", width: 1, height: 1).hasAlpha)
    }

    /// A message stays on one line whatever it quotes.
    @Test func messagesAreOneLine() {
        #expect(FrameError(.invalidOption, "invalid mode 'a\nb\r\nc\u{2028}d'").message == "invalid mode 'a b c d'")
    }

    @Test func rendererAndTransitionAreChecked() throws {
        let format = try FrameFormat("gray", width: 8, height: 8)
        for threads in [0, 257, -1] {
            #expect(refusal { _ = try FrameRenderer(format, threads: threads) }?.message.contains("1...256") == true)
        }
        #expect(refusal { _ = try FrameTransition(Styles.flip, .creases(2)) }?.kind == .invalidOption)
        #expect(refusal { _ = try FrameTransition(Styles.fold, .creases(17)) }?.message.contains("1...16") == true)
        #expect(try FrameTransition(Styles.fold, .mode(.cubic)).description == "fold=mode=cubic")
        #expect(try FrameTransition(Styles.dissolve).progress(at: 0.25) == 0.25)
    }

    @Test func memoryIsChecked() throws {
        let format = try FrameFormat("yuv420p10le", width: 4, height: 4)
        let renderer = try FrameRenderer(format)
        let transition = try FrameTransition()
        let blocks = (0..<3).map { _ in GuardedSamples<UInt16>((0..<24).map { UInt16($0) }) }
        defer { withExtendedLifetime(blocks) {} }
        func picture(_ index: Int) throws -> FramePicture {
            try FramePicture(UnsafeMutableRawBufferPointer(start: blocks[index].start, count: 48), format)
        }
        func refused(_ word: String, _ change: (inout [FramePicture], inout Double) -> Void) throws {
            var (pictures, progress) = (try (0..<3).map(picture), 0.5)
            change(&pictures, &progress)
            let error = refusal {
                try renderer.draw(transition, progress: progress, from: pictures[0], to: pictures[1], into: pictures[2])
            }
            #expect(
                error?.kind == .invalidArgument && error?.message.contains(word) == true, "\(word): \(error as Any)")
            #expect(blocks.allSatisfy { $0.numbers == (0..<24).map { UInt16($0) } && $0.isIntact })
        }
        try refused("0...1") { $1 = 1.01 }
        try refused("0...1") { $1 = .nan }
        try refused("'to' has no plane 2") { pictures, _ in pictures[1].planes.removeLast() }
        try refused("stride of plane 1 of 'from'") { pictures, _ in pictures[0].planes[1].stride = 3 }
        try refused("stride") { pictures, _ in pictures[2].planes[0].stride = .min }
        try refused("odd addresses") { pictures, _ in pictures[0].planes[0].start += 1 }
        try refused("'from' and 'into' share memory") { pictures, _ in pictures[2] = pictures[0] }
        try refused("planes 0 and 2") { pictures, _ in pictures[2].planes[2].start = pictures[2].planes[0].start }
        let short = refusal {
            _ = try FramePicture(UnsafeMutableRawBufferPointer(start: blocks[0].start, count: 47), format)
        }
        #expect(short?.message.contains("expected 48") == true)
    }
}
