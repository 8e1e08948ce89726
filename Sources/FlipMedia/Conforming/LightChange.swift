import CLibav
import FlipBase

/// The conversion of a picture whose color primaries or transfer function differ from the output's: by zscale in linear
/// light, and by tonemap if HDR becomes SDR.
package struct LightChange: Equatable {
    /// The picture's transfer function and primaries, by zscale's names.
    private let source: (transfer: String, primaries: String)
    /// The transfer function and primaries after the conversion, by zscale's names.
    private let target: (transfer: String, primaries: String)
    /// The picture's peak luminance in cd/m2, by default `defaultPeak`.
    private let peak: Int

    /// The luminance of SDR white in HDR, in cd/m2.
    private static let white = Int(ColorLight.diffuseWhite)
    /// The peak luminance that most HDR is graded to and that HLG is defined for, in cd/m2 (ITU-R BT.2100-2, table 5).
    private static let defaultPeak = 1000

    /// Whether this FFmpeg has the filters zscale and tonemap.
    static let isPossible = avfilter_get_by_name("zscale") != nil && avfilter_get_by_name("tonemap") != nil

    /// Returns nil if no conversion is needed, or if this FFmpeg lacks the filters for it.
    package init?(from picture: PictureShape, to conform: VideoConform) {
        let (isRGB, peak) = (picture.pixelFormat.isRGB, picture.peakLuminance)
        var picture = picture.color
        let output = conform.color
        // R'G'B' without tags is meant for screens, like the colors that users name.
        if isRGB, picture.transfer == nil { picture.transfer = "iec61966-2-1" }
        let transfers = (source: Transfer(picture), target: Transfer(output))
        let isSameTransfer = transfers.source.kind == transfers.target.kind
        let primaries = (source: Self.primaries(picture), target: Self.primaries(output))
        let isSameGamut = !Self.changesGamut(from: picture, to: output)
        guard Self.isPossible, !isSameTransfer || !isSameGamut else { return nil }
        // Between two SDR transfer functions, the picture's own one decodes and encodes again, which keeps the signal.
        let coded = isSameTransfer ? transfers.source.filterName : transfers.target.filterName
        target = (coded, isSameGamut ? primaries.source : primaries.target)
        source = (transfers.source.filterName, primaries.source)
        self.peak = peak ?? Self.defaultPeak
    }

    /// Whether `picture` has other primaries than `output`. If one of two SDR descriptions doesn't state its primaries,
    /// they count as the same, unless the other has a wide gamut: unstated primaries are then those of HD.
    static func changesGamut(from picture: ColorDescription, to output: ColorDescription) -> Bool {
        let (source, target) = (primaries(picture), primaries(output))
        let areKnown = picture.primaries != nil && output.primaries != nil
        let isSameTransfer = Transfer(picture).kind == Transfer(output).kind
        return source != target
            && (areKnown || !isSameTransfer || wide.contains(source) || wide.contains(target))
    }

    private static let wide: Set = ["bt2020", "smpte428", "smpte431", "smpte432"]

    /// The filters, which take and give planar R'G'B' of 16 bits, with alpha or without.
    func filters(hasAlpha: Bool) -> [String] {
        let family = hasAlpha ? "gbrap" : "gbrp"
        let input = "zscale=min=gbr:m=gbr:rin=full:r=full:npl=\(Self.white):agamma=0"
        let asked = ":tin=\(source.transfer):pin=\(source.primaries)"
        let wanted = ":t=\(target.transfer):p=\(target.primaries)"
        guard losesRange else { return [input + asked + wanted, "format=\(family)16"] }
        let brightest = Rational(max(peak, Self.white), Self.white).doubleValue
        return [
            input + asked + ":t=linear:p=\(target.primaries)", "format=\(family)f32",
            "tonemap=mobius:desat=0:peak=\(brightest)",
            input + ":tin=linear:pin=\(target.primaries)" + wanted, "format=\(family)16",
        ]
    }

    /// Whether HDR becomes SDR.
    private var losesRange: Bool {
        Transfer.isHighDynamicRange(source.transfer) && !Transfer.isHighDynamicRange(target.transfer)
    }

    /// Whether the transfer function changes to another kind, as between HDR and SDR or two kinds of HDR.
    var changesRange: Bool { source.transfer != target.transfer }

    /// The conversion in words, for the plan.
    var text: String {
        if losesRange { return "tone mapped \(source.transfer) -> \(target.transfer)" }
        if changesRange { return "\(source.transfer) -> \(target.transfer)" }
        return "\(source.primaries) -> \(target.primaries) primaries"
    }

    /// The primaries by zscale's name. Those of SMPTE 170M and 240M are the same; the default is those of HD or HDR.
    private static func primaries(_ color: ColorDescription) -> String {
        switch color.primaries {
        case nil: Transfer.isHighDynamicRange(color.transfer ?? "") ? "bt2020" : "bt709"
        case "smpte240m"?: "smpte170m"
        case let name?: name
        }
    }

    package static func == (left: LightChange, right: LightChange) -> Bool {
        left.source == right.source && left.target == right.target && left.peak == right.peak
    }
}

/// A transfer function, as far as conversions distinguish it from others.
struct Transfer {
    enum Kind: Equatable {
        /// Any standard dynamic range function. They count as one kind because players show them alike.
        case sdr
        case other(String)
    }

    let kind: Kind
    /// zscale's name for the function.
    let filterName: String

    init(_ color: ColorDescription) {
        let name = color.transfer ?? "bt709"
        kind = Self.special.contains(name) ? .other(name) : .sdr
        filterName = Self.filterNames[name] ?? (Self.known.contains(name) ? name : "bt709")
    }

    static func isHighDynamicRange(_ name: String) -> Bool { name == "smpte2084" || name == "arib-std-b67" }

    private static let special: Set = ["smpte2084", "arib-std-b67", "linear", "log", "log_sqrt"]
    private static let filterNames = ["gamma22": "bt470m", "gamma28": "bt470bg", "log": "log100", "log_sqrt": "log316"]
    private static let known: Set = [
        "smpte170m", "linear", "bt2020-10", "bt2020-12", "smpte2084", "iec61966-2-4", "iec61966-2-1", "arib-std-b67",
    ]
}
