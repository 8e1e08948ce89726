import FlipFrame
import FlipGeometry

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
    case transfer
    case chromaLocation

    private static let others: [(name: String, option: TransitionOption)] = [
        ("style", .style), ("look", .namedLook), ("background", .background), ("threads", .threads), ("range", .range),
        ("matrix", .matrix), ("transfer", .transfer), ("chroma-location", .chromaLocation),
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
        case .style: _ = try StyleChoice(value)
        case .namedLook: _ = try Looks.named(value)
        case .look(let option):
            var look = Look()
            try option.set(&look, to: value)
        case .background: _ = try Color(parsing: value)
        case .threads: _ = try Self.threads(value)
        case .range: _ = try Self.range(value)
        case .matrix: _ = try Self.matrix(value)
        case .transfer: _ = try Self.transfer(value)
        case .chromaLocation: _ = try Self.chromaLocation(value)
        }
    }

    // MARK: Values

    static func threads(_ value: String) throws(OptionError) -> Int {
        let limits = FrameRenderer.threadLimits
        guard let count = Int(value), limits.contains(count) else {
            throw OptionError("invalid threads '\(value)' (expected \(limits))")
        }
        return count
    }

    static func range(_ value: String) throws(OptionError) -> FrameFormat.SampleRange { try word("range", value) }

    static func matrix(_ value: String) throws(OptionError) -> FrameFormat.Matrix { try word("matrix", value) }

    static func transfer(_ value: String) throws(OptionError) -> FrameFormat.Transfer { try word("transfer", value) }

    static func chromaLocation(_ value: String) throws(OptionError) -> FrameFormat.ChromaLocation {
        try word("chroma-location", value)
    }

    private static func word<Value: CaseIterable & RawRepresentable>(
        _ option: String, _ text: String
    ) throws(OptionError) -> Value where Value.RawValue == String {
        guard let value = Value(rawValue: text) else {
            let words = Value.allCases.map(\.rawValue).joined(separator: "|")
            throw OptionError("invalid \(option) '\(text)' (expected \(words))")
        }
        return value
    }
}
