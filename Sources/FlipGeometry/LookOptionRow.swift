/// What one option of a look is: its texts, the values that it takes, and where a look keeps it.
struct LookOptionRow {
    /// Where a look keeps the value, and which values it takes.
    enum Storage {
        /// One of several words; `set` returns false for any other.
        case word([String], get: (Look) -> String, set: (inout Look, String) -> Bool)
        case flag(WritableKeyPath<Look, Bool>)
        case count(WritableKeyPath<Look, Int>, ClosedRange<Int>)
        /// A number within the range that is 0 or at least `leastPositive`.
        case number(WritableKeyPath<Look, Double>, ClosedRange<Double>, leastPositive: Double)
        case point(WritableKeyPath<Look, Viewpoint>, ClosedRange<Double>)
        case color(WritableKeyPath<Look, Color>)
        case easing(WritableKeyPath<Look, Easing>)
    }

    let storage: Storage
    let summary: String
    var unit: String?
    let acceptedValues: String
    var hostScale = LookOption.HostScale.linear

    // MARK: Rows

    static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ path: WritableKeyPath<Look, Word>, _ summary: String
    ) -> LookOptionRow {
        let words = Word.allCases.map(\.rawValue)
        let storage = Storage.word(
            words, get: { $0[keyPath: path].rawValue },
            set: { look, text in
                guard let word = Word(rawValue: text) else { return false }
                look[keyPath: path] = word
                return true
            })
        return LookOptionRow(storage: storage, summary: summary, acceptedValues: words.joined(separator: "|"))
    }

    static func flag(_ path: WritableKeyPath<Look, Bool>, _ summary: String) -> LookOptionRow {
        LookOptionRow(storage: .flag(path), summary: summary, acceptedValues: "true|false")
    }

    static func count(
        _ path: WritableKeyPath<Look, Int>, _ range: ClosedRange<Int>, _ summary: String, unit: String
    ) -> LookOptionRow {
        LookOptionRow(
            storage: .count(path, range), summary: summary, unit: unit,
            acceptedValues: "\(range.lowerBound)...\(range.upperBound)")
    }

    /// - Parameter accepts: the accepted values, in words; nil for the range alone.
    static func number(
        _ path: WritableKeyPath<Look, Double>, _ range: ClosedRange<Double>, leastPositive: Double = 0,
        _ summary: String, unit: String? = nil, accepts: String? = nil, hostScale: LookOption.HostScale = .linear
    ) -> LookOptionRow {
        LookOptionRow(
            storage: .number(path, range, leastPositive: leastPositive), summary: summary, unit: unit,
            acceptedValues: accepts ?? range.text, hostScale: hostScale)
    }

    static func point(
        _ path: WritableKeyPath<Look, Viewpoint>, _ range: ClosedRange<Double>, _ summary: String, unit: String,
        accepts: String
    ) -> LookOptionRow {
        LookOptionRow(storage: .point(path, range), summary: summary, unit: unit, acceptedValues: accepts)
    }

    static func color(_ path: WritableKeyPath<Look, Color>, _ summary: String) -> LookOptionRow {
        LookOptionRow(storage: .color(path), summary: summary, acceptedValues: "a CSS color name or #rrggbb")
    }

    static func easing(_ path: WritableKeyPath<Look, Easing>, _ summary: String) -> LookOptionRow {
        LookOptionRow(storage: .easing(path), summary: summary, acceptedValues: "a name or a CSS easing function")
    }

    // MARK: Values

    var kind: LookOption.Kind {
        switch storage {
        case .word(let words, _, _): .word(words)
        case .flag: .flag
        case .count(_, let range): .wholeNumber(Double(range.lowerBound)...Double(range.upperBound))
        case .number(_, let range, _): .number(range)
        case .point(_, let range): .point(range)
        case .color: .color
        case .easing: .easing
        }
    }

    func value(in look: Look) -> String {
        switch storage {
        case .word(_, let get, _): get(look)
        case .flag(let path): String(look[keyPath: path])
        case .count(let path, _): String(look[keyPath: path])
        case .number(let path, _, _): String(look[keyPath: path])
        case .point(let path, _): "\(look[keyPath: path].x),\(look[keyPath: path].y)"
        case .color(let path): look[keyPath: path].description
        case .easing(let path): look[keyPath: path].name
        }
    }

    /// Parses `text` and stores the result. Returns false if the option doesn't take it; throws what is wrong with
    /// colors and easings.
    func set(_ look: inout Look, to text: String) throws(OptionError) -> Bool {
        switch storage {
        case .word(_, _, let set): return set(&look, text)
        case .flag(let path):
            guard let flag = Self.flags[text] else { return false }
            look[keyPath: path] = flag
        case .count(let path, let range):
            guard let number = Double(finite: text), let count = Int(exactly: number), range.contains(count) else {
                return false
            }
            look[keyPath: path] = count
        case .number(let path, let range, let leastPositive):
            guard let number = Double(finite: text), range.contains(number), number == 0 || abs(number) >= leastPositive
            else { return false }
            look[keyPath: path] = number
        case .point(let path, let range):
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
                Double(finite: String($0))
            }
            guard numbers.count == 2, let x = numbers[0], let y = numbers[1], range.contains(x), range.contains(y)
            else {
                return false
            }
            look[keyPath: path] = Viewpoint(x: x, y: y)
        case .color(let path): look[keyPath: path] = try Color(parsing: text)
        case .easing(let path): look[keyPath: path] = try Easing(parsing: text)
        }
        return true
    }

    /// The texts of flags; an option without a value is set.
    private static let flags = [
        "true": true, "yes": true, "1": true, "": true, "false": false, "no": false, "0": false,
    ]
}

extension ClosedRange<Double> {
    /// The range as text: "1...16", "0.05...0.95".
    package var text: String {
        [lowerBound, upperBound].map { $0 == $0.rounded() ? String(Int($0)) : String($0) }.joined(separator: "...")
    }
}
