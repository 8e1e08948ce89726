/// Which of a file's tags are carried to an output.
package enum FileTags {
    /// Tags that describe a file rather than the film in it.
    private static let technical: Set<String> = [
        "encoder", "encoded_by", "encoding_tool", "major_brand", "minor_version", "compatible_brands",
        "handler_name", "vendor_id", "duration", "timecode", "language", "service_name", "service_provider",
    ]
    /// The maximum length of a value in bytes, and the maximum number of tags.
    private static let maxLength = 1 << 14
    private static let maxCount = 256

    /// The time at which a recording began, by libav's name and by QuickTime's, which also says in which time zone.
    private static let dates = ["creation_time", apple + "creationdate"]
    private static let apple = "com.apple.quicktime."
    /// The tags that QuickTime has under names of its own, too.
    private static let shared: Set<String> = ["title", "artist", "make", "model", "software", "location"]

    /// QuickTime's own name for what the tag `name` says.
    private static func alias(of name: String) -> String {
        switch name {
        case "location": apple + "location.iso6709"
        case "creation_time": apple + "creationdate"
        default: apple + name
        }
    }

    /// The tags of a file that say something of the film, by their names in lower case.
    package static func kept(_ all: [(key: String, value: String)]) -> [String: String] {
        var tags: [String: String] = [:]
        for (key, value) in all where tags.count < maxCount {
            let name = key.lowercased()
            if technical.contains(name) || name.hasPrefix("_") || value.isEmpty || value.utf8.count > maxLength {
                continue
            }
            // libav writes its own name as the software of AVI files, and as the encoder of others.
            if name == "software" && value.hasPrefix("Lavf") { continue }
            tags[name] = name == "creation_time" ? RecordingDate(value)?.text : value
        }
        // A clock that was never set begins with 1970.
        if tags["creation_time"] == "1970-01-01T00:00:00.000000Z" { tags["creation_time"] = nil }
        for name in shared where tags[name] == nil { tags[name] = tags[alias(of: name)] }
        // libav repeats each text under its name with its language, as in "location-eng".
        return tags.filter { name, value in
            let parts = name.split(separator: "-")
            return parts.count != 2 || parts[1].utf8.count != 3 || tags[String(parts[0])] != value
        }
    }

    /// The tags of all clips together: those on which all that have them agree, and the earliest date.
    /// - Returns: also the names of the tags that are left out because clips disagree, in order.
    package static func common(_ clips: [[String: String]]) -> (tags: [String: String], disputed: [String]) {
        var common: [String: String] = [:]
        var disputed: Set<String> = []
        for clip in clips {
            for (name, value) in clip {
                if let other = common[name], !agree(other, value, on: name) {
                    disputed.insert(name)
                } else if common[name] == nil {
                    common[name] = value
                }
            }
        }
        for name in shared where disputed.contains(name) { common[alias(of: name)] = nil }
        common = common.filter { !disputed.contains($0.key) }
        let dated = clips.filter { clip in dates.contains { clip[$0] != nil } }
        let first = dated.min { ($0[dates[0]] ?? "~") < ($1[dates[0]] ?? "~") }
        for name in dates { common[name] = first?[name] }
        return (common, disputed.filter { !dates.contains($0) && !$0.hasPrefix(apple) }.sorted())
    }

    /// Whether two clips say the same: receivers find the same place again to about a kilometer.
    private static func agree(_ one: String, _ other: String, on name: String) -> Bool {
        if one == other { return true }
        guard name == "location" || name == alias(of: "location"), let one = Place(one), let other = Place(other) else {
            return false
        }
        return abs(one.latitude - other.latitude) <= 0.01 && abs(one.longitude - other.longitude) <= 0.01
    }

    /// Sets a tag, or removes it if `value` is empty, under all of its names.
    package static func set(_ name: String, _ value: String, in tags: inout [String: String]) {
        tags[alias(of: name)] = nil
        tags[name] = value.isEmpty ? nil : value
    }
}

/// A place on the earth in degrees, as files state it.
package struct Place: Sendable, Hashable {
    package let latitude: Double
    package let longitude: Double

    /// Reads ISO 6709 in degrees, such as "+37.5002+127.0362/"; nil for anything else.
    package init?(_ text: String) {
        var numbers: [String] = []
        for letter in text.prefix(while: { $0 != "/" }) {
            if letter == "+" || letter == "-" {
                numbers.append("")
            } else if numbers.isEmpty || !("0"..."9" ~= letter || letter == ".") {
                // A coordinate reference system follows the numbers.
                break
            }
            numbers[numbers.count - 1].append(letter)
        }
        guard numbers.count >= 2, let latitude = Double(numbers[0]), let longitude = Double(numbers[1]),
            abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}

extension Container {
    /// The tags that libav writes into a file; nil if any are possible.
    package var tags: Set<String>? {
        switch name {
        case "matroska", "webm", "nut", "mp4", "mov": nil
        case "avi": ["title", "artist", "comment", "copyright", "date", "genre", "language", "product", "timecode"]
        default: []
        }
    }
}
