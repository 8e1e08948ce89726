import CLcms

/// The way from the colors of an ICC profile to those of sRGB (IEC 61966-2-1), as Little CMS computes it: relative to the
/// white of both, without black point compensation, so that colors which sRGB has stay what they are. Others are clipped.
package final class ProfileChange: @unchecked Sendable {
    /// The number of components of the profile's colors: 1 for gray, 3 for RGB, 4 for the inks of CMYK.
    package let components: Int
    /// From 8 bits, and from 16.
    private let narrow: cmsHTRANSFORM
    private let wide: cmsHTRANSFORM

    /// - Returns: nil if Little CMS can't use the profile, and if its colors aren't gray, RGB or CMYK.
    init?(_ profile: cmsHPROFILE) {
        // Others are links between devices, effects and names of colors.
        guard
            [cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass]
                .contains(cmsGetDeviceClass(profile))
        else { return nil }
        switch cmsGetColorSpace(profile) {
        case cmsSigGrayData: components = 1
        case cmsSigRgbData: components = 3
        case cmsSigCmykData: components = 4
        default: return nil
        }
        // These may ask for any number of steps for each pixel, and programs need not know them (ICC.1 9.2.17).
        for tag in [cmsSigDToB0Tag, cmsSigDToB1Tag, cmsSigDToB2Tag, cmsSigDToB3Tag] { cmsWriteTag(profile, tag, nil) }
        // Of a matrix and curves, Little CMS makes tables of integers that are as exact as 8 bits need and 30 times as fast.
        // All other tables that it makes are too coarse for colors that are clipped.
        let isMatrix = components == 3 && cmsIsMatrixShaper(profile) != 0 && cmsIsTag(profile, cmsSigAToB0Tag) == 0
        guard let target = Self.sRGB() else { return nil }
        defer { cmsCloseProfile(target) }
        let make = { [components] (bytes: Int32, flags: Int32) in
            cmsCreateTransform(
                profile, flip_lcms_format(Int32(components), bytes), target, flip_lcms_format(3, 2),
                UInt32(INTENT_RELATIVE_COLORIMETRIC), UInt32(cmsFLAGS_NOCACHE | flags))
        }
        guard let wide = make(2, cmsFLAGS_NOOPTIMIZE) else { return nil }
        guard let narrow = make(1, isMatrix ? 0 : cmsFLAGS_NOOPTIMIZE) else {
            cmsDeleteTransform(wide)
            return nil
        }
        (self.wide, self.narrow) = (wide, narrow)
    }

    /// The profile of sRGB. Little CMS computes its colorants from their chromaticities, which differ from those that
    /// everybody's profiles have by up to half a code in the shadows; so these are put in their place.
    private static func sRGB() -> cmsHPROFILE? {
        guard let profile = cmsCreate_sRGBProfile() else { return nil }
        for (tag, values) in [
            (cmsSigRedColorantTag, (0.43607, 0.22249, 0.01392)), (cmsSigGreenColorantTag, (0.38515, 0.71687, 0.09708)),
            (cmsSigBlueColorantTag, (0.14307, 0.06061, 0.71410)),
        ] {
            var colorant = cmsCIEXYZ(X: values.0, Y: values.1, Z: values.2)
            cmsWriteTag(profile, tag, &colorant)
        }
        return profile
    }

    deinit {
        cmsDeleteTransform(wide)
        cmsDeleteTransform(narrow)
    }

    /// Converts pixels. May be called by several threads at a time.
    /// - Parameters:
    ///   - sources: the samples of each component, of 8 or 16 bits.
    ///   - targets: where the samples of red, green and blue go.
    ///   - count: the number of pixels.
    package func convert<Sample: FixedWidthInteger>(
        _ sources: [[Sample]], into targets: [UnsafeMutablePointer<UInt16>], count: Int
    ) {
        var colors = [Sample](repeating: 0, count: components * count)
        colors.withUnsafeMutableBufferPointer { colors in
            for (component, source) in sources.prefix(components).enumerated() {
                for index in 0..<count { colors[components * index + component] = source[index] }
            }
        }
        var result = [UInt16](repeating: 0, count: 3 * count)
        cmsDoTransform(Sample.bitWidth == 8 ? narrow : wide, colors, &result, UInt32(count))
        for (component, target) in targets.enumerated() {
            for index in 0..<count { target[index] = result[3 * index + component] }
        }
    }

    /// Converts 16-bit samples of R'G'B' in place.
    /// - Parameters:
    ///   - count: the number of samples of each component.
    package func convert(
        red: UnsafeMutablePointer<UInt16>, green: UnsafeMutablePointer<UInt16>, blue: UnsafeMutablePointer<UInt16>,
        count: Int
    ) {
        let targets = [red, green, blue]
        convert(targets.map { Array(UnsafeBufferPointer(start: $0, count: count)) }, into: targets, count: count)
    }
}
