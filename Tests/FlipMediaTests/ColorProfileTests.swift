import FlipMedia
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
        #expect(
            ColorProfile(ProfileFile.make("2.2", ProfileFile.sRGB, curve: ProfileFile.gamma(2.2))).primaries == "bt709",
            "gamma 2.2 is near")
        #expect(ColorProfile(ProfileFile.make("1.8", ProfileFile.sRGB, curve: ProfileFile.gamma(1.8))).primaries == nil)
        #expect(
            ColorProfile(ProfileFile.make("linear", ProfileFile.sRGB, curve: ProfileFile.gamma(1))).primaries == nil)
        let gray = ProfileFile.make("Gray", [], curve: ProfileFile.gamma(2.2), space: "GRAY", curveNames: ["kTRC"])
        #expect(ColorProfile(gray).primaries == "bt709")
        #expect(ColorProfile(ProfileFile.make("CMYK", ProfileFile.sRGB, space: "CMYK")).primaries == nil)
    }

    /// A profile that is cut off or points outside itself is treated as unknown.
    @Test func damagedProfilesAreUnknown() {
        let whole = ProfileFile.make("Display P3", ProfileFile.displayP3, curveNames: ["rTRC"])
        for count in stride(from: 0, to: whole.count - 40, by: 7) {
            #expect(ColorProfile(Array(whole.prefix(count))).primaries == nil, "\(count) bytes")
        }
        var wild = whole
        for index in 136..<144 { wild[index] = 0xFF }
        #expect(ColorProfile(wild).name == "'unnamed'")
        #expect(ColorProfile(wild).primaries == "smpte432")
    }

    private func sample(_ value: Double) -> UInt16 { UInt16((65535 * value).rounded()) }

    /// A color in samples of 16 bits, converted by `profile`.
    private func converted(_ profile: [UInt8], _ color: [Double]) throws -> [Double] {
        let change = try #require(ColorProfile(profile).change)
        var (red, green, blue) = (sample(color[0]), sample(color[1]), sample(color[2]))
        change.convert(red: &red, green: &green, blue: &blue, count: 1)
        return [red, green, blue].map { Double($0) / 65535 }
    }

    /// The matrices from the primaries of Adobe RGB (1998) and of ROMM RGB (ISO 22028-2, adapted from D50 by the Bradford
    /// matrix) to those of BT.709, computed from their chromaticities.
    @Test(arguments: [
        (ProfileFile.adobe, 2.2, [[1.3984, -0.3984, 0], [0, 1, 0], [0, -0.0429, 1.0429]]),
        (
            ProfileFile.proPhoto, 1.8,
            [[2.0343, -0.7274, -0.3067], [-0.2288, 1.2317, -0.0029], [-0.0086, -0.1533, 1.1619]]
        ),
        (ProfileFile.sRGB, 1.0, [[1.0, 0, 0], [0, 1, 0], [0, 0, 1]]),
    ]) func profilesWithAMatrixBecomeSRGB(colorants: [[Double]], gamma: Double, matrix: [[Double]]) throws {
        let profile = ProfileFile.make("wide", colorants, curve: ProfileFile.gamma(gamma))
        #expect(ColorProfile(profile).primaries == nil)
        // The curve has 8 fractional bits.
        let exponent = (gamma * 256).rounded() / 256
        for color in [
            [0, 0, 0], [1, 1, 1], [0.5, 0.5, 0.5], [0.8, 0.4, 0.2], [0, 1, 0], [0.2, 0.3, 0.9], [0.02, 0.01, 0.03],
        ] {
            let light = color.map { pow($0, exponent) }
            let meant = matrix.map { row -> Double in
                let value = max(0, min(1, zip(row, light).reduce(0) { $0 + $1.0 * $1.1 }))
                return value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055
            }
            let found = try converted(profile, color)
            // Half a code of 8 bits.
            #expect(zip(found, meant).allSatisfy { abs($0 - $1) < 0.5 / 255 }, "\(color): \(found), not \(meant)")
        }
    }

    @Test func curvesHaveTheirForms() throws {
        // Of one number, of a table, and of parameters (type 0): all the square.
        let table = (0...64).flatMap { ProfileFile.number(Int((65535 * pow(Double($0) / 64, 2)).rounded()), bytes: 2) }
        let head = { (name: String) in Array(name.utf8) + [0, 0, 0, 0] }
        for curve in [
            ProfileFile.gamma(2), head("curv") + ProfileFile.number(65) + table,
            head("para") + [0, 0, 0, 0] + ProfileFile.number(2 << 16),
        ] {
            let wide = ProfileFile.make("wide", ProfileFile.adobe, curve: curve)
            let found = try converted(wide, [0.5, 0.5, 0.5])
            let meant = 1.055 * pow(0.25, 1 / 2.4) - 0.055
            #expect(found.allSatisfy { abs($0 - meant) < 0.5 / 255 }, "\(found), not \(meant)")
        }
    }

    /// What has tables, or lacks a curve, isn't converted by its matrix.
    @Test func otherProfilesHaveNoChange() {
        let curve = ProfileFile.gamma(1.8)
        let lacking = ProfileFile.make("x", ProfileFile.adobe, curve: curve, curveNames: ["rTRC"])
        #expect(ColorProfile(lacking).change == nil)
        let tables = ProfileFile.make(
            "x", ProfileFile.adobe, curve: curve, curveNames: ["rTRC", "gTRC", "bTRC", "A2B0"])
        #expect(ColorProfile(tables).change == nil)
        #expect(ColorProfile(ProfileFile.make("CMYK", ProfileFile.adobe, curve: curve, space: "CMYK")).change == nil)
        #expect(ColorProfile(ProfileFile.make("P3", ProfileFile.displayP3)).change == nil, "video has a name for it")
    }

    /// A table that is wrong anywhere is used or refused, and nothing is read beyond the profile's end.
    @Test func damagedTablesDoNoHarm() throws {
        let whole = ProfileFile.table("Scanner", space: "RGB ", grid: 3) { [$0[1], $0[2], $0[0]] }
        #expect(ColorProfile(whole).change?.components == 3)
        #expect(
            ColorProfile(ProfileFile.table("Ink", space: "CMYK", grid: 2) { Array($0[1...]) }).change?.components == 4)
        for count in 0..<whole.count {
            #expect(ColorProfile(Array(whole.prefix(count))).change == nil, "\(count) bytes")
        }
        var random = SplitMix64(seed: 1)
        for _ in 0..<1000 {
            var wild = whole
            for _ in 0..<3 { wild[Int.random(in: 0..<300, using: &random)] = UInt8.random(in: 0...255, using: &random) }
            let change = ColorProfile(wild).change
            guard change?.components == 3 else { continue }
            var (red, green, blue) = (UInt16(1000), UInt16(60000), UInt16(30000))
            change?.convert(red: &red, green: &green, blue: &blue, count: 1)
        }
    }

    /// Links between devices, effects and named colors aren't profiles of pictures.
    @Test(arguments: ["link", "abst", "nmcl"]) func otherClassesHaveNoChange(name: String) {
        var profile = ProfileFile.table("x", space: "RGB ", grid: 2) { $0 }
        profile.replaceSubrange(12..<16, with: Array(name.utf8))
        #expect(ColorProfile(profile).change == nil)
    }
}
