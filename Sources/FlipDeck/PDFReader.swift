import FlipMedia

/// A value of a PDF (ISO 32000-1 7.3); strings are not kept.
indirect enum PDFObject: Equatable {
    case number(Rational)
    case name(String)
    case array([PDFObject])
    case dictionary([String: PDFObject])
    case reference(Int)
    case other

    subscript(key: String) -> PDFObject? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries[key]
    }

    var number: Rational? {
        if case .number(let value) = self { return value }
        return nil
    }

    var integer: Int? { number.flatMap { $0.denominator == 1 ? $0.numerator : nil } }
}

/// Reads the values of a PDF from front to end.
struct PDFReader {
    private let bytes: [UInt8]
    private var place: Int

    /// Levels of arrays and dictionaries.
    private static let maximumDepth = 24

    init(_ bytes: [UInt8], at place: Int = 0) {
        self.bytes = bytes
        self.place = place
    }

    enum Found {
        case trailer(PDFObject)
        /// With the place of its stream's first byte, where it has one.
        case object(number: Int, PDFObject, stream: Int?)
    }

    /// The next object or trailer.
    mutating func findObject() -> Found? {
        while place < bytes.count {
            // "12 0 obj" is found by its last word; the numbers stand before it.
            if bytes[place] == UInt8(ascii: "o"), matches("obj"), let number = numberBefore(place) {
                place += 3
                guard let value = value() else { continue }
                return .object(number: number, value, stream: streamStart())
            }
            if bytes[place] == UInt8(ascii: "t"), matches("trailer") {
                place += 7
                if let value = value() { return .trailer(value) }
                continue
            }
            place += 1
        }
        return nil
    }

    /// The object number of "12 0 obj" with `end` at its last word.
    private func numberBefore(_ end: Int) -> Int? {
        var position = end - 1
        var words: [Int] = []
        while words.count < 2 {
            while position >= 0, Self.isSpace(bytes[position]) { position -= 1 }
            var value = 0
            var scale = 1
            let last = position
            while position >= 0, (48...57).contains(bytes[position]), last - position < 10 {
                value += scale * Int(bytes[position] - 48)
                scale *= 10
                position -= 1
            }
            if position == last { return nil }
            words.append(value)
        }
        return words[1]
    }

    private mutating func streamStart() -> Int? {
        skipSpace()
        guard matches("stream") else { return nil }
        place += 6
        if place < bytes.count, bytes[place] == 13 { place += 1 }
        if place < bytes.count, bytes[place] == 10 { place += 1 }
        return place
    }

    /// The value that comes next.
    mutating func value(_ depth: Int = 0) -> PDFObject? {
        skipSpace()
        guard place < bytes.count, depth < Self.maximumDepth else { return nil }
        switch bytes[place] {
        case UInt8(ascii: "/"):
            place += 1
            return .name(name())
        case UInt8(ascii: "["):
            place += 1
            return array(depth)
        case UInt8(ascii: "("):
            skipString()
            return .other
        case UInt8(ascii: "<"):
            if place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "<") {
                place += 2
                return dictionary(depth)
            }
            while place < bytes.count, bytes[place] != UInt8(ascii: ">") { place += 1 }
            place += 1
            return .other
        case 43, 45, 46, 48...57: return number()
        default: return word()
        }
    }

    private mutating func array(_ depth: Int) -> PDFObject? {
        var values: [PDFObject] = []
        while true {
            skipSpace()
            guard place < bytes.count else { return nil }
            if bytes[place] == UInt8(ascii: "]") {
                place += 1
                return .array(values)
            }
            guard let value = value(depth + 1) else { return nil }
            values.append(value)
        }
    }

    private mutating func dictionary(_ depth: Int) -> PDFObject? {
        var entries: [String: PDFObject] = [:]
        while true {
            skipSpace()
            if matches(">>") {
                place += 2
                return .dictionary(entries)
            }
            guard case .name(let key)? = value(depth + 1), let value = value(depth + 1) else { return nil }
            entries[key] = value
        }
    }

    /// A number, or the reference "12 0 R" that begins with one.
    private mutating func number() -> PDFObject? {
        let start = place
        place += 1
        while place < bytes.count, bytes[place] == 46 || (48...57).contains(bytes[place]) { place += 1 }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        let end = place
        if let number = Int(text), number >= 0 {
            skipSpace()
            while place < bytes.count, (48...57).contains(bytes[place]) { place += 1 }
            skipSpace()
            if matches("R"), place + 1 >= bytes.count || Self.endsWord(bytes[place + 1]) {
                place += 1
                return .reference(number)
            }
            place = end
        }
        guard let value = Double(text), abs(value) < 1e9 else { return .other }
        return .number(Rational(Int((value * 1000).rounded()), 1000))
    }

    /// "true", "null" and what belongs nowhere; nothing where a value can't begin.
    private mutating func word() -> PDFObject? {
        let start = place
        while place < bytes.count, !Self.endsWord(bytes[place]) { place += 1 }
        return place > start ? .other : nil
    }

    private mutating func name() -> String {
        let start = place
        while place < bytes.count, !Self.endsWord(bytes[place]) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func skipString() {
        var depth = 0
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\\"): place += 1
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            place += 1
            if depth == 0 { return }
        }
    }

    private mutating func skipSpace() {
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "%") {
                while place < bytes.count, bytes[place] != 10, bytes[place] != 13 { place += 1 }
            } else if Self.isSpace(bytes[place]) {
                place += 1
            } else {
                return
            }
        }
    }

    private func matches(_ word: StaticString) -> Bool {
        guard place <= bytes.count - word.utf8CodeUnitCount else { return false }
        return (0..<word.utf8CodeUnitCount).allSatisfy { bytes[place + $0] == word.utf8Start[$0] }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0, 9, 10, 12, 13, 32].contains(byte) }

    private static func endsWord(_ byte: UInt8) -> Bool { isSpace(byte) || "()<>[]{}/%".utf8.contains(byte) }
}
