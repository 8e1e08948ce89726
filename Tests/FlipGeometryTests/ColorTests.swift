import FlipGeometry
import Testing

/// CSS colors are read as sRGB.
@Suite struct ColorTests {
    private func bytes(_ color: Color) -> [Double] {
        [color.red, color.green, color.blue, color.alpha].map { $0 * 255 }
    }

    @Test func readsNamesAndDigits() throws {
        let cases: [(String, [Double])] = [
            ("black", [0, 0, 0, 255]), ("White", [255, 255, 255, 255]), ("red", [255, 0, 0, 255]),
            ("green", [0, 128, 0, 255]), ("lime", [0, 255, 0, 255]), ("navy", [0, 0, 128, 255]),
            ("rebeccapurple", [102, 51, 153, 255]), ("slategrey", [112, 128, 144, 255]),
            ("slategray", [112, 128, 144, 255]), ("transparent", [0, 0, 0, 0]), ("orange", [255, 165, 0, 255]),
            ("#123456", [18, 52, 86, 255]), ("#ABCDEF80", [171, 205, 239, 128]), ("#f00", [255, 0, 0, 255]),
            ("#1238", [17, 34, 51, 136]), ("  #ffffff ", [255, 255, 255, 255]),
        ]
        for (text, expected) in cases {
            let parts = try bytes(Color(parsing: text))
            #expect(zip(parts, expected).allSatisfy { abs($0 - $1) < 1e-9 }, "\(text): \(parts)")
        }
    }

    @Test func writesWhatItReads() throws {
        for text in ["#000000", "#0102fe", "#abcdef", "#abcdef80"] {
            #expect(try Color(parsing: text).description == text)
        }
        #expect(try Color(parsing: "white").description == "#ffffff")
        #expect(try Color(parsing: "transparent").description == "#00000000")
    }

    /// A color's components are clamped to 0...1, and NaN becomes 0.
    @Test func partsStayInRange() throws {
        let color = Color(red: 1.5, green: -.infinity, blue: .nan, alpha: .infinity)
        #expect(color == Color(red: 1, green: 0, blue: 0, alpha: 1) && color.description == "#ff0000")
        var changed = Color.white
        (changed.red, changed.green, changed.blue, changed.alpha) = (.nan, 7, -1, 1.5)
        #expect(changed == Color(red: 0, green: 1, blue: 0, alpha: 1))
        changed.alpha = -0.5
        #expect(changed.description == "#00ff0000")
        changed.blue = 0.5
        #expect(changed.blue == 0.5)
    }

    @Test(arguments: [
        "", "#", "#12", "#12345", "#1234567", "#123456789", "#12345g", "reddish", "fff", "#１２３", "#-12345",
    ])
    func refusesWhatIsNoColor(text: String) {
        let error = #expect(throws: OptionError.self) { try Color(parsing: text) }
        #expect(error?.description.contains("'\(text)'") == true)
    }
}
