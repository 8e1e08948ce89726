import TestSupport

/// Changes of a file's time fields to numbers at and beyond the edges of what is sensible.
struct TimeMutation {
    private var random: SplitMix64

    init(seed: UInt32) { random = SplitMix64(seed: UInt64(seed)) }

    /// `bytes` with one to four changes; nil if nothing in them is known to be a time.
    mutating func changed(_ bytes: [UInt8]) -> [UInt8]? {
        var file = TimeFile(bytes)
        guard !file.fields.isEmpty else { return nil }
        for _ in 0..<random.integer(in: 1...4) { change(&file) }
        file.seal()
        return file.bytes
    }

    private mutating func change(_ file: inout TimeFile) {
        // A file has many more block times than time bases, so the kind is chosen first.
        let kinds = Set(file.fields.map(\.kind)).sorted()
        let kind = random.pick(kinds)
        let fields = file.fields.filter { $0.kind == kind }
        let first = random.integer(in: 0...fields.count - 1)
        let old = file.value(of: fields[first])
        let new = value(fields[first], old)
        switch random.integer(in: 0...4) {
        case 0, 1: file.set(fields[first], to: new)
        case 2: for field in fields { file.set(field, to: new) }
        case 3:
            // The clock jumps, or starts elsewhere.
            for field in fields[first...] { file.set(field, to: file.value(of: field) &+ new &- old) }
        default:
            // Even steps from one to the next.
            let step = random.oneIn(2) ? new / UInt64(fields.count) : new
            for (index, field) in fields[first...].enumerated() { file.set(field, to: old &+ UInt64(index) &* step) }
        }
    }

    /// A number for `field`, of which only the lowest bits are used, where it is `old` now.
    private mutating func value(_ field: TimeField, _ old: UInt64) -> UInt64 {
        if field.coding == .real, !random.oneIn(4) { return real(field.width) }
        let most = UInt64.max >> UInt64(64 - field.bits)
        let power = UInt64(1) << UInt64(random.integer(in: 0...field.bits - 1))
        let small = UInt64(random.integer(in: 1...3))
        switch random.integer(in: 0...11) {
        case 0: return 0
        case 1: return small
        // The greatest number, and the greatest and the least one with a sign.
        case 2: return most &- (small - 1)
        case 3: return most >> 1 &- (small - 1)
        case 4: return (most >> 1) &+ small
        case 5: return 0 &- small
        case 6: return power &+ small &- 2
        case 7: return (0..<random.integer(in: 0...19)).reduce(small) { power, _ in power &* 10 }
        case 8: return old &+ (random.oneIn(2) ? small : 0 &- small)
        case 9: return random.oneIn(2) ? old << UInt64(random.integer(in: 1...32)) : old >> small
        case 10: return random.pick([1000, 1001, 25, 30000, 44100, 48000, 90000, 1_000_000, 1_000_000_000])
        default: return random.next() & (power &* 2 &- 1)
        }
    }

    /// The bits of a floating-point number.
    private mutating func real(_ width: Int) -> UInt64 {
        let value = random.pick([
            0, -1, 0.001, 1e-300, 1e9, 1e15, 9.3e18, 1e300, -1e18, .infinity, .nan, Double(random.next() >> 20),
        ])
        return width == 4 ? UInt64(Float(value).bitPattern) : value.bitPattern
    }
}
