import FlipGeometry
import FlipRaster

/// The options of a transition by name: those of the command line that affect a frame, and those that say how samples
/// are interpreted.
enum TransitionOption: Hashable {
    case style
    /// A named look.
    case namedLook
    case look(LookOption)
    case background
    case threads
    case range
    case matrix
    case chromaLocation

    private static let others: [(name: String, option: TransitionOption)] = [
        ("style", .style), ("look", .namedLook), ("background", .background), ("threads", .threads), ("range", .range),
        ("matrix", .matrix), ("chroma-location", .chromaLocation),
    ]

    init(named name: String) throws(OptionError) {
        if let other = Self.others.first(where: { $0.name == name }) {
            self = other.option
        } else if let option = LookOption(rawValue: name) {
            self = .look(option)
        } else {
            let names = (Self.others.map(\.name) + LookOption.allCases.map(\.rawValue)).joined(separator: ", ")
            throw OptionError("unknown option '\(name)' (expected \(names))")
        }
    }

    /// Throws if the option does not accept `value`, regardless of other options.
    func check(_ value: String) throws(OptionError) {
        switch self {
        case .style: _ = try Styles.named(value)
        case .namedLook: _ = try Looks.named(value)
        case .look(let option):
            var look = Look()
            try option.set(&look, to: value)
        case .background: _ = try Color(parsing: value)
        case .threads: _ = try Self.threads(value)
        case .range: _ = try Self.isFullRange(value)
        case .matrix: _ = try Self.matrix(value)
        case .chromaLocation: _ = try Self.chromaLocation(value)
        }
    }

    // MARK: Values

    static func threads(_ value: String) throws(OptionError) -> Int {
        guard let count = Int(value), (1...256).contains(count) else {
            throw OptionError("invalid threads '\(value)' (expected 1...256)")
        }
        return count
    }

    static func isFullRange(_ value: String) throws(OptionError) -> Bool {
        try word("range", value, [("limited", false), ("full", true)])
    }

    static func matrix(_ value: String) throws(OptionError) -> PictureFormat.Matrix {
        try word("matrix", value, [("bt601", .bt601), ("bt709", .bt709), ("bt2020", .bt2020)])
    }

    static func chromaLocation(_ value: String) throws(OptionError) -> PictureFormat.ChromaLocation {
        try word(
            "chroma-location", value,
            [
                ("left", .left), ("center", .center), ("topleft", .topLeft), ("top", .top),
                ("bottomleft", .bottomLeft), ("bottom", .bottom),
            ])
    }

    private static func word<Value>(
        _ option: String, _ text: String, _ words: [(String, Value)]
    ) throws(OptionError) -> Value {
        guard let (_, value) = words.first(where: { $0.0 == text }) else {
            throw OptionError(
                "invalid \(option) '\(text)' (expected \(words.map(\.0).joined(separator: "|")))")
        }
        return value
    }
}
