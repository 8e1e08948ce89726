import CLibav

/// How light is computed anew where the picture's primaries or transfer are others than the output's: by zscale in linear
/// light, and by tonemap where the output has less range.
struct LightChange: Equatable {
    /// In libav's names.
    private let source: (transfer: String, primaries: String)
    private let target: (transfer: String, primaries: String)
    /// The brightest light in the picture in cd/m2, as it says or as is usual.
    private let peak: Int

    /// cd/m2 of SDR's white in HDR (ITU-R BT.2408-7, 2.2).
    private static let white = 203
    /// cd/m2 that HDR is mostly graded to, and that HLG is defined for (ITU-R BT.2100-2, table 5).
    private static let usualPeak = 1000

    /// Nil when nothing is to be done, or when this FFmpeg lacks the filter for it.
    init?(from picture: PictureShape, to conform: VideoConform) {
        let (picture, peak) = (picture.colour, picture.peakLuminance)
        let output = conform.colour
        let transfers = (source: Transfer(picture), target: Transfer(output))
        let isSameTransfer = transfers.source.kind == transfers.target.kind
        let primaries = (source: Self.primaries(picture), target: Self.primaries(output))
        let isSameGamut = !Self.changesGamut(from: picture, to: output)
        guard Self.isPossible, !isSameTransfer || !isSameGamut else { return nil }
        // Where both are SDR the signal is kept: light is computed by the picture's own curve and coded by it again.
        let coded = isSameTransfer ? transfers.source.filterName : transfers.target.filterName
        target = (coded, isSameGamut ? primaries.source : primaries.target)
        source = (transfers.source.filterName, primaries.source)
        self.peak = peak ?? Self.usualPeak
    }

    /// Whether pictures of `picture` have other primaries than the output. Where one of two SDR pictures says nothing, they
    /// are taken to mean the same, unless the other is of a wide gamut: what says nothing then has that of HD.
    static func changesGamut(from picture: ColorDescription, to output: ColorDescription) -> Bool {
        let (source, target) = (primaries(picture), primaries(output))
        let areKnown = picture.primaries != nil && output.primaries != nil
        let isSameTransfer = Transfer(picture).kind == Transfer(output).kind
        return source != target
            && (areKnown || !isSameTransfer || wide.contains(source) || wide.contains(target))
    }

    private static let wide: Set = ["bt2020", "smpte428", "smpte431", "smpte432"]

    /// Whether this FFmpeg has the filters.
    static let isPossible = avfilter_get_by_name("zscale") != nil && avfilter_get_by_name("tonemap") != nil

    /// From planar R'G'B' of 16 bits, with alpha or without, to the same.
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

    /// Whether one of them is HDR and the other of another kind.
    var changesRange: Bool { source.transfer != target.transfer }

    /// In words, for the plan.
    var text: String {
        if losesRange { return "tone mapped \(source.transfer) -> \(target.transfer)" }
        if changesRange { return "\(source.transfer) -> \(target.transfer)" }
        return "\(source.primaries) -> \(target.primaries) primaries"
    }

    /// SMPTE 170M and 240M share theirs; where nothing is said, those of HD, or of HDR.
    private static func primaries(_ colour: ColorDescription) -> String {
        switch colour.primaries {
        case nil: Transfer.isHighDynamicRange(colour.transfer ?? "") ? "bt2020" : "bt709"
        case "smpte240m"?: "smpte170m"
        case let name?: name
        }
    }

    static func == (left: LightChange, right: LightChange) -> Bool {
        left.source == right.source && left.target == right.target && left.peak == right.peak
    }
}

/// A transfer function, as far as conversions tell them apart.
struct Transfer {
    enum Kind: Equatable {
        /// Meant for a screen of limited range. These are one kind: players show them alike.
        case sdr
        case other(String)
    }

    let kind: Kind
    /// zscale's.
    let filterName: String

    init(_ colour: ColorDescription) {
        let name = colour.transfer ?? "bt709"
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
