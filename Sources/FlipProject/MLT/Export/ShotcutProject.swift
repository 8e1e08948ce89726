import FlipBase
import FlipRender

/// A timeline as Shotcut saves it: one track of clips, between which transitions are tractors of two clips, and tracks of
/// sounds.
struct ShotcutProject {
    private let export: MLTExport
    /// The media that are used, in the order of their producers' numbers, and how far.
    private var media = MLTExport.Producers<MLTExport.Media>()
    private var tractors: [MLTNode] = []

    init(_ export: MLTExport) { self.export = export }

    /// Makes the elements of the document besides the profile.
    mutating func services() throws(MediaError) -> [MLTNode] {
        let count = export.plan.timeline.frames
        let clips = export.node(
            "playlist", ["id": "playlist0"], ["shotcut:video": "1", "shotcut:name": "V1"], try track())
        let sounds = export.furtherSounds.enumerated().map { index, piece in
            export.node(
                "playlist", ["id": "playlist\(index + 1)"],
                ["shotcut:audio": "1", "shotcut:name": "A\(index + 1)"],
                export.gap(before: piece) + [export.cut("entry", id(piece), piece.used)])
        }
        let black = export.node(
            "producer", ["id": "black", "in": "0", "out": "\(count - 1)"],
            [
                "length": "\(count)", "eof": "pause", "resource": "0", "mlt_service": "color",
                "mlt_image_format": "rgba", "set.test_audio": "0",
            ])
        let producers = media.rows.enumerated().map { index, used in
            var producer = export.producer("chain\(index)", used.content, end: used.end)
            if !used.content.hasSound, used.content.path != nil { producer["audio_index"] = "-1" }
            producer.children = export.pictureFilters(used.content) + export.filters(used.content)
            return producer
        }
        let main = export.node(
            "tractor", ["id": "main", "in": "0", "out": "\(count - 1)"],
            ["shotcut": "1", "shotcut:projectAudioChannels": "2"],
            [export.node("track", ["producer": "background"]), export.node("track", ["producer": "playlist0"])]
                + sounds.indices.map { export.node("track", ["producer": "playlist\($0 + 1)", "hide": "video"]) }
                + (0...sounds.count).map { export.addition(ofTrack: $0 + 1) })
        return [
            export.node("playlist", ["id": "main_bin"], ["xml_retain": "1"]), black,
            export.node("playlist", ["id": "background"], [:], [export.cut("entry", "black", 0..<count)]),
        ] + producers + tractors + [clips] + sounds + [main]
    }

    /// The name of the producer that shows a piece.
    private mutating func id(_ piece: MLTExport.Piece) -> String {
        "chain\(media.use(piece.media, to: piece.used.upperBound))"
    }

    private mutating func track() throws(MediaError) -> [MLTNode] {
        let timeline = export.plan.timeline
        var entries: [MLTNode] = []
        for index in timeline.clips.indices {
            let clip = export.clip(index)
            let start = index > 0 ? max(export.overlap(index - 1).upperBound, clip.frames.lowerBound) : 0
            let end =
                index < timeline.joins.count
                ? min(export.overlap(index).lowerBound, clip.frames.upperBound) : clip.frames.upperBound
            if start < end {
                let piece = clip.slice(start..<end)
                entries.append(export.cut("entry", id(piece), piece.used))
            }
            guard index < timeline.joins.count, timeline.joins[index].frames > 0 else { continue }
            entries.append(try transition(index))
        }
        return entries
    }

    /// The entry for the transition after clip `join`.
    private mutating func transition(_ join: Int) throws(MediaError) -> MLTNode {
        let frames = export.overlap(join)
        let pieces = [join, join + 1].map { export.clip($0).slice(frames) }
        let name = "tractor\(tractors.count)"
        var tractor = export.node(
            "tractor", ["id": name, "in": "0", "out": "\(frames.count - 1)"], ["shotcut:transition": "lumaMix"])
        for piece in pieces { tractor.children.append(export.cut("track", id(piece), piece.used)) }
        for var transition in [try export.mixer(join), export.crossfade] {
            transition.attributes["out"] = "\(frames.count - 1)"
            tractor.children.append(transition)
        }
        tractors.append(tractor)
        return export.cut("entry", name, 0..<frames.count)
    }
}
