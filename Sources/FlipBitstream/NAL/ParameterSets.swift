/// The parameter sets of a track.
package struct ParameterSets: Sendable, Hashable {
    /// In the order in which they came; several of H.264's PPSs may have had the same ID one after the other.
    package private(set) var all: [ParameterSet] = []
    /// The IDs of PPSs that have stood for different sets.
    package private(set) var changedPictures: Set<Int> = []

    package init() {}

    package func of(_ kind: ParameterSet.Kind) -> [ParameterSet] { all.filter { $0.kind == kind } }

    /// Adds a set unless it is known. Returns false if there is a different one with its ID, other than a PPS of H.264 that reads
    /// slice headers in the same way, as some camcorders change their scaling lists.
    package mutating func learn(_ set: ParameterSet) -> Bool {
        guard let known = all.first(where: { $0.kind == set.kind && $0.id == set.id }) else {
            all.append(set)
            return true
        }
        if all.contains(set) { return true }
        guard let own = H264PPS(set), own == H264PPS(known) else { return false }
        all.append(set)
        changedPictures.insert(set.id)
        return true
    }

    /// The same sets, of H.264, in a track in which reference pictures may be missing.
    package var allowingGaps: ParameterSets {
        var sets = self
        sets.all = all.map { $0.kind == .sequence ? $0.allowingGaps ?? $0 : $0 }
        return sets
    }

    /// Whether there is room for one more set of each kind with ID 0, as the encoder's have.
    package func hasRoom(_ syntax: NALSyntax) -> Bool {
        ParameterSet.Kind.allCases.allSatisfy { ParameterSet.numbers($0, syntax) == 0 || free($0, 0, syntax) != nil }
    }

    /// The ID to use for one more set with ID `id`: the same, or else the first that is free and fits; nil if none is.
    private func free(_ kind: ParameterSet.Kind, _ id: Int, _ syntax: NALSyntax) -> Int? {
        let taken = Set(of(kind).map(\.id))
        // `avcC` can hold up to 31 SPSs and 255 PPSs.
        if taken.count >= (kind == .picture ? 255 : 31) { return nil }
        return ([id] + Array(0..<ParameterSet.numbers(kind, syntax))).first { number in
            !taken.contains(number) && (kind != .picture || Renumbering.fits(id, number))
        }
    }

    /// Adds another track's sets. Each shares the ID of an identical set here, or else gets one of its own.
    /// - Returns: the new IDs, and the sets with them; nil if no ID is free or a set that another refers to is missing.
    package mutating func add(_ others: ParameterSets) -> (numbers: Renumbering, sets: [ParameterSet])? {
        var numbers = Renumbering()
        var sets: [ParameterSet] = []
        for kind in ParameterSet.Kind.allCases {
            for set in others.of(kind) {
                var parent: Int?
                if let old = set.parentID {
                    guard let above = ParameterSet.Kind(rawValue: kind.rawValue - 1), let new = numbers[above][old]
                    else { return nil }
                    parent = new
                }
                let same = of(kind).first {
                    (kind != .picture || Renumbering.fits(set.id, $0.id))
                        && set.renumbered(id: $0.id, parentID: parent) == $0
                }
                if let same {
                    numbers.note(set, as: same.id)
                    sets.append(same)
                    continue
                }
                guard let id = free(kind, set.id, set.syntax), let fresh = set.renumbered(id: id, parentID: parent)
                else { return nil }
                all.append(fresh)
                numbers.note(set, as: id)
                sets.append(fresh)
            }
        }
        return (numbers, sets)
    }
}
