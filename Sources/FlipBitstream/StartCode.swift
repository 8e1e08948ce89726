/// The start codes of MPEG: two zeros, a one, and a byte that says what follows.
enum StartCode {
    /// The position of the next one from `place` on; nil if there is none.
    static func next(in bytes: UnsafeBufferPointer<UInt8>, from place: Int) -> Int? {
        // The last byte of the prefix may be here; a byte above 1 rules out this position and the next two.
        var place = place + 2
        while place < bytes.count {
            if bytes[place] > 1 {
                place += 3
            } else if bytes[place] == 1, bytes[place - 1] == 0, bytes[place - 2] == 0 {
                return place - 2
            } else {
                place += 1
            }
        }
        return nil
    }

    /// The positions of all.
    static func all(in bytes: UnsafeBufferPointer<UInt8>) -> some Sequence<Int> {
        sequence(state: 0) { place in
            guard let start = next(in: bytes, from: place) else { return nil }
            place = start + 3
            return start
        }
    }
}
