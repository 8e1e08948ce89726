import FlipBase
import FlipMedia

/// Looks for tracks and tags that all sources have and the film has not.
struct TagCheck {
    private(set) var findings: [CheckFinding] = []
    private(set) var notes: [String] = []

    init(_ join: CheckedJoin, _ parts: [MatchedPart]) {
        let film = join.film.info
        let used = Set(join.uses.map(\.film)).sorted().map { join.sources[$0] }
        let infos = used.map(\.info)
        func lack(_ kind: CheckFinding.Kind, _ message: String) {
            findings.append(CheckFinding(kind: kind, message: message))
        }
        func compare(_ name: String, _ count: (MediaInfo) -> Int) {
            let (least, own) = (infos.map(count).min() ?? 0, count(film))
            if own < least { lack(.track, "the film has \(own) of \(least) \(name) track\(least == 1 ? "" : "s")") }
        }
        compare("audio", \.audioTrackCount)
        compare("subtitle", \.subtitles.count)
        compare("data") { $0.dataTracks.count }
        let left = infos.map(\.ignoredStreams.count).min() ?? 0
        if film.ignoredStreams.count < left, let first = infos.first {
            notes.append("other tracks are missing: \(first.ignoredStreams.joined(separator: ", "))")
        }

        let copied = Set(parts.compactMap { $0.origin?.film }).sorted().map { join.sources[$0] }
        for source in copied {
            if source.video.transform != join.film.video.transform {
                let (turn, own) = (source.video.transform, join.film.video.transform)
                lack(
                    .tag,
                    "\(source.info.name) is shown turned by \(turn.rotation) degrees\(turn.mirrored ? " and mirrored" : ""), "
                        + "the film by \(own.rotation)\(own.mirrored ? " and mirrored" : "")")
            }
            let shape = (source.video.sampleAspectRatio / join.film.video.sampleAspectRatio).doubleValue
            if abs(shape - 1) > 0.005 {
                lack(
                    .tag,
                    "the pixels of \(source.info.name) have the ratio \(source.video.sampleAspectRatio), those of the film "
                        + "\(join.film.video.sampleAspectRatio)")
            }
        }
        if infos.allSatisfy({ $0.timecode != nil }), film.timecode == nil { lack(.tag, "the timecode is missing") }
        let (shared, _) = FileTags.common(infos.map(\.metadata))
        let missing = shared.keys.filter { name in
            film.metadata[name] == nil && infos.allSatisfy { $0.metadata[name] != nil }
        }.sorted()
        let names = ["creation_time": "date", "location": "place"]
        for (name, text) in names.sorted(by: { $0.key < $1.key }) where missing.contains(name) {
            lack(.tag, "the \(text) (\(name)) is missing")
        }
        let others = missing.filter { names[$0] == nil && !$0.hasPrefix("com.apple.quicktime.") && !$0.contains("-") }
        if !others.isEmpty {
            notes.append("tags that all sources share are missing: \(others.joined(separator: ", "))")
        }
    }
}
