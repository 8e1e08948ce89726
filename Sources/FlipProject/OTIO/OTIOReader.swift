import FlipBase
import FlipFiles
import FlipGeometry
import FlipRender

/// Reads an OpenTimelineIO file into lanes of clips.
struct OTIOReader {
    /// Resolves media paths: relative to the timeline's folder, and within the root if there is one.
    let files: ReferencedFiles
    /// Sentences about what is not rendered as the file has it.
    private(set) var notes: [String] = []
    /// The errors for media that are missing, in the order of the file.
    private var missing: [MediaError] = []
    private var missingMessages: Set<String> = []

    init(files: ReferencedFiles) { self.files = files }

    /// Notes a sentence about something in `object` that is not rendered as the file has it.
    private mutating func note(_ object: JSONText, _ text: String) { note(object.location.sentence(text)) }

    private mutating func note(_ sentence: String) {
        if notes.count < 200, !notes.contains(sentence) { notes.append(sentence) }
    }

    /// Throws one error for all missing media, if there are any, so that they can be linked again in one go.
    func refuseMissingMedia() throws(MediaError) {
        guard let first = missing.first else { return }
        throw MediaError(first.kind, missing.messages)
    }

    // MARK: Schemas

    /// The schema's name without its version, such as "Clip" for "Clip.2". Names that OpenTimelineIO has given up
    /// become the current ones.
    static func schema(_ object: JSONText) -> String {
        let name = String((object["OTIO_SCHEMA"]?.text ?? "").prefix { $0 != "." })
        return ["Sequence": "Track", "Filler": "Gap", "SerializeableCollection": "SerializableCollection"][name] ?? name
    }

    /// The noun with its article, such as "an ImageSequenceReference".
    static func withArticle(_ noun: some StringProtocol) -> String {
        (noun.first.map { "AEIOU".contains($0) } == true ? "an " : "a ") + noun
    }

    /// The object's schema and name for messages, such as "clip 'Scene 1'".
    static func title(_ object: JSONText) -> String {
        let name = object["name"]?.text ?? ""
        return schema(object).lowercased() + (name.isEmpty ? "" : " '\(name.prefix(80))'")
    }

    private static func isEnabled(_ object: JSONText) -> Bool { object["enabled"]?.flag ?? true }

    private static func kind(_ track: JSONText) -> String { track["kind"]?.text ?? "Video" }

    // MARK: Pictures

    /// The pictures of a stack, a track or a clip, cut to its source range.
    mutating func pictures(_ object: JSONText) throws(MediaError) -> OTIOLane {
        let lane: OTIOLane
        switch OTIOReader.schema(object) {
        case "Stack": lane = try stack(object)
        case "Track": lane = try track(object)
        default: return OTIOLane(try item(object))
        }
        noteEffects(of: object, allowsTimeWarps: false)
        guard let range = try object["source_range"]?.otioRange() else { return lane }
        return lane.slice(range)
    }

    /// Lays the children of a stack over each other. The first is the lowest.
    private mutating func stack(_ object: JSONText) throws(MediaError) -> OTIOLane {
        var result: OTIOLane?
        for child in object["children"]?.items ?? [] where OTIOReader.isEnabled(child) {
            if OTIOReader.schema(child) == "Track", OTIOReader.kind(child) != "Video" {
                if OTIOReader.kind(child) != "Audio" {
                    note(child, "\(OTIOReader.title(child)) of kind \(OTIOReader.kind(child)) is left out")
                }
                continue
            }
            let lane = try pictures(child)
            result = try result.map { below throws(MediaError) in try lane.over(below) } ?? lane
        }
        return result ?? OTIOLane()
    }

    private mutating func track(_ object: JSONText) throws(MediaError) -> OTIOLane {
        var lane = OTIOLane()
        for child in object["children"]?.items ?? [] {
            switch OTIOReader.schema(child) {
            case "Transition": try lane.append(try transition(child))
            case "Stack", "Track":
                let nested = try pictures(child)
                if OTIOReader.isEnabled(child) {
                    try lane.append(nested)
                } else {
                    lane.append(OTIOItem(duration: nested.duration))
                }
            default: lane.append(try item(child))
            }
        }
        lane.close()
        return lane
    }

