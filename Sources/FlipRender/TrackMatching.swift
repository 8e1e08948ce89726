import FlipMedia

/// Decides which tracks of the clips become one track of the output: those of the same language and role, in order. A
/// track of unknown language goes with the first one that is left, and so does a clip's only track, since a player
/// would choose it anyway. All others become tracks of their own.
package struct TrackMatching {
    /// The output's tracks: for each clip, the index of its track in this one; nil where it has none.
    package private(set) var tracks: [[Int?]] = []
    /// The tags of each output track's first track whose language is known, or else of its first one.
    private var models: [TrackTags] = []

    /// - Parameter clips: the tags of each clip's tracks, in order.
    package init(_ clips: [[TrackTags]]) {
        for (clip, tags) in clips.enumerated() {
            for index in tracks.indices { tracks[index].append(nil) }
            var left: [Int] = []
            for (index, tag) in tags.enumerated() {
                if !assign(
                    index, tag, of: clip, where: { $0.languageCode != nil && $0.languageCode == tag.languageCode })
                {
                    left.append(index)
                }
            }
            for index in left {
                let tag = tags[index]
                let isFree = tags.count == 1 || tracks.count == 1
                let isAssigned = assign(
                    index, tag, of: clip, where: { isFree || tag.languageCode == nil || $0.languageCode == nil })
                if isAssigned { continue }
                tracks.append([Int?](repeating: nil, count: clip) + [index])
                models.append(tag)
            }
        }
    }

    /// Puts track `index` of a clip into the first output track that has none of that clip, has the same role, and
    /// meets the condition. Returns false if there is none.
    private mutating func assign(
        _ index: Int, _ tag: TrackTags, of clip: Int, where fits: (TrackTags) -> Bool
    ) -> Bool {
        let place = tracks.indices.first { tracks[$0][clip] == nil && models[$0].role == tag.role && fits(models[$0]) }
        guard let place else { return false }
        tracks[place][clip] = index
        if models[place].languageCode == nil, tag.languageCode != nil { models[place] = tag }
        return true
    }
}

extension TrackTags {
    /// The dispositions that set a track apart from others of its language.
    fileprivate var role: Set<String> {
        Set(dispositions).intersection(["comment", "forced", "hearing_impaired", "visual_impaired"])
    }
}
