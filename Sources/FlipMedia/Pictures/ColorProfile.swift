import CLcms
import CLibav
import FlipBase
import FlipFiles

/// An ICC profile (ICC.1:2022) that comes with a picture, matched to the primaries that video has names for.
package struct ColorProfile: Sendable {
    /// The profile's title for messages, in quotation marks.
    package let name: String
    /// libav's name of the primaries; nil where video has no name for them, or where the curve is not that of a screen.
    package let primaries: String?
    /// How colors of the profile become those of sRGB; nil if `primaries` are known, and if Little CMS can't tell.
    package let change: ProfileChange?

    package init(_ bytes: [UInt8]) {
        guard let profile = cmsOpenProfileFromMem(bytes, UInt32(clamping: bytes.count)) else {
            (name, primaries, change) = ("'unnamed'", nil, nil)
            return
        }
        defer { cmsCloseProfile(profile) }
        name = "'\(Self.title(profile) ?? "unnamed")'"
        primaries = Self.primaries(profile)
        change = primaries == nil ? ProfileChange(profile) : nil
    }

    /// The profile's description; nil if there is none.
    private static func title(_ profile: cmsHPROFILE) -> String? {
        var letters = [wchar_t](repeating: 0, count: 200)
        let bytes = UInt32(letters.count * MemoryLayout<wchar_t>.stride)
        cmsGetProfileInfo(profile, cmsInfoDescription, "en", "US", &letters, bytes)
        let scalars = letters.prefix { $0 != 0 }.compactMap { Unicode.Scalar(UInt32(bitPattern: $0)) }
        let shown = scalars.filter { $0.properties.generalCategory != .control }.prefix(80)
        return shown.isEmpty ? nil : String(String.UnicodeScalarView(shown))
    }

    /// The row of `known` with the profile's colorants, if its curve is that of a screen.
    private static func primaries(_ profile: cmsHPROFILE) -> String? {
        let isGray = cmsGetColorSpace(profile) == cmsSigGrayData
        guard isGray || cmsGetColorSpace(profile) == cmsSigRgbData,
            let curve = cmsReadTag(profile, isGray ? cmsSigGrayTRCTag : cmsSigRedTRCTag),
            abs(cmsEvalToneCurveFloat(OpaquePointer(curve), 0.5) - half) < 0.015
        else { return nil }
        // Gray is the same with all primaries.
        if isGray { return "bt709" }
        let colorants = [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag].compactMap { tag in
            cmsReadTag(profile, tag)?.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
        }
        guard colorants.count == 3 else { return nil }
        let values = colorants.flatMap { [$0.X, $0.Y, $0.Z] }
        return known.first { row in zip(row.colorants, values).allSatisfy { abs($0 - $1) < 0.005 } }?.name
    }

    /// The value of sRGB's curve at 0.5 (IEC 61966-2-1). A gamma of 2.2 gives 0.2176, one of 1.8 gives 0.287.
    private static let half: Float = 0.2140

    /// X, Y and Z of red, green and blue, adapted to D50 by the Bradford matrix as profiles have them (ICC.1 Annex E),
    /// and computed from the chromaticities in ITU-T H.273 table 2. Profiles differ from these in the third decimal.
    private static let known: [(name: String, colorants: [Double])] = [
        ("bt709", [0.4361, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7139]),
        ("smpte432", [0.5151, 0.2412, -0.0011, 0.2920, 0.6922, 0.0419, 0.1571, 0.0666, 0.7841]),
        ("bt2020", [0.6735, 0.2790, -0.0019, 0.1657, 0.6753, 0.0300, 0.1251, 0.0456, 0.7969]),
    ]
}

extension ColorProfile {
    /// The profile that was read last, since a picture's is asked for several times.
    private static let last = Mutex<(bytes: [UInt8], profile: ColorProfile)?>(nil)

    /// The profile of a frame; nil if it has none.
    init?(of frame: AVFrame) {
        let bytes: [UInt8]? = withUnsafePointer(to: frame) { frame in
            guard let data = av_frame_get_side_data(frame, AV_FRAME_DATA_ICC_PROFILE)?.pointee, let base = data.data
            else { return nil }
            return Array(UnsafeBufferPointer(start: base, count: Int(data.size)))
        }
        guard let bytes else { return nil }
        self = Self.last.withLock { last in
            if let last, last.bytes == bytes { return last.profile }
            let profile = ColorProfile(bytes)
            last = (bytes, profile)
            return profile
        }
    }

    /// The way to sRGB for a picture of `format`, whose components are inks if `isInks`; nil if there is none, or if the
    /// profile is for pictures of another kind.
    func change(of format: PixelFormat, isInks: Bool = false) -> ProfileChange? {
        switch change?.components {
        case 1: format.components == .gray ? change : nil
        case 3: isInks ? nil : change
        default: isInks ? change : nil
        }
    }
}
