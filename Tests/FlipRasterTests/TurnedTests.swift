import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// A turned look draws, from turned pictures, the turned frame.
@Suite struct TurnedTests {
    private static let turns = [false, true].flatMap { swaps in
        [(false, false), (true, false), (false, true), (true, true)].map {
            FrameTurn(swapsAxes: swaps, reversesX: $0.0, reversesY: $0.1)
        }
    }

    /// Every option of the style varies, in all eight turns.
    @Test(arguments: Places.some(Styles.all.map(\.name), every: 2)) func drawsTheTurnedFrame(style: String) throws {
        let style = try Styles.named(style)
        for (index, turn) in (Self.turns + Self.turns + Self.turns).enumerated() {
            var example = RandomCase(style: style, seed: 77_000 + UInt64(index))
            example.format = PictureFormat(
                components: .yuv, depth: index % 3 == 0 ? 10 : 8, chromaStepX: 2, chromaStepY: 2,
                chromaLocation: .center)
            // Of an odd size, the last chroma samples are clipped, and mirrored ones are elsewhere.
            (example.width, example.height) = (96 + 2 * (index % 7), 64 + 2 * (index % 5))
            if example.pattern == .noise { example.pattern = .slide }
            let look = try StyledLook(style: style, look: example.look).turned(turn)
            let (from, to) = example.pictures
            let turned = try drawn(
                look, progress: example.progress, from: coded(from, turn), to: coded(to, turn),
                background: example.background)
            let difference = PictureDifference(shown(turned, turn), try rendered(example))
            #expect(difference.psnr >= 50, "\(turn) \(example): \(difference)")
        }
    }

    private func coded(_ picture: TestPicture, _ turn: FrameTurn) -> TestPicture {
        var picture = picture
        if turn.reversesX { picture = picture.mirroredLeftRight }
        if turn.reversesY { picture = picture.mirroredTopBottom }
        return turn.swapsAxes ? picture.transposed : picture
    }

    private func shown(_ picture: TestPicture, _ turn: FrameTurn) -> TestPicture {
        var picture = turn.swapsAxes ? picture.transposed : picture
        if turn.reversesX { picture = picture.mirroredLeftRight }
        if turn.reversesY { picture = picture.mirroredTopBottom }
        return picture
    }
}
