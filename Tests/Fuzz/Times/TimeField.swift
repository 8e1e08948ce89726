/// A number in a file that says when something is shown, for how long, or in which unit that is counted.
struct TimeField {
    enum Coding {
        case bigEndian
        case littleEndian
        /// An IEEE 754 number of 4 or 8 bytes, the most significant first.
        case real
        /// FLV: 24 bits, the most significant byte first, followed by the 8 bits above them.
        case flv
        /// The 33 bits of a PTS or DTS in 5 bytes, with marker bits in between (ISO/IEC 13818-1 2.4.3.7).
        case stamp
        /// The 33 bits of a PCR's base (ISO/IEC 13818-1 2.4.3.5).
        case clock
        /// NUT: 7 bits a byte, of which all but the last have the top bit set.
        case septets
    }

    /// What the number means. Those of one kind may be changed together.
    let kind: String
    let place: Int
    /// In bytes.
    let width: Int
    let coding: Coding

    init(_ kind: String, at place: Int, width: Int, _ coding: Coding = .bigEndian) {
        (self.kind, self.place, self.width, self.coding) = (kind, place, width, coding)
    }

    /// The number of bits that count.
    var bits: Int {
        switch coding {
        case .bigEndian, .littleEndian, .real, .flv: width * 8
        case .stamp, .clock: 33
        case .septets: min(width * 7, 64)
        }
    }

    func value(in bytes: [UInt8]) -> UInt64 {
        let own = bytes[place..<place + width]
        switch coding {
        case .bigEndian, .real: return own.reduce(0) { $0 << 8 | UInt64($1) }
        case .littleEndian: return own.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        case .flv: return UInt64(bytes[place + 3]) << 24 | own.prefix(3).reduce(0) { $0 << 8 | UInt64($1) }
        case .stamp:
            let parts = own.map { UInt64($0) }
            let low = (parts[2] >> 1) << 15 | parts[3] << 7 | parts[4] >> 1
            return (parts[0] >> 1 & 7) << 30 | parts[1] << 22 | low
        case .clock: return own.prefix(4).reduce(0) { $0 << 8 | UInt64($1) } << 1 | UInt64(bytes[place + 4] >> 7)
        case .septets: return own.reduce(0) { $0 << 7 | UInt64($1 & 0x7f) }
        }
    }

    /// Writes the lowest bits of `value`.
    func set(_ value: UInt64, in bytes: inout [UInt8]) {
        let byte = { (shift: Int) in UInt8(truncatingIfNeeded: value >> UInt64(shift)) }
        switch coding {
        case .bigEndian, .real: for index in 0..<width { bytes[place + index] = byte(8 * (width - 1 - index)) }
        case .littleEndian: for index in 0..<width { bytes[place + index] = byte(8 * index) }
        case .flv: for (index, shift) in [16, 8, 0, 24].enumerated() { bytes[place + index] = byte(shift) }
        case .stamp:
            bytes[place] = bytes[place] & 0xf1 | byte(30) << 1 & 0x0e
            bytes[place + 1] = byte(22)
            bytes[place + 2] = byte(15) << 1 | 1
            bytes[place + 3] = byte(7)
            bytes[place + 4] = byte(0) << 1 | 1
        case .clock:
            for index in 0..<4 { bytes[place + index] = byte(25 - 8 * index) }
            bytes[place + 4] = bytes[place + 4] & 0x7f | byte(0) << 7
        case .septets:
            for index in 0..<width {
                let isLast = index == width - 1
                bytes[place + index] = byte(7 * (width - 1 - index)) & 0x7f | (isLast ? 0 : 0x80)
            }
        }
    }
}

extension [UInt8] {
    /// The number of `width` bytes at `place`, the most significant first; 0 beyond the end.
    func number(at place: Int, width: Int) -> Int {
        guard place >= 0, place + width <= count else { return 0 }
        return self[place..<place + width].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Whether `text` stands at `place`.
    func has(_ text: StaticString, at place: Int) -> Bool {
        guard place >= 0, place + text.utf8CodeUnitCount <= count else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { self[place + $0] == text.utf8Start[$0] }
    }

    /// Computes the checksum of NUT and Ogg over `range`: CRC-32 with the polynomial 0x04C11DB7, the most significant
    /// bit first, from 0 (NUT, "checksum"; RFC 3533 6).
    func checksum(_ range: Range<Int>) -> UInt64 {
        self[range].reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt64(byte) << 24) { sum, _ in
                (sum << 1 ^ (sum >> 31 & 1 == 1 ? 0x04c1_1db7 : 0)) & 0xffff_ffff
            }
        }
    }
}
