import FlipBase
import FlipRender
import Foundation

/// A timeline as Kdenlive saves it: a bin, a track of sound and one of pictures, and tracks of further sounds. Each track has
/// two playlists, and clips that overlap lie on both, with a mix over them.
struct KdenliveProject {
    private let export: MLTExport
    /// What the bin has: of media, what is the same on all tracks.
    private var bin = MLTExport.Producers<MLTExport.Media>()
    /// What the tracks show.
    private var producers = MLTExport.Producers<Shown>()

    /// Media on a track of sound or of pictures.
    private struct Shown: Equatable {
        var media: MLTExport.Media
        var isSound: Bool
    }

    init(_ export: MLTExport) { self.export = export }

    /// Makes the elements of the document besides the profile.
    mutating func services() throws(MediaError) -> [MLTNode] {
        let pieces = placed()
        var tracks = [try track(0, heard(pieces), isSound: true)]
        // Kdenlive's first track of sound is the lowest but one, next to the pictures.
        for (index, sound) in export.furtherSounds.enumerated() {
            tracks.insert(try track(index + 1, [(sound, 0, 0, nil)], isSound: true), at: 0)
        }
        tracks.append(try track(tracks.count, pieces, isSound: false))
        let count = export.plan.timeline.frames
        let black = export.node(
            "producer", ["id": "black_track", "in": "0", "out": "\(count - 1)"],
            [
                "length": "2147483647", "eof": "continue", "resource": "black", "mlt_service": "color",
                "mlt_image_format": "rgba", "set.test_audio": "0",
            ])
        let main = export.node(
            "tractor", ["id": "main", "in": "0", "out": "\(count - 1)"], [:],
            [export.node("track", ["producer": "black_track"])]
                + tracks.compactMap { $0.last?.id }.map { export.node("track", ["producer": $0]) }
                + (1..<tracks.count).map { track in
                    var addition = export.addition(ofTrack: track)
                    (addition["kdenlive_id"], addition["internal_added"]) = ("mix", "237")
                    return addition
                })
        let binned = bin.rows.enumerated().map { index, used in
            var producer = export.producer("bin\(index)", used.content, end: used.end)
            mark(&producer, index)
            return producer
        }
        let entries = bin.rows.indices.map { index in
            export.cut("entry", "bin\(index)", 0..<(Int(binned[index]["length"] ?? "") ?? 1))
        }
        let list = export.node("playlist", ["id": "main_bin"], properties, entries)
        return binned + [list, black] + shown + tracks.flatMap(\.self) + [main]
    }

    private var properties: KeyValuePairs<String, String> {
        [
            "kdenlive:docproperties.version": "1.04", "kdenlive:docproperties.kdenliveversion": "22.12.3",
            "kdenlive:docproperties.audioChannels": "2", "kdenlive:docproperties.compositing": "1",
            "kdenlive:docproperties.enableproxy": "0", "kdenlive:docproperties.generateproxy": "0",
            "xml_retain": "1",
        ]
    }

    /// What ties a producer to clip `index` of the bin.
    private func mark(_ producer: inout MLTNode, _ index: Int) {
        let media = bin.rows[index].content
        producer["kdenlive:id"] = "\(index + 2)"
        producer["kdenlive:folderid"] = "-1"
        producer["kdenlive:clip_type"] = media.path == nil ? "4" : media.isStill ? "2" : media.hasPicture ? "0" : "1"
    }

    /// The producers on the tracks.
    private var shown: [MLTNode] {
        producers.rows.enumerated().map { index, used in
            let (media, isSound) = (used.content.media, used.content.isSound)
            var producer = export.producer("producer\(index)", media, end: used.end)
            if let clip = bin.rows.firstIndex(where: { $0.content == Self.binned(media) }) { mark(&producer, clip) }
            producer["set.test_audio"] = isSound ? "0" : "1"
            producer["set.test_image"] = isSound ? "1" : "0"
            return producer
        }
    }

    /// What of `media` is the same wherever it is shown.
    private static func binned(_ media: MLTExport.Media) -> MLTExport.Media {
        MLTExport.Media(
            path: media.path, isStill: media.isStill, hasPicture: media.hasPicture, filling: media.filling,
            hasSound: media.path != nil)
    }

