import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// A leaf of a bound book that turns (EFFECTS 14).
@Suite struct BookTurnTests {
    private static let planar = PictureFormat(components: .yuv, chromaStepX: 1, chromaStepY: 1)
    private static let size = (width: 240, height: 120)

    private static func layout(_ form: String, pages: Int = 8) throws -> BookLayout {
        BookLayout(try BookLayout.Form(parsing: form), pages: pages, shape: 0.7, width: size.width, height: size.height)
    }

    private static func look(_ layout: BookLayout, after index: Int, _ options: String...) throws -> StyledLook {
        let pairs = options.map { $0.split(separator: "=").map(String.init) }
        let flip = try StyledLook(
            style: Styles.flip, options: pairs.map { (try #require(LookOption(rawValue: $0[0])), $0[1]) })
        return try BookTurn(layout, after: index).styled(flip)
    }

    private static let pictures = (
        from: Pattern.natural.picture(planar, width: size.width, height: size.height, seed: 41),
        to: Pattern.natural.picture(planar, width: size.width, height: size.height, seed: 42)
    )

    /// The part of a picture from (x, y) on.
    private static func part(_ picture: TestPicture, _ x: Int, _ y: Int, _ width: Int, _ height: Int) -> TestPicture {
        var part = TestPicture(format: picture.format, width: width, height: height)
        for plane in picture.planes.indices {
            for row in 0..<height {
                for column in 0..<width {
                    part[plane: plane, x: column, y: row] = picture[plane: plane, x: x + column, y: y + row]
                }
            }
        }
        return part
    }

    /// The greatest difference between two pictures' samples, those within `border` of the edges left out.
    private static func difference(_ one: TestPicture, _ other: TestPicture, border: Int = 0) -> Int {
        var most = 0
        for plane in one.planes.indices {
            for y in border..<one.height - border {
                for x in border..<one.width - border {
                    most = max(most, abs(Int(one[plane: plane, x: x, y: y]) - Int(other[plane: plane, x: x, y: y])))
                }
            }
        }
        return most
    }

    /// Between two open spreads, what is seen within the book is a flip with a frame as large as the open book.
    @Test(arguments: ["ltr", "rtl"], [0.1, 0.3, 0.5, 0.62, 0.9]) func innerLeavesTurnAsAFlip(
        form: String, progress: Double
    ) throws {
        let layout = try Self.layout(form)
        let (x, y) = (Self.size.width / 2 - layout.length, layout.across.lowerBound)
        let book = try drawn(
            Self.look(layout, after: 1), progress: progress, from: Self.pictures.from, to: Self.pictures.to)
        let open = { Self.part($0, x, y, 2 * layout.length, layout.breadth) }
        let flip = try StyledLook(
            style: Styles.flip,
            options: [(.bend, "0.45"), (.shadow, "paper"), (.direction, form == "rtl" ? "backward" : "forward")])
        let expected = try drawn(flip, progress: progress, from: open(Self.pictures.from), to: open(Self.pictures.to))
        #expect(Self.difference(open(book), expected, border: 2) <= 1)
    }

    /// While a cover opens, the book moves to its open place: halfway, the board stands upright, and the right page is halfway as
    /// well.
    @Test func theBookMovesWhileACoverOpens() throws {
        let layout = try Self.layout("ltr")
        try #require(layout.length % 4 == 0)
        let frame = try drawn(
            Self.look(layout, after: 0, "shadow=none"), progress: 0.5, from: Self.pictures.from, to: Self.pictures.to)
        let spine = Self.size.width / 2 - layout.length / 4
        let seen = Self.part(frame, spine + 4, layout.across.lowerBound + 2, layout.length - 6, layout.breadth - 4)
        let page = Self.part(
            Self.pictures.to, Self.size.width / 2 + 4, layout.across.lowerBound + 2, layout.length - 6,
            layout.breadth - 4)
        #expect(Self.difference(seen, page) <= 1)
    }

    /// At the ends of each turn, the pages are where the pictures have them, also where a cover moves.
    @Test(arguments: ["ltr", "rtl", "pad", "ltr,no-cover"]) func turnsBeginAndEndAtRest(form: String) throws {
        let layout = try Self.layout(form)
        for index in 0..<layout.spreads - 1 {
            for (progress, picture, spread) in [
                (1e-7, Self.pictures.from, layout.spread(index)),
                (1 - 1e-7, Self.pictures.to, layout.spread(index + 1)),
            ] {
                let frame = try drawn(
                    Self.look(layout, after: index, "shadow=none"), progress: progress, from: Self.pictures.from,
                    to: Self.pictures.to)
                for isBeyond in [false, true] {
                    let side = isBeyond ? spread.beyond : spread.before
                    guard side != nil else { continue }
                    let start = max(isBeyond ? spread.spine : spread.spine - layout.length, 0)
                    let length = isBeyond ? layout.length : spread.spine - start
                    let across = layout.across.lowerBound
                    let rectangle =
                        switch layout.form.binding {
                        case .leftToRight: (start, across, length, layout.breadth)
                        case .rightToLeft: (Self.size.width - start - length, across, length, layout.breadth)
                        case .pad: (across, start, layout.breadth, length)
                        }
                    let part = { Self.part($0, rectangle.0, rectangle.1, rectangle.2, rectangle.3) }
                    #expect(Self.difference(part(frame), part(picture), border: 2) <= 1, "spread \(index), \(progress)")
                }
            }
        }
    }

    /// Beside the book lies the ground, darker where the book's shadow falls.
    @Test func theGroundIsSeenBesideTheBook() throws {
        let layout = try Self.layout("ltr")
        let frame = try drawn(
            Self.look(layout, after: 1), progress: 0.4, from: Self.pictures.from, to: Self.pictures.to,
            background: .white)
        let far = frame[plane: 0, x: 1, y: 60]
        #expect(far == 235 && frame[plane: 0, x: Self.size.width - 2, y: 60] == far)
        let beside = frame[plane: 0, x: Self.size.width / 2 - layout.length - 4, y: 60]
        // Four pixels are 1.7 standard deviations of a shadow of 50 %, which leaves 2 % of it.
        #expect((4...12).contains(Int(far) - Int(beside)))
    }
}
