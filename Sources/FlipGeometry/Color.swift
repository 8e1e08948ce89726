import FlipBase

/// A color as R'G'B' with alpha, interpreted as sRGB. Components are clamped to 0...1; NaN becomes 0.
public struct Color: Sendable, Equatable {
    /// The red component R', 0...1.
    public var red: Double { didSet { red = Color.bounded(red) } }
    /// The green component G', 0...1.
    public var green: Double { didSet { green = Color.bounded(green) } }
    /// The blue component B', 0...1.
    public var blue: Double { didSet { blue = Color.bounded(blue) } }
    /// The opacity, from 0 (transparent) to 1 (opaque).
    public var alpha: Double { didSet { alpha = Color.bounded(alpha) } }

    /// A color with these components, each 0...1.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = Color.bounded(red)
        self.green = Color.bounded(green)
        self.blue = Color.bounded(blue)
        self.alpha = Color.bounded(alpha)
    }

    private static func bounded(_ part: Double) -> Double { part > 0 ? min(part, 1) : 0 }

    /// `#000000`.
    public static let black = Color(red: 0, green: 0, blue: 0)
    /// `#00000000`.
    public static let transparent = Color(red: 0, green: 0, blue: 0, alpha: 0)
    /// `#ffffff`.
    public static let white = Color(red: 1, green: 1, blue: 1)
}

extension Color: CustomStringConvertible {
    /// Parses a color in CSS notation: a name, `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`.
    public init(parsing text: String) throws(OptionError) {
        let word = text.trimmed.lowercased()
        var digits = Color.names[word] ?? (word.first == "#" ? String(word.dropFirst()) : "")
        if digits.count == 3 || digits.count == 4 { digits = String(digits.flatMap { [$0, $0] }) }
        guard digits.count == 6 || digits.count == 8, digits.allSatisfy(\.isHexDigit),
            digits.utf8.count == digits.count,
            let value = UInt32(digits.count == 6 ? digits + "ff" : digits, radix: 16)
        else {
            let question = Suggestion.question(for: word, among: Color.allNames)
            throw OptionError("invalid color '\(text)'\(question) (expected a CSS color name, #rrggbb or #rrggbbaa)")
        }
        let part = { (shift: UInt32) in Double((value >> shift) & 255) / 255 }
        self.init(red: part(24), green: part(16), blue: part(8), alpha: part(0))
    }

    /// The color as `#rrggbb`, or as `#rrggbbaa` if it is not opaque.
    public var description: String {
        let byte = { (part: Double) in
            let digits = String(Int((part * 255).rounded()), radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        return "#" + byte(red) + byte(green) + byte(blue) + (alpha < 1 ? byte(alpha) : "")
    }
}
