import FlipBitstream
import Testing

@Suite struct GPMFTests {
    private func key(_ name: String, _ type: Character?, _ size: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
        Array(name.utf8) + [type?.asciiValue ?? 0, UInt8(size), UInt8(count >> 8), UInt8(count & 0xFF)] + value
            + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    }

    private func nested(_ name: String, _ value: [UInt8]) -> [UInt8] { key(name, nil, 1, value.count, value) }

    /// A device with a stream of 6-byte samples, each of which consists of its number, and one with a text.
    private func packet(_ samples: Range<Int>) -> [UInt8] {
        let values = samples.flatMap { [UInt8](repeating: UInt8($0), count: 6) }
        return nested(
            "DEVC",
            key("DVNM", "c", 1, 6, Array("Camera".utf8))
                + nested(
                    "STRM", key("SCAL", "s", 2, 3, [0, 1, 0, 1, 0, 1]) + key("ACCL", "s", 6, samples.count, values))
                + nested("STRM", key("FWVS", "c", 1, 8, Array("1.1.11.0".utf8))))
    }

    @Test(arguments: [
        (0.0..<1.0, 0..<20), (0..<0.5, 0..<10), (0.5..<1, 10..<20), (0.26..<0.49, 5..<10), (-3..<0.1, 0..<2),
        (0.9..<7, 18..<20),
        (0.5..<0.51, 10..<10), (-2..<(-1), 0..<0),
    ])
    func onlySamplesOfThePartAreKept(part: Range<Double>, samples: Range<Int>) {
        #expect(GPMF.cut(packet(0..<20), to: part) == packet(samples))
    }

    @Test func cutsMeetWithoutGap() throws {
        for place in stride(from: 0.0, through: 1, by: 0.013) {
            let parts = try [0..<place, place..<1].map { try #require(GPMF.cut(packet(0..<20), to: $0)) }
            let counts = (0...20).map { [packet(0..<$0), packet($0..<20)] }
            #expect(counts.contains(parts), "\(place)")
        }
    }

    /// Nothing else is taken for this format, and no bytes beyond the packet are read.
    @Test func otherBytesAreNone() {
        #expect(GPMF.cut([1, 2, 3], to: 0..<0.5) == nil)
        #expect(GPMF.cut([], to: 0..<0.5) == [])
        let whole = packet(0..<20)
        for count in 1..<whole.count { #expect(GPMF.cut(Array(whole.prefix(count)), to: 0..<0.5) == nil) }
        // Nesting has a limit.
        let deep = (0..<40).reduce(key("ACCL", "s", 6, 1, [1, 2, 3, 4, 5, 6])) { value, _ in nested("STRM", value) }
        #expect(GPMF.cut(deep, to: 0..<0.5) == nil)
    }
}
