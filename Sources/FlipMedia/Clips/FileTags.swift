/// Which of a file's tags are carried to an output.
package enum FileTags {
    /// Tags that describe a file rather than the film in it.
    private static let technical: Set<String> = [
        "encoder", "encoded_by", "encoding_tool", "creation_time", "major_brand", "minor_version", "compatible_brands",
        "handler_name", "vendor_id", "duration", "timecode", "language", "software", "service_name",
        "service_provider",
    ]
    /// The maximum length of a value in bytes, and the maximum number of tags.
    private static let maxLength = 1 << 14
    private static let maxCount = 256

    /// The tags of a file that say something of the film, by their names in lower case.
    package static func kept(_ all: [(key: String, value: String)]) -> [String: String] {
        var tags: [String: String] = [:]
        for (key, value) in all where tags.count < maxCount {
            let name = key.lowercased()
            if technical.contains(name) || name.hasPrefix("_") || value.isEmpty || value.utf8.count > maxLength {
                continue
            }
            tags[name] = value
        }
        return tags
    }

    /// The tags of all clips together: those on which all that have them agree.
    package static func common(_ clips: [[String: String]]) -> [String: String] {
        var common: [String: String] = [:]
        var disputed: Set<String> = []
        for (name, value) in clips.joined() {
            if let other = common[name], other != value { disputed.insert(name) }
            common[name] = value
        }
        return common.filter { !disputed.contains($0.key) }
    }
}

extension Container {
    /// The tags that libav writes into a file; nil if any are possible.
    package var tags: Set<String>? {
        switch name {
        case "matroska", "webm", "nut": nil
        case "mp4":
            [
                "title", "artist", "album_artist", "composer", "album", "date", "comment", "genre", "copyright",
                "grouping", "lyrics", "description", "synopsis", "show", "episode_id", "network", "keywords",
            ]
        case "mov": ["title", "artist", "album", "date", "comment", "genre", "copyright", "make", "model", "location"]
        case "avi": ["title", "artist", "comment", "copyright", "date", "genre", "language", "product"]
        default: []
        }
    }
}
