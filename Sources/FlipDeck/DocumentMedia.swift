import FlipBase
import FlipFiles
import FlipMedia
import Foundation

/// Takes the films and sounds of slides out of a document, and examines them.
enum DocumentMedia {
    /// The maximum number of bytes that are taken out of a document: 8 GiB.
    private static let maximumTotal = 8 << 30
    /// The maximum number of films and sounds that are taken out of a document, each of which is an open file. Many systems
    /// let a process open 1024.
    private static let maximumCount = 500

    /// How many times as large as the document a part may be, beyond 256 MiB. Films hardly shrink when they are packed, and
    /// sounds without compression by half; a part that is much larger is made to fill the disk.
    private static let maximumRatio = 20
    private static let slack = 256 << 20

    /// What became of a part.
    private enum Part {
        case playable(StoredMedia)
        case refused(String)
    }

    /// `facts` with the films and sounds that can be played, and with reasons for those that can't.
    /// - Parameters:
    ///   - archive: the path at which the document can be opened.
    ///   - path: its path in messages.
    ///   - choice: those that are wanted.
    ///   - showsHidden: whether hidden slides are shown.
    static func unpack(
        _ facts: [SlideFacts], from archive: String, _ path: String, _ choice: SlideMediaChoice, showsHidden: Bool
    ) throws(MediaError) -> [SlideFacts] {
        var facts = facts
        var known: [String: Part] = [:]
        var left = maximumTotal
        let limit = min(PackedParts.maximumMedium, slack + maximumRatio * size(of: archive))
        for slide in facts.indices where showsHidden || !facts[slide].isHidden {
            for index in facts[slide].media.indices {
                let item = facts[slide].media[index]
                guard let name = item.part, item.use != nil, choice.includes(item.kind) else { continue }
                let part: Part
                if let same = known[name] {
                    part = same
                } else if known.count == maximumCount {
                    part = .refused("the document has more than \(maximumCount) films and sounds")
                } else {
                    part = try take(name, from: archive, path, &left, limit: limit)
                }
                known[name] = part
                set(part, in: &facts[slide].media[index])
            }
        }
        return facts
    }

    /// The size of the file at `path` in bytes; 0 if it can't be measured.
    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Takes out one part, of at most `left` bytes and at most `limit`.
    private static func take(
        _ name: String, from archive: String, _ path: String, _ left: inout Int, limit: Int
    ) throws(MediaError) -> Part {
        let limit = min(left, limit)
        let title = "\(path) (\(SlideMedia.lastName(name)))"
        var location: String?
        do throws(MediaError) {
            let file = try PackedParts.file(name, in: archive, for: path, limit: limit)
            location = file.location
            left -= file.byteCount
            let info = try MediaProbe.probe(path: file.location)
            if let video = info.video, !video.isStill {
                return .playable(StoredMedia(file, info: info, duration: video.duration, name: title))
            }
            guard let audio = try MediaProbe.probeAudio(path: file.location), audio.duration > .zero else {
                return .refused("there is nothing in it that can be played")
            }
            return .playable(StoredMedia(file, info: audio.info, duration: audio.duration, name: title))
        } catch {
            // A full disk or an interruption concerns everything, but a damaged file only itself.
            if error.kind == .io { throw error }
            return .refused(
                location.map { error.message.replacing($0, with: SlideMedia.lastName(name)) } ?? error.message)
        }
    }

    private static func set(_ part: Part, in media: inout SlideMedia) {
        switch part {
        case .refused(let reason): media.reason = reason
        case .playable(let stored):
            let isFilm = stored.info.video?.isStill == false
            if media.kind == .film, !isFilm { media.kind = .sound }
            if media.kind == .film, media.use?.isTurned == true {
                media.reason = "it is turned or mirrored on the slide"
            } else if media.kind != .film, stored.info.audio == nil {
                media.reason = "there is no audio in it"
            } else if media.use?.span(of: stored.duration) == nil {
                media.reason = "nothing of it is left by the cuts that the document asks for"
            } else {
                media.stored = stored
            }
        }
    }
}
