import FlipBase
import FlipRender
import Foundation

/// What is shown where, and which parts of which files that is.
extension MLTExport {
    /// What the frames of a piece, or its sound, come from.
    struct Media: Hashable {
        /// The file; nil for the background.
        var path: String?
        var speed = Rational(1)
        var isStill = false
        /// The factor for the amplitude of its sound.
        var gain: Float = 1
        var hasPicture = true
        /// How a picture of another shape fills the frame; nil if all of it is shown in its shape.
        var filling: Filling?
        var hasSound = false
        /// The fades of the sound in frames, and the frames between which they lie.
        var fades: Fades?

        enum Filling: Hashable {
            case cropped
            /// With pixels of this shape, which give it the frame's.
            case stretched(pixelAspect: Rational)
        }

        struct Fades: Hashable {
            var frames: Range<Int>
            var fadeIn: Int
            var fadeOut: Int
        }
    }

    /// The producers of a document, in order, with what each shows and the frame up to which that is used.
    struct Producers<Content: Equatable> {
        private(set) var rows: [(content: Content, end: Int)] = []

        /// The number of the producer that shows frames of `content` up to `end`.
        mutating func use(_ content: Content, to end: Int) -> Int {
            let index = rows.firstIndex { $0.content == content } ?? rows.count
            if index == rows.count { rows.append((content, 0)) }
            rows[index].end = max(rows[index].end, end)
            return index
        }
    }

    /// A part of a clip in consecutive frames of the output.
    struct Piece {
        var media: Media
        /// The frames of the output.
        var frames: Range<Int>
        /// The first frame of the media that is shown.
        var first: Int

        /// The piece in `part` of its frames.
        func slice(_ part: Range<Int>) -> Piece {
            Piece(media: media, frames: part, first: first + part.lowerBound - frames.lowerBound)
        }

        /// The frames of the media.
        var used: Range<Int> { first..<first + frames.count }
    }

    /// Clip `index` as far as it runs.
    func clip(_ index: Int) -> Piece {
        let (clip, place) = (plan.clips[index], plan.timeline.clips[index])
        let frames = place.start..<place.end
        if let picture = pictures[index] {
            return Piece(media: Media(path: picture, isStill: true), frames: frames, first: 0)
        }
        guard let video = clip.video else { return Piece(media: Media(), frames: frames, first: 0) }
        var media = Media(path: clip.input.path, isStill: video.isStill, filling: filling(clip))
        if video.isStill { return Piece(media: media, frames: frames, first: 0) }
        // MLT counts from the beginning of the file, and this program from the first picture.
        let begin = [video.start, clip.info?.audio?.start].compactMap(\.self).min() ?? video.start
        let start = clip.use.firstShown + video.start - begin
        let speed = clip.use.timing?.speed ?? Rational(1)
        media.speed = speed
        if let sound = plan.audio == nil ? nil : plan.sounds.first(where: { $0.clip == index }) {
            (media.hasSound, media.gain) = (true, sound.gain)
        }
        return Piece(media: media, frames: frames, first: max((start * rate / speed).rounded(), 0))
    }

    /// Whether a clip has another shape than the frame, by a pixel or more.
    func isShaped(_ clip: RenderPlan.Clip) -> Bool {
        guard let video = clip.video else { return false }
        let (width, height) = (Rational(plan.video.width) * plan.video.form.sampleAspectRatio, plan.video.height)
        let shown = Rational(video.displayWidth, video.displayHeight)
        return abs((shown * Rational(height) - width).doubleValue) >= 1
    }

    private func filling(_ clip: RenderPlan.Clip) -> Media.Filling? {
        guard isShaped(clip), let video = clip.video else { return nil }
        switch clip.conform.fit {
        case .pad, .blur: return nil
        case .crop: return .cropped
        case .stretch:
            // MLT turns pictures before it takes their shape.
            let frame = Rational(plan.video.width, plan.video.height) * plan.video.form.sampleAspectRatio
            let coded = Rational(video.width, video.height)
            return .stretched(pixelAspect: frame / (video.transform.swapsAxes ? coded.inverse : coded))
        }
    }

    /// The frames of the transition after clip `join`, or where it is cut.
    func overlap(_ join: Int) -> Range<Int> {
        let join = plan.timeline.joins[join]
        return join.start..<join.start + join.frames
    }

