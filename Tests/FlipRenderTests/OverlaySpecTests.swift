import FlipBase
import FlipGeometry
import FlipRender
import Testing

/// What people type as overlays.
@Suite struct OverlaySpecTests {
    @Test func aFileHasAPlaceAndKeys() throws {
        let spec = try OverlaySpec(
            parsingFile: "logo.png@top-right:opacity=0.6:margin=20px:width=10%:from=1.5:to=1\\:30:layer=page")
        #expect(spec.path == "logo.png" && spec.place.name == "top-right" && spec.layer == .page)
        #expect(spec.opacity == 0.6 && spec.margin == .pixels(20) && spec.width == .percent(10) && spec.height == nil)
        #expect(spec.start == Rational(3, 2) && spec.end == Rational(90) && !spec.isHeard)
        let plain = try OverlaySpec(parsingFile: "a/b c.mp4@center")
        #expect(plain.layer == .above && plain.opacity == 1 && plain.margin == .percent(3) && plain.end == nil)
    }

    /// Of several `@`, the last one stands before the place, and colons are escaped.
    @Test func namesMayHaveAtAndColon() throws {
        #expect(try OverlaySpec(parsingFile: "logo@2x.png@left").path == "logo@2x.png")
        #expect(try OverlaySpec(parsingFile: "a\\:b.png@left:opacity=1").path == "a:b.png")
        let text = try OverlaySpec(parsingText: "me@example.org, from 12\\:30\\nor \\\\n later@bottom")
        #expect(text.content == .text("me@example.org, from 12:30\nor \\n later"))
    }

    @Test func aTextHasItsOwnKeys() throws {
        let spec = try OverlaySpec(
            parsingText: "{slide}/{slides}@bottom:size=5%:color=#ff000080:font=DejaVu Sans:box=on")
        #expect(spec.size == .percent(5) && spec.font == "DejaVu Sans" && spec.hasBox && spec.color.red == 1)
        let number = try OverlaySpec(parsingNumbers: "bottom-right:color=gray")
        #expect(number.content == .text("{slide}") && number.layer == .page && number.size == .percent(3))
        let gray = try Color(parsing: "gray")
        #expect(number.place.name == "bottom-right" && number.color == gray)
    }

    @Test(
        arguments: [
            ("logo.png", "there is no @"), ("@top", "no file"), ("logo.png@middle", "expected center|top"),
            ("logo.png@top-rigth", "did you mean 'top-right'"), ("a.png@top:opacity", "expected key=value"),
            ("a.png@top:opacity=2", "0.0...1.0"), ("a.png@top:opacity=1:opacity=1", "twice"),
            ("a.png@top:margin=3", "expected 0.0...50.0%"), ("a.png@top:width=0%", "width"),
            ("a.png@top:size=4%", "unknown key 'size'"), ("a.png@top:opacty=1", "did you mean 'opacity'"),
            ("a.png@top:from=2:to=1", "can't end at 1 s"), ("a.png@top:to=0", "can't end at 0 s"),
            ("a.png@top:from=x", "invalid from"), ("a.png@top:layer=below", "above|page"),
            ("a.png@top:audio=yes", "on|off"), ("a:b.png@top", "a colon before the @"),
        ])
    func wrongFilesAreRefused(text: String, words: String) throws {
        let error = try #require(throws: OptionError.self) { try OverlaySpec(parsingFile: text) }
        #expect(error.description.contains(words), "\(error.description)")
    }

    @Test(
        arguments: [
            ("Hello", "there is no @"), (" @top", "1...500 characters"), ("a\u{7}b@top", "control characters"),
            (String(repeating: "x", count: 501) + "@top", "1...500"), ("{slied}@top", "unknown word '{slied}'"),
            ("x@top:width=10%", "unknown key 'width'"), ("x@top:font=a,b", "invalid font"),
            ("x@top:color=bluish", "invalid color"), ("x@top:size=90%", "size"),
            ("at 12:30@top", "a colon before the @"),
        ])
    func wrongTextsAreRefused(text: String, words: String) throws {
        let error = try #require(throws: OptionError.self) { try OverlaySpec(parsingText: text) }
        #expect(error.description.contains(words), "\(error.description)")
    }

    /// Braces that no word is in stay as they are.
    @Test func otherBracesAreText() throws {
        #expect(try OverlaySpec(parsingText: "f(x) = { 1, 2 }@top").content == .text("f(x) = { 1, 2 }"))
    }
}
