import FlipBase
import FlipDeck
import FlipRender
import TestSupport
import Testing

/// Films on slides in the preview, which draws pages smaller than they were made, and joins without what is before them.
@Suite(.enabled(if: Places.has("soffice"), "needs LibreOffice: scripts/setup --tests installs it"))
struct PreviewedFilmTests {
    @Test(.timeLimit(.minutes(3))) func filmsKeepTheirPlaceAndTime() throws {
        let folder = try TemporaryFolder()
        let film = folder / "film.mp4"
        // Every frame differs from its neighbors everywhere.
        try Tool.ffmpeg(
            "-f lavfi -i color=gray:s=160x92:r=25:d=2,format=yuv420p,geq=lum='60+mod(N*47,100)+X/4':cb=128:cr=128",
            "-c:v libx264 -crf 4 \(film)")
        let picture = DeckFiles.mediaPicture(
            shape: 4, isFilm: true, x: 3_048_000, y: 1_714_500, width: 6_096_000, height: 3_429_000)
        let members =
            DeckFiles.powerPoint(
                [DeckFiles.slide(color: "00ff00", shapes: picture), DeckFiles.slide(color: "0000ff")],
                relations: [1: DeckFiles.mediaRelations("film.mp4", isFilm: true)]) + [
                try DeckFiles.poster(),
                DeckFiles.Member("ppt/media/film.mp4", try Data(contentsOf: film)),
            ]
        let deck = folder / "deck.pptx"
        try DeckFiles.zip(members).write(to: deck)
        let change = try TransitionSpec(parsing: "push=duration=10f")
        var spec = DeckSpec(inputs: [deck], transitions: [change], output: OutputSettings(path: folder / "out.mp4"))
        spec.output.size = (640, 360)
        spec.hold = .seconds(Rational(1))
        let plans = try SeamPlans(try Deck(spec).composition)
        let join = folder / "join.mp4"
        try SeamFilm.render(plans, join: 0, change, width: 160).write(to: join)

        // The slide lasts the 50 frames of its film, and 10 more in the transition. The preview begins 25 frames before
        // that. Quarters of 90 lines are rounded to whole chroma samples: 22 and 68.
        let shown = try Judge.frames(join, filter: "select='lt(n,25)',crop=80:46:40:22", format: "gray")
        let own = try Judge.frames(film, filter: "select='gte(n,25)',scale=80:46", format: "gray")
        let size = 80 * 46
        #expect(shown.count == 25 * size && own.count == 25 * size)
        for frame in 0..<min(shown.count, own.count) / size {
            let squares = (frame * size..<(frame + 1) * size).map { pow(Double(shown[$0]) - Double(own[$0]), 2) }
            #expect(squares.reduce(0, +) / Double(size) < 65, "frame \(frame) has less than 30 dB")
        }
        // Left of it there is only the page, of one color but for what the encoder adds.
        let left = try Judge.frames(join, filter: "select='lt(n,25)',crop=36:90:0:0", format: "gray")
        #expect((left.max() ?? 255) - (left.min() ?? 0) <= 8)
    }
}
