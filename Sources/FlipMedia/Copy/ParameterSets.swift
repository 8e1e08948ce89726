/// The parameter sets of a track, as mp4 and Matroska keep them (`avcC`, ISO/IEC 14496-15 5.3.3.1).
struct ParameterSets: Sendable, Hashable {
    private(set) var sequences: [ParameterSet] = []
    private(set) var pictures: [ParameterSet] = []

    init() {}

    /// Reads an `avcC`, which also says in how many bytes the units' lengths are; nil where it is damaged, or none.
    static func read(avcC bytes: [UInt8]) -> (sets: ParameterSets, lengthSize: Int)? {
        guard bytes.count >= 7, bytes[0] == 1 else { return nil }
        var sets = ParameterSets()
        var place = 5
        for mask: UInt8 in [31, 255] {
            guard place < bytes.count else { return nil }
            let count = bytes[place] & mask
            place += 1
            for _ in 0..<count {
                guard place + 2 <= bytes.count else { return nil }
                let length = Int(bytes[place]) << 8 | Int(bytes[place + 1])
                place += 2
                guard place + length <= bytes.count, let set = ParameterSet(Array(bytes[place..<place + length])) else {
                    return nil
                }
                guard (set.sequenceID == nil) == (mask == 31) else { return nil }
                sets.append(set)
                place += length
            }
        }
        return sets.sequences.isEmpty || sets.pictures.isEmpty ? nil : (sets, Int(bytes[4] & 3) + 1)
    }

    /// The sets among units behind start codes, as encoders give them.
    init(afterStartCodes bytes: UnsafeBufferPointer<UInt8>) {
        for range in NALUnit.ranges(afterStartCodes: bytes) { ParameterSet(Array(bytes[range])).map { append($0) } }
    }

    func contains(_ unit: some Collection<UInt8>) -> Bool {
        (sequences + pictures).contains { $0.unit.elementsEqual(unit) }
    }

    /// Whether there is one of the same kind and number.
    func hasSet(like set: ParameterSet) -> Bool {
        (set.sequenceID == nil ? sequences : pictures).contains { $0.id == set.id }
    }

    mutating func append(_ set: ParameterSet) {
        if set.sequenceID == nil { sequences.append(set) } else { pictures.append(set) }
    }

    /// What the sequences say; nil where one of them is not to be copied.
    var facts: [SequenceFacts]? {
        let facts = sequences.compactMap { SequenceFacts($0) }
        return facts.count == sequences.count ? facts : nil
    }

    /// A number that no set has, of the two kinds together.
    var freeID: Int? { (0..<32).first { id in !(sequences + pictures).contains { $0.id == id } } }

    /// Written as `avcC`, with lengths of four bytes. Its profile is one that all sequences conform to.
    var avcC: [UInt8]? {
        guard let facts, let profile = facts.map(\.profile).max(), let level = facts.map(\.level).max() else {
            return nil
        }
        let constraints = facts.reduce(255) { $0 & ($1.profile == profile ? $1.constraints : 0) }
        var bytes: [UInt8] = [1, UInt8(profile), UInt8(constraints), UInt8(level), 0xFF, 0xE0 | UInt8(sequences.count)]
        let append = { (set: ParameterSet) in
            bytes += [UInt8(set.unit.count >> 8 & 255), UInt8(set.unit.count & 255)] + set.unit
        }
        sequences.forEach(append)
        bytes.append(UInt8(pictures.count))
        pictures.forEach(append)
        // 4:2:0, 8 bits of luma and of chroma, no extensions.
        if profile == 100 { bytes += [0xFD, 0xF8, 0xF8, 0] }
        return bytes
    }

    /// Adds another track's sets, each under a number of its own where it is not here already.
    /// - Returns: the numbers they have got; nil where there are no more.
    mutating func add(_ others: ParameterSets) -> Renumbering? {
        var numbers = Renumbering()
        for set in others.sequences {
            let id: Int
            if let same = sequences.first(where: { set.renumbered(id: $0.id) == $0 }) {
                id = same.id
            } else {
                let free = ([set.id] + Array(0..<32)).first { id in !sequences.contains { $0.id == id } }
                guard sequences.count < 30, let free, let fresh = set.renumbered(id: free) else { return nil }
                append(fresh)
                id = free
            }
            numbers.sequences[set.id] = id
        }
        for set in others.pictures {
            guard let sequence = set.sequenceID.flatMap({ numbers.sequences[$0] }) else { return nil }
            let fits = { (id: Int) in Renumbering.fits(set.id, id) }
            let id: Int
            if let same = pictures.first(where: {
                fits($0.id) && set.renumbered(id: $0.id, sequenceID: sequence) == $0
            }) {
                id = same.id
            } else {
                let free = ([set.id] + (0..<256).filter(fits)).first { id in !pictures.contains { $0.id == id } }
                guard pictures.count < 254, let free, let fresh = set.renumbered(id: free, sequenceID: sequence) else {
                    return nil
                }
                append(fresh)
                id = free
            }
            numbers.pictures[set.id] = id
        }
        return numbers
    }
}