    /// A clip or a gap.
    private mutating func item(_ object: JSONText) throws(MediaError) -> OTIOItem {
        switch OTIOReader.schema(object) {
        case "Gap":
            guard let range = try object["source_range"]?.otioRange() else {
                throw object.error("\(OTIOReader.title(object)) has no source_range")
            }
            return OTIOItem(duration: range.duration)
        case "Clip": return try clip(object)
        case let schema:
            throw object.error(
                "'\(schema.prefix(40))' is not supported (expected a Clip, Gap, Transition, Stack or Track)")
        }
    }

    private mutating func clip(_ object: JSONText) throws(MediaError) -> OTIOItem {
        let title = OTIOReader.title(object)
        let media = OTIOReader.media(of: object)
        let available = try media?["available_range"]?.otioRange()
        let range = try object["source_range"]?.otioRange()
        guard let range = range ?? available else {
            throw object.error("\(title) has neither a source_range nor an available_range, so it has no length")
        }
        let gap = OTIOItem(duration: range.duration)
        let speed = try speed(of: object)
        guard OTIOReader.isEnabled(object) else { return gap }
        let schema = media.map(OTIOReader.schema) ?? "MissingReference"
        switch schema {
        case "ExternalReference": break
        case "MissingReference":
            return miss(
                object.error("\(title) has no media (link it again in the program that wrote the timeline)"), gap)
        default:
            note(object, "\(title): \(OTIOReader.withArticle(schema)) is not supported; a gap takes its place")
            return gap
        }
        guard let media, let url = media["target_url"]?.text, !url.isEmpty else {
            throw (media ?? object).error("the media of \(title) has no target_url")
        }
        let path: String
        do throws(MediaError) {
            path = try files.path(ofURL: url, title, at: (media["target_url"] ?? media).location)
        } catch  where error.kind == .missingInput {
            return miss(error, gap)
        }
        var clip = OTIOClip(
            name: object["name"]?.text ?? "", location: object.location, path: path,
            start: range.start - (available?.start ?? .zero), speed: speed)
        if let own = object["metadata"]?["fliptransition"] {
            let seconds = { (key: String) in Rational(approximating: min(max(own[key]?.number ?? 0, 0), 86400)) }
            clip.sound = (seconds("fade-in"), seconds("fade-out"), min(max(own["gain"]?.number ?? 0, -120), 40))
        }
        if let available, available.duration > .zero { clip.available = TimeSpan(duration: available.duration) }
        return OTIOItem(clip: clip, duration: range.duration)
    }

    /// Records that a clip's media is missing, and continues with `gap` because more may be.
    private mutating func miss(_ error: MediaError, _ gap: OTIOItem) -> OTIOItem {
        if missingMessages.insert(error.message).inserted { missing.append(error) }
        return gap
    }

    /// The media that is in use: `media_reference` (Clip.1) or one of `media_references` (Clip.2).
    private static func media(of clip: JSONText) -> JSONText? {
        if let media = clip["media_reference"] { return media }
        return clip["media_references"]?[clip["active_media_reference_key"]?.text ?? "DEFAULT_MEDIA"]
    }

    // MARK: Effects

    private mutating func speed(of object: JSONText) throws(MediaError) -> Rational {
        noteEffects(of: object, allowsTimeWarps: true)
        var speed = Rational(1)
        for effect in object["effects"]?.items ?? [] {
            switch OTIOReader.schema(effect) {
            case "FreezeFrame": speed = .zero
            case "LinearTimeWarp":
                guard let scalar = effect["time_scalar"]?.number, scalar.magnitude <= 1000 else {
                    throw (effect["time_scalar"] ?? effect).error("the time_scalar has to be a number, at most 1000")
                }
                if scalar < 0 {
                    note(effect, "\(OTIOReader.title(object)) plays forward, because playing backward is not supported")
                }
                speed = speed * Rational(approximating: scalar.magnitude)
            default: break
            }
        }
        return speed
    }

