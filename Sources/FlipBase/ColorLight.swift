#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What the R'G'B' values of a video signal mean: its transfer function and its primaries, as far as colors that are
/// given in sRGB have to be converted for them.
package struct ColorLight: Sendable, Hashable {
    package enum Transfer: Sendable, Hashable {
        /// Any function of standard dynamic range. They count as one, since players show them alike.
        case sdr
        /// The perceptual quantizer (SMPTE ST 2084).
        case pq
        /// Hybrid log-gamma (ARIB STD-B67).
        case hlg
    }

    package enum Gamut: Sendable, Hashable {
        /// The primaries of sRGB and HD, or others that aren't much wider.
        case bt709
        case displayP3
        case bt2020
    }

    package var transfer: Transfer
    package var gamut: Gamut

    package init(_ transfer: Transfer, _ gamut: Gamut) { (self.transfer, self.gamut) = (transfer, gamut) }

    /// SDR with the primaries of sRGB, whose values are the same.
    package static let sdr = ColorLight(.sdr, .bt709)
    package static let pq = ColorLight(.pq, .bt2020)
    package static let hlg = ColorLight(.hlg, .bt2020)

    /// The luminance of SDR white in HDR, in cd/m2 (ITU-R BT.2408-7, 2.2).
    package static let diffuseWhite = 203.0
    /// The luminance that HLG is defined for, in cd/m2, at which its system gamma is 1.2 (ITU-R BT.2100-2, table 5).
    private static let hlgPeak = 1000.0

    /// The R'G'B' values, each 0...1, of a color whose sRGB R'G'B' values are given, each 0...1. White becomes diffuse
    /// white.
    package func encoded(red: Double, green: Double, blue: Double) -> (red: Double, green: Double, blue: Double) {
        if self == .sdr { return (red, green, blue) }
        let light = [red, green, blue].map(Self.linear)
        let own = matrix.map { row in min(max(row[0] * light[0] + row[1] * light[1] + row[2] * light[2], 0), 1) }
        let signal: [Double]
        switch transfer {
        case .sdr: signal = own.map(Self.srgb)
        case .pq: signal = own.map { Self.perceptual($0 * Self.diffuseWhite) }
        case .hlg:
            let luminance = 0.2627 * own[0] + 0.6780 * own[1] + 0.0593 * own[2]
            signal = own.map { Self.hybrid($0, luminance: luminance) }
        }
        return (signal[0], signal[1], signal[2])
    }

    /// From linear light with the primaries of BT.709 to linear light with these.
    private var matrix: [[Double]] {
        switch gamut {
        case .bt709: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        // Computed from the chromaticities, both with D65 as white (SMPTE RP 431-2, SMPTE EG 432-1).
        case .displayP3: [[0.8225, 0.1775, 0], [0.0332, 0.9668, 0], [0.0171, 0.0724, 0.9105]]
        // ITU-R BT.2087-0, 4.
        case .bt2020: [[0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956]]
        }
    }

    /// The linear light of an sRGB value (IEC 61966-2-1).
    private static func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func srgb(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    /// The PQ value of a luminance in cd/m2 (ITU-R BT.2100-2, table 4).
    private static func perceptual(_ luminance: Double) -> Double {
        if luminance <= 0 { return 0 }
        let power = pow(luminance / 10_000, 2610.0 / 16384)
        return pow((3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
    }

    /// The HLG value of a component of a color that is shown as `luminance`; 1 stands for diffuse white in both
    /// (ITU-R BT.2100-2, table 5: the inverse of the opto-optical transfer function, then the opto-electronic one).
    private static func hybrid(_ component: Double, luminance: Double) -> Double {
        if luminance <= 0 { return 0 }
        let white = diffuseWhite / hlgPeak
        let scene = component * white * pow(luminance * white, (1 - 1.2) / 1.2)
        return scene <= 1.0 / 12 ? (3 * scene).squareRoot() : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
    }
}
