import Foundation

/// The formulas as published on easings.net, one per curve and side.
enum PennerTable {
    typealias Formula = @Sendable (Double) -> Double

    static let rows: [(name: String, formula: Formula)] = powers + others

    private static let powers: [(name: String, formula: Formula)] = [
        ("quad", 2.0), ("cubic", 3), ("quart", 4), ("quint", 5),
    ].flatMap { name, n -> [(name: String, formula: Formula)] in
        [
            ("\(name)-in", { pow($0, n) }), ("\(name)-out", { 1 - pow(1 - $0, n) }),
            ("\(name)-in-out", { $0 < 0.5 ? pow(2, n - 1) * pow($0, n) : 1 - pow(-2 * $0 + 2, n) / 2 }),
        ]
    }

    private static let c1 = 1.70158
    private static let c2 = c1 * 1.525
    private static let c3 = c1 + 1
    private static let c4 = 2 * Double.pi / 3
    private static let c5 = 2 * Double.pi / 4.5

    private static func bounce(_ x: Double) -> Double {
        let (n1, d1) = (7.5625, 2.75)
        if x < 1 / d1 { return n1 * x * x }
        if x < 2 / d1 { return n1 * pow(x - 1.5 / d1, 2.0) + 0.75 }
        if x < 2.5 / d1 { return n1 * pow(x - 2.25 / d1, 2.0) + 0.9375 }
        return n1 * pow(x - 2.625 / d1, 2.0) + 0.984375
    }

    private static func ends(_ x: Double, _ value: Double) -> Double { x <= 0 ? 0 : x >= 1 ? 1 : value }

    private static let others: [(name: String, formula: Formula)] = [
        ("sine-in", { 1 - cos($0 * .pi / 2) }), ("sine-out", { sin($0 * .pi / 2) }),
        ("sine-in-out", { -(cos(.pi * $0) - 1) / 2 }),
        ("expo-in", { ends($0, pow(2, 10 * $0 - 10)) }), ("expo-out", { ends($0, 1 - pow(2, -10 * $0)) }),
        ("expo-in-out", { ends($0, $0 < 0.5 ? pow(2, 20 * $0 - 10) / 2 : (2 - pow(2, -20 * $0 + 10)) / 2) }),
        ("circ-in", { 1 - sqrt(1 - pow($0, 2.0)) }), ("circ-out", { sqrt(1 - pow($0 - 1, 2.0)) }),
        (
            "circ-in-out",
            { $0 < 0.5 ? (1 - sqrt(1 - pow(2 * $0, 2.0))) / 2 : (sqrt(max(0, 1 - pow(-2 * $0 + 2, 2.0))) + 1) / 2 }
        ),
        ("back-in", { c3 * $0 * $0 * $0 - c1 * $0 * $0 }),
        ("back-out", { 1 + c3 * pow($0 - 1, 3.0) + c1 * pow($0 - 1, 2.0) }),
        (
            "back-in-out",
            {
                $0 < 0.5
                    ? pow(2 * $0, 2.0) * ((c2 + 1) * 2 * $0 - c2) / 2
                    : (pow(2 * $0 - 2, 2.0) * ((c2 + 1) * ($0 * 2 - 2) + c2) + 2) / 2
            }
        ),
        ("elastic-in", { ends($0, -pow(2, 10 * $0 - 10) * sin(($0 * 10 - 10.75) * c4)) }),
        ("elastic-out", { ends($0, pow(2, -10 * $0) * sin(($0 * 10 - 0.75) * c4) + 1) }),
        (
            "elastic-in-out",
            {
                let wave = sin((20 * $0 - 11.125) * c5)
                return ends($0, $0 < 0.5 ? -(pow(2, 20 * $0 - 10) * wave) / 2 : pow(2, -20 * $0 + 10) * wave / 2 + 1)
            }
        ),
        ("bounce-in", { 1 - bounce(1 - $0) }), ("bounce-out", { bounce($0) }),
        ("bounce-in-out", { $0 < 0.5 ? (1 - bounce(1 - 2 * $0)) / 2 : (1 + bounce(2 * $0 - 1)) / 2 }),
    ]
}