    private mutating func noteEffects(of object: JSONText, allowsTimeWarps: Bool) {
        for effect in object["effects"]?.items ?? [] {
            let schema = OTIOReader.schema(effect)
            if allowsTimeWarps, ["FreezeFrame", "LinearTimeWarp"].contains(schema) { continue }
            let name = effect["effect_name"]?.text ?? effect["name"]?.text ?? ""
            let effectTitle = schema + (name.isEmpty ? "" : " '\(name)'")
            note(effect, "\(OTIOReader.title(object)): the effect \(effectTitle) is not rendered")
        }
    }

    // MARK: Transitions

    private mutating func transition(_ object: JSONText) throws(MediaError) -> OTIOTransition {
        let offset = { (key: String) throws(MediaError) -> Rational in
            guard let time = object[key] else { return .zero }
            let seconds = try time.otioSeconds()
            guard seconds >= .zero, seconds <= OTIORange.longest else {
                throw time.error("the \(key) has to be 0 to a day")
            }
            return seconds
        }
        let look = try OTIOLook(object, folder: files.folder)
        var spec = look.spec
        for path in spec.files { try files.admit(path, at: object.location) }
        do throws(OptionError) {
            try spec.readGesture()
        } catch {
            throw object.error(error.description)
        }
        if let sentence = look.note { note(sentence) }
        return OTIOTransition(
            name: object["name"]?.text ?? "", location: object.location, inOffset: try offset("in_offset"),
            outOffset: try offset("out_offset"), spec: spec)
    }

    // MARK: Audio

    /// Whether `object` is an audio track or contains one.
    static func hasSounds(_ object: JSONText) -> Bool {
        if schema(object) == "Track", kind(object) == "Audio" { return true }
        return object["children"]?.items.contains(where: hasSounds) ?? false
    }

    /// The audio of a stack or a track, cut to its source range, in lanes that start at the same time.
    mutating func sounds(_ object: JSONText) throws(MediaError) -> [OTIOLane] {
        guard OTIOReader.isEnabled(object) else { return [] }
        var lanes: [OTIOLane] = []
        if OTIOReader.schema(object) == "Stack" {
            for child in object["children"]?.items ?? [] where ["Stack", "Track"].contains(OTIOReader.schema(child)) {
                lanes += try sounds(child)
            }
        } else {
            lanes = try trackSounds(object)
        }
        guard let range = try object["source_range"]?.otioRange() else { return lanes }
        return lanes.map { $0.slice(range) }
    }

    private mutating func trackSounds(_ object: JSONText) throws(MediaError) -> [OTIOLane] {
        let isHeard = OTIOReader.kind(object) == "Audio"
        var own = OTIOLane()
        var nested: [OTIOLane] = []
        for child in object["children"]?.items ?? [] {
            switch OTIOReader.schema(child) {
            case "Transition": if isHeard { try own.append(try transition(child)) }
            case "Stack", "Track":
                let start = own.duration
                for lane in try sounds(child) {
                    var shifted = OTIOLane(OTIOItem(duration: start))
                    try shifted.append(lane)
                    nested.append(shifted)
                }
                own.append(OTIOItem(duration: try length(of: child)))
            default:
                let item = try item(child)
                own.append(isHeard ? item : OTIOItem(duration: item.duration))
            }
        }
        own.close()
        return (isHeard ? [own] : []) + nested
    }

    /// The duration of a stack or a track, in seconds.
    private mutating func length(of object: JSONText) throws(MediaError) -> Rational {
        if let range = try object["source_range"]?.otioRange() { return range.duration }
        var longest = Rational.zero
        var sum = Rational.zero
        for child in object["children"]?.items ?? [] {
            let length: Rational
            switch OTIOReader.schema(child) {
            case "Transition": continue
            case "Stack", "Track": length = try self.length(of: child)
            default: length = try item(child).duration
            }
            longest = max(longest, length)
            sum = sum + length
        }
        return OTIOReader.schema(object) == "Stack" ? longest : sum
    }
}
