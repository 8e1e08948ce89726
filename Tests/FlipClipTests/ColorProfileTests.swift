import FlipClip
import TestSupport
import Testing

/// ICC profiles built by hand (ICC.1:2022 7, 10).
@Suite struct ColorProfileTests {
    @Test func primariesAreKnownByTheirColors() {
        #expect(ColorProfile(ProfileFile.make("sRGB", ProfileFile.sRGB)).primaries == "bt709")
        #expect(ColorProfile(ProfileFile.make("Display P3", ProfileFile.displayP3)).primaries == "smpte432")
        let adobe = ColorProfile(ProfileFile.make("Adobe RGB", ProfileFile.adobe))
        #expect(adobe.primaries == nil && adobe.name == "'Adobe RGB'")
    }

    @Test func otherCurvesAndSpacesAreNotTaken() {
        let gamma = { (value: Int) in
            Array("curv".utf8) + [0, 0, 0, 0] + ProfileFile.number(1) + ProfileFile.number(value, bytes: 2)
        }
        #expect(
            ColorProfile(ProfileFile.make("2.2", ProfileFile.sRGB, curve: gamma(563))).primaries == "bt709",
            "gamma 2.2 is near")
        #expect(ColorProfile(ProfileFile.make("1.8", ProfileFile.sRGB, curve: gamma(461))).primaries == nil)
        #expect(ColorProfile(ProfileFile.make("linear", ProfileFile.sRGB, curve: gamma(256))).primaries == nil)
        let gray = ProfileFile.make("Gray", [], curve: gamma(563), space: "GRAY", curveName: "kTRC")
        #expect(ColorProfile(gray).primaries == "bt709")
        #expect(ColorProfile(ProfileFile.make("CMYK", ProfileFile.sRGB, space: "CMYK")).primaries == nil)
    }

    /// A profile that is cut off or points outside itself is treated as unknown.
    @Test func damagedProfilesAreUnknown() {
        let whole = ProfileFile.make("Display P3", ProfileFile.displayP3)
        for count in stride(from: 0, to: whole.count - 40, by: 7) {
            #expect(ColorProfile(Array(whole.prefix(count))).primaries == nil, "\(count) bytes")
        }
        var wild = whole
        for index in 136..<144 { wild[index] = 0xFF }
        #expect(ColorProfile(wild).name == "'unnamed'")
        #expect(ColorProfile(wild).primaries == "smpte432")
    }
}