    private mutating func entry(_ piece: MLTExport.Piece, isSound: Bool) -> MLTNode {
        let binned = Self.binned(piece.media)
        // Where the speed is another one, frames are counted otherwise.
        let clip = bin.use(binned, to: piece.media.speed == Rational(1) ? piece.used.upperBound : 1)
        var plain = binned
        plain.speed = piece.media.speed
        let index = producers.use(Shown(media: plain, isSound: isSound), to: piece.used.upperBound)
        var entry = export.cut("entry", "producer\(index)", piece.used)
        entry["kdenlive:id"] = "\(clip + 2)"
        entry.children = isSound ? export.filters(piece.media) : export.pictureFilters(piece.media)
        return entry
    }

    // MARK: Tracks

    private typealias Placed = (piece: MLTExport.Piece, clip: Int, lane: Int, join: Int?)

    /// All clips, each with the playlist on which it lies and the join whose transition it ends.
    private func placed() -> [Placed] {
        let timeline = export.plan.timeline
        var result: [Placed] = []
        var lane = 0
        for index in timeline.clips.indices {
            let before = index > 0 && timeline.joins[index - 1].frames > 0 ? index - 1 : nil
            if before != nil { lane = 1 - lane }
            result.append((export.clip(index), index, lane, before))
        }
        return result
    }

    /// Those that are heard. Beside a clip without sound, they fade, since a mix needs two clips.
    private func heard(_ placed: [Placed]) -> [Placed] {
        let joins = export.plan.timeline.joins
        let clips = Set(placed.filter(\.piece.media.hasSound).map(\.clip))
        let fades = { (join: Int, other: Int) in
            joins.indices.contains(join) && !clips.contains(other) ? joins[join].frames : 0
        }
        return placed.filter(\.piece.media.hasSound).map { heard in
            var heard = heard
            let (fadeIn, fadeOut) = (fades(heard.clip - 1, heard.clip - 1), fades(heard.clip, heard.clip + 1))
            if fadeIn > 0 || fadeOut > 0 {
                heard.piece.media.fades = MLTExport.Media.Fades(
                    frames: heard.piece.used, fadeIn: fadeIn, fadeOut: fadeOut)
            }
            if let join = heard.join, !clips.contains(join) { heard.join = nil }
            return heard
        }
    }

    /// The elements of a track, of which the last is the track itself.
    private mutating func track(_ number: Int, _ placed: [Placed], isSound: Bool) throws(MediaError) -> [MLTNode] {
        let name = isSound ? "audio\(number)" : "video"
        var lists: [MLTNode] = []
        for lane in 0...1 {
            var list = export.node("playlist", ["id": "\(name)_\(lane)"])
            if isSound { list["kdenlive:audio_track"] = "1" }
            var end = 0
            for piece in placed.filter({ $0.lane == lane }).map(\.piece) where !piece.frames.isEmpty {
                list.children += export.gap(before: piece, after: end) + [entry(piece, isSound: isSound)]
                end = piece.frames.upperBound
            }
            lists.append(list)
        }
        let last = placed.map(\.piece.frames.upperBound).max() ?? 0
        var track = export.node("tractor", ["id": name, "in": "0"])
        if last > 0 { track.attributes["out"] = "\(last - 1)" }
        if isSound { track["kdenlive:audio_track"] = "1" }
        track.children = lists.compactMap(\.id).map {
            export.node("track", ["producer": $0, "hide": isSound ? "video" : "audio"])
        }
        for (_, _, lane, join) in placed {
            if let join { track.children.append(try mix(join, to: lane, isSound: isSound)) }
        }
        return lists + [track]
    }

    /// The mix of join `join`. As Kdenlive has it, it begins with the second clip and ends one frame after the first, where MLT
    /// shows the second alone, unless a further mix begins there.
    private func mix(_ join: Int, to lane: Int, isSound: Bool) throws(MediaError) -> MLTNode {
        let frames = export.overlap(join)
        let joins = export.plan.timeline.joins
        let isFollowed = joins.indices.contains(join + 1) && joins[join + 1].start <= frames.upperBound
        let last = frames.upperBound - (isFollowed ? 1 : 0)
        var mix = isSound ? export.crossfade : try export.mixer(join, extra: last - frames.upperBound + 1)
        // Kdenlive never ends loading a mix whose tracks are the other way round.
        if lane == 0 { mix[isSound ? "reverse" : "swap"] = "1" }
        mix.attributes = ["in": "\(frames.lowerBound)", "out": "\(last)"]
        mix["kdenlive_id"] = mix.service
        mix["kdenlive:mixcut"] = "\(frames.count / 2)"
        return mix
    }
}