    /// The sounds besides the clips' own, each as it would be on a track of its own.
    var furtherSounds: [Piece] {
        if plan.audio == nil { return [] }
        return plan.sounds.filter { $0.clip == nil && $0.join == nil }.map { sound in
            let frame = { (time: Rational) in (time * rate).rounded() }
            let frames = frame(sound.span.start)..<max(frame(sound.span.end), frame(sound.span.start) + 1)
            var media = Media(path: sound.info.path)
            (media.hasPicture, media.hasSound, media.gain) = (false, true, sound.gain)
            let first = max(frame(sound.origin - sound.info.audioOrigin), 0)
            if sound.fadeIn != nil || sound.fadeOut != nil {
                media.fades = Media.Fades(
                    frames: first..<first + frames.count, fadeIn: sound.fadeIn.map { frame($0.duration) } ?? 0,
                    fadeOut: sound.fadeOut.map { frame($0.duration) } ?? 0)
            }
            return Piece(media: media, frames: frames, first: first)
        }
    }

    // MARK: Producers

    /// The producer `id` of `media`, of which frames up to `end` are used.
    func producer(_ id: String, _ media: Media, end: Int) -> MLTNode {
        var producer = node("producer", ["id": id, "in": "0"], ["eof": "pause"])
        var length = end
        if let path = media.path {
            if !media.isStill, let own = self.length(path) {
                length = max(length, (Rational(own) / media.speed).rounded())
            }
            let name = named(path)
            if media.isStill {
                producer["resource"] = name
                producer["mlt_service"] = "qimage"
                producer["ttl"] = "25"
            } else if media.speed == Rational(1) {
                producer["resource"] = name
                producer["mlt_service"] = "avformat"
            } else {
                let speed = "\(media.speed.doubleValue)"
                producer["resource"] = "\(speed):\(name)"
                producer["mlt_service"] = "timewarp"
                (producer["warp_speed"], producer["warp_resource"]) = (speed, name)
            }
            if !media.hasPicture { producer["video_index"] = "-1" }
            if case .stretched(let aspect) = media.filling {
                producer["force_aspect_ratio"] = "\(aspect.doubleValue)"
            }
        } else {
            producer["resource"] = plan.background.description
            producer["mlt_service"] = "color"
        }
        producer["length"] = "\(length)"
        producer.attributes["out"] = "\(length - 1)"
        return producer
    }

    /// The number of frames of a file that the plan names.
    private func length(_ path: String) -> Int? {
        let video = plan.clips.lazy.filter { $0.input.path == path }.compactMap(\.video).first
        let audio = plan.sounds.lazy.filter { $0.info.path == path }.compactMap(\.available).first
        return (video?.duration ?? audio).map { ($0 * rate).rounded() }
    }

    /// The filters that a piece's picture needs.
    func pictureFilters(_ media: Media) -> [MLTNode] {
        guard media.filling == .cropped, media.hasPicture else { return [] }
        return [
            node(
                "filter", [:],
                ["mlt_service": "crop", "kdenlive_id": "crop", "center": "1", "use_profile": "1"])
        ]
    }

    /// The filters that a piece's sound needs, with the names that the editor has for them.
    func filters(_ media: Media) -> [MLTNode] {
        var filters: [MLTNode] = []
        if media.gain != 1 {
            let level = 20 * log10(Double(media.gain))
            filters.append(
                node(
                    "filter", [:],
                    ["mlt_service": "volume", "kdenlive_id": "volume", "window": "75", "level": "\(level)"]))
        }
        guard let fades = media.fades else { return filters }
        let (start, end) = (fades.frames.lowerBound, fades.frames.upperBound)
        for (name, frames, from, to) in [
            ("fadein", start..<start + fades.fadeIn, "0", "1"), ("fadeout", end - fades.fadeOut..<end, "1", "0"),
        ] where !frames.isEmpty {
            filters.append(
                node(
                    "filter", ["in": "\(frames.lowerBound)", "out": "\(frames.upperBound - 1)"],
                    ["mlt_service": "volume", "kdenlive_id": name, "window": "75", "gain": from, "end": to]))
        }
        return filters
    }

    /// What stands before `piece` in a playlist whose clips end at frame `end` so far: nothing, or a gap.
    func gap(before piece: Piece, after end: Int = 0) -> [MLTNode] {
        let length = piece.frames.lowerBound - end
        return length > 0 ? [node("blank", ["length": "\(length)"])] : []
    }
}
