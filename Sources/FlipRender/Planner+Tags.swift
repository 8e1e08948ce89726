import FlipBase
import FlipMedia

/// Tags of files.
extension Planner {
    /// The output's tags: those of the clips and documents, and those that were asked for. Throws `usage` for a tag that was
    /// asked for and that the container can't hold. Warns of tags of clips that it can't hold, and notes those on which clips
    /// disagree.
    /// - Parameter rate: the output's frames per second.
    mutating func metadata(
        of clips: [InputClip], _ container: Container, _ rate: Rational
    ) throws(MediaError) -> [String: String] {
        if settings.isStill { return [:] }
        var (tags, disputed) = FileTags.common(clips.map(\.source.tags))
        tags["timecode"] = clips.first?.timecode(at: rate)?.text
        disputed.removeAll { name in settings.metadata.contains { $0.key == name } }
        let ending = container.extensions[0]
        for (key, value) in settings.metadata {
            if let known = container.tags, !known.contains(key), !value.isEmpty {
                throw MediaError(
                    .usage,
                    known.isEmpty
                        ? "\(ending) files hold no tags such as '\(key)' (--metadata)"
                        : "\(ending) files hold no tag '\(key)' (they hold \(known.sorted().joined(separator: ", ")))")
            }
            if key == "timecode", !value.isEmpty, Timecode(value, rate: rate) == nil {
                throw MediaError(
                    .usage,
                    "invalid timecode '\(value)' (expected HH:MM:SS:FF with frames below \(rate.rounded()), or HH:MM:SS;FF "
                        + "at 29.97 and 59.94 frames per second, whose minutes begin with 02 or 04 unless they are full tens)"
                )
            }
            FileTags.set(key, value, in: &tags)
        }
        // Files without audio are for other purposes than to be kept.
        guard container.supportsAudio, OutputCheck.canRead(container) else { return [:] }
        if !disputed.isEmpty {
            remarks.append("the inputs disagree on these tags, which are left out: \(disputed.joined(separator: ", "))")
        }
        guard let known = container.tags else { return tags }
        let lost = tags.keys.filter { !known.contains($0) }.sorted()
        if !lost.isEmpty {
            let names = lost.joined(separator: ", ")
            try warn("left out these tags of the inputs, which \(ending) files can't hold: \(names)")
        }
        return tags.filter { known.contains($0.key) }
    }
}

extension InputClip {
    /// The timecode of the first frame that is shown, counted at another rate; nil if the clip has none.
    fileprivate func timecode(at rate: Rational) -> Timecode? {
        guard use.runsAtSpeed else { return nil }
        return info?.timecode?.moved(by: use.firstShown).counted(at: rate)
    }
}
