import FlipBase

extension Easing {
    /// Parses an easing: a name (`page-turn`, `cubic-out`) or a CSS function (`cubic-bezier(0.4,0,0.2,1)`,
    /// `steps(4,jump-none)`, `linear(0, 0.25 75%, 1)`).
    public init(parsing text: String) throws(OptionError) {
        let word = text.trimmed.lowercased()
        if let row = Easing.named.first(where: { $0.name == word }) {
            self = row.easing
            return
        }
        guard let open = word.firstIndex(of: "("), word.last == ")" else {
            throw OptionError(
                "unknown easing '\(text)'\(Suggestion.question(for: word, among: Easing.named.lazy.map(\.name))) "
                    + "(expected a name such as ease-in-out, page-turn or cubic-out, or "
                    + "cubic-bezier(x1,y1,x2,y2), steps(n,jump-end), linear(0,0.25 75%,1))")
        }
        let arguments = word[word.index(after: open)...].dropLast().split(
            separator: ",", omittingEmptySubsequences: false
        ).map { String($0).trimmed }
        switch word[..<open] {
        case "cubic-bezier": self = try Easing.parseCubicBezier(arguments)
        case "steps": self = try Easing.parseSteps(arguments)
        case "linear": self = .stops(try Easing.parseStops(arguments))
        default:
            throw OptionError(
                "unknown easing function '\(word[..<open])'"
                    + Suggestion.question(for: word[..<open], among: ["cubic-bezier", "steps", "linear"])
                    + " (expected cubic-bezier, steps or linear)")
        }
    }

    private static func parseCubicBezier(_ arguments: [String]) throws(OptionError) -> Easing {
        let numbers = arguments.compactMap(Double.init(finite:))
        guard numbers.count == 4, arguments.count == 4, (0...1).contains(numbers[0]), (0...1).contains(numbers[2])
        else {
            throw OptionError(
                "invalid cubic-bezier(\(arguments.joined(separator: ","))) (expected four numbers x1,y1,x2,y2 with "
                    + "x1 and x2 in 0...1)")
        }
        return .cubicBezier(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3])
    }

    private static func parseSteps(_ arguments: [String]) throws(OptionError) -> Easing {
        let jumps: [String: StepJump] = [
            "jump-start": .start, "start": .start, "jump-end": .end, "end": .end, "jump-none": .none,
            "jump-both": .both,
        ]
        let jump = arguments.count == 1 ? StepJump.end : arguments.count == 2 ? jumps[arguments[1]] : nil
        guard let jump, let count = Int(arguments[0]), (1...100_000).contains(count), jump != .none || count > 1 else {
            throw OptionError(
                "invalid steps(\(arguments.joined(separator: ","))) (expected steps(n) or steps(n, jump-start|jump-end|"
                    + "jump-none|jump-both) with n in 1...100000, at least 2 for jump-none)")
        }
        return .steps(count: count, jump: jump)
    }

    /// CSS Easing 2, section 2.2.2: missing inputs are spaced evenly between their neighbors, and an input less than an
    /// earlier one is raised to it.
    private static func parseStops(_ arguments: [String]) throws(OptionError) -> [Stop] {
        var points: [(input: Double?, output: Double)] = []
        for argument in arguments {
            let words = argument.split(separator: " ").map(String.init)
            let inputs = words.filter { $0.last == "%" }.map { Double(finite: String($0.dropLast())) }
            let outputs = words.filter { $0.last != "%" }.map(Double.init(finite:))
            guard outputs.count == 1, let output = outputs[0], inputs.count <= 2, !inputs.contains(nil) else {
                throw OptionError(
                    "invalid point '\(argument)' in linear() (expected a number and at most two percentages)")
            }
            if inputs.isEmpty { points.append((nil, output)) }
            for input in inputs { points.append((input! / 100, output)) }
        }
        points[0].input = points[0].input ?? 0
        points[points.count - 1].input = points[points.count - 1].input ?? 1
        var stops: [Stop] = []
        for (index, point) in points.enumerated() {
            let previous = stops.last?.input ?? -.infinity
            if let input = point.input {
                stops.append(Stop(input: max(input, previous), output: point.output))
            } else {
                let next = points[index...].firstIndex { $0.input != nil }!
                let target = max(points[next].input!, previous)
                let step = (target - previous) / Double(next - index + 1)
                stops.append(Stop(input: previous + step, output: point.output))
            }
        }
        return stops
    }
}

extension String {
    /// The text without leading and trailing white space.
    var trimmed: String {
        var slice = self[...]
        while slice.first?.isWhitespace == true { slice.removeFirst() }
        while slice.last?.isWhitespace == true { slice.removeLast() }
        return String(slice)
    }
}

extension Double {
    /// Parses a decimal number; nil for hexadecimal numbers, infinities, NaN and anything else.
    package init?(finite text: String) {
        guard let value = Double(text), value.isFinite, !text.lowercased().contains("x") else { return nil }
        self = value
    }
}
