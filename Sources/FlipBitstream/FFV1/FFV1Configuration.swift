/// How an FFV1 stream of version 3 was encoded, as its configuration record says, which is the stream's extradata
/// (RFC 9043 4.3). Streams of version 0 and 1 have no record: each of their keyframes repeats their parameters.
package struct FFV1Configuration: Sendable, Equatable {
    /// How the differences of samples are coded (`coder_type`).
    package enum Coder: Int, Sendable {
        case golombRice, range, rangeWithOwnTable
    }

    /// The variant of version 3; 4 is the first stable one.
    package let microVersion: Int
    package let coder: Coder
    /// Whether the planes are those of RGB after a transformation, rather than of Y'CbCr.
    package let isRGB: Bool
    /// The number of bits of a sample; 0 stands for 8.
    package let bitsPerSample: Int
    package let hasChroma: Bool
    /// The number of times that the planes of chroma are halved in each direction.
    package let chromaShift: Shift
    /// Whether there is a plane of alpha.
    package let hasExtraPlane: Bool
    /// The number of slices that lie beside each other, and the number of rows of them; 1...65,536 each.
    package let columns: Int
    package let rows: Int
    /// The number of contexts of each set of quantization tables, 1...32,768.
    package let contextCounts: [Int]
    /// How errors in slices are detected (`ec`): 0 for not at all, other numbers for kinds of CRC.
    package let errorDetection: Int
    /// Whether each frame is a keyframe.
    package let isIntra: Bool

    package struct Shift: Sendable, Equatable {
        package var horizontal: Int
        package var vertical: Int

        package init(horizontal: Int, vertical: Int) {
            self.horizontal = horizontal
            self.vertical = vertical
        }
    }

    /// What a stream's extradata says, the most likely first; nothing if it isn't a record of version 3.
    ///
    /// Some containers pad it to an even number of bytes. A last byte of 0 may be that or the checksum's, and the
    /// checksum can't tell, since zeros don't change it. The two readings seldom differ.
    package static func readings(of extradata: [UInt8]) -> [FFV1Configuration] {
        let whole = FFV1Configuration(record: extradata)
        guard extradata.last == 0, let padded = FFV1Configuration(record: extradata.dropLast()) else {
            return whole.map { [$0] } ?? []
        }
        return [padded] + (whole.map { $0 == padded ? [] : [$0] } ?? [])
    }

    /// Reads `Parameters` (4.2). The checksum is not verified: a record is good if an encoder makes the same again.
    /// - Returns: nil if the record is damaged, or if it is not of version 3.
    package init?(record: [UInt8]) {
        // The last four bytes are the checksum, which the range coder must not see (3.8.1.1.1, closed mode).
        guard var reader = RangeReader(record.dropLast(4)) else { return nil }
        var states = RangeReader.States()
        guard reader.unsigned(&states) == 3, let microVersion = reader.unsigned(&states),
            let coder = reader.unsigned(&states).flatMap(Coder.init)
        else { return nil }
        if coder == .rangeWithOwnTable {
            for _ in 1..<256 where reader.signed(&states) == nil { return nil }
        }
        guard let space = reader.unsigned(&states), space < 2, let bits = reader.unsigned(&states), bits <= 32,
            let hasChroma = reader.bit(&states), let horizontal = reader.unsigned(&states), horizontal <= 8,
            let vertical = reader.unsigned(&states), vertical <= 8, let hasExtraPlane = reader.bit(&states),
            let columns = reader.unsigned(&states), columns < 1 << 16, let rows = reader.unsigned(&states),
            rows < 1 << 16, let sets = reader.unsigned(&states), (1...8).contains(sets)
        else { return nil }
        var counts: [Int] = []
        for _ in 0..<sets {
            guard let count = Self.contextCount(&reader) else { return nil }
            counts.append(count)
        }
        for count in counts {
            guard let hasStates = reader.bit(&states), !hasStates || Self.skipStates(&reader, contexts: count) else {
                return nil
            }
        }
        guard let errorDetection = reader.unsigned(&states), let intra = reader.unsigned(&states) else { return nil }
        self.microVersion = microVersion
        self.coder = coder
        isRGB = space == 1
        bitsPerSample = bits
        self.hasChroma = hasChroma
        chromaShift = Shift(horizontal: horizontal, vertical: vertical)
        self.hasExtraPlane = hasExtraPlane
        self.columns = columns + 1
        self.rows = rows + 1
        contextCounts = counts
        self.errorDetection = errorDetection
        isIntra = intra == 1
    }

    /// Reads a set of five quantization tables (4.1), each with states of its own, and returns the number of contexts
    /// that they tell apart. The first half of a table is coded as the lengths of its runs of equal values; the other
    /// half mirrors it.
    private static func contextCount(_ reader: inout RangeReader) -> Int? {
        var scale = 1
        for _ in 0..<5 {
            var states = RangeReader.States()
            var (place, runs) = (0, 0)
            while place < 128 {
                guard let more = reader.unsigned(&states), more < 128 - place else { return nil }
                place += more + 1
                runs += 1
            }
            scale *= 2 * runs - 1
            if scale > 2 * 32768 { return nil }
        }
        return (scale + 1) / 2
    }

    /// Reads the initial states of all contexts, of which each has 32. Returns whether they are all there.
    private static func skipStates(_ reader: inout RangeReader, contexts: Int) -> Bool {
        var states = [RangeReader.States](repeating: RangeReader.States(), count: 32)
        for _ in 0..<contexts {
            for index in states.indices where reader.signed(&states[index]) == nil { return false }
        }
        return true
    }

    /// The options with which FFmpeg's encoder may write such a record.
    ///
    /// Two settings are not in it: which of the sets of tables is used (`context`), and the distance of keyframes.
    package var encoderOptions: [(String, String)] {
        // The numbers of the option are others than those of the record: 1 is the encoder's own table.
        let coder =
            switch coder {
            case .golombRice: "0"
            case .range: "-2"
            case .rangeWithOwnTable: "1"
            }
        return [
            ("level", "3"), ("g", isIntra ? "1" : "12"), ("slices", "\(columns * rows)"),
            ("slicecrc", "\(errorDetection)"), ("coder", coder), ("context", "0"),
        ]
    }
}
