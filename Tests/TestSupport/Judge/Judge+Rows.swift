extension Judge {
    /// The objects that ffprobe lists under `key` with some options, such as "packets".
    package static func rows(_ path: String, _ key: String, _ words: Words...) throws -> [[String: Any]] {
        try probe(path, words.list)[key] as? [[String: Any]] ?? []
    }

    /// The streams of a kind, such as "a" or "v:0", or all.
    package static func streams(_ path: String, _ kind: String? = nil) throws -> [[String: Any]] {
        try rows(path, "streams", "\(kind.map { ["-select_streams", $0] } ?? []) -show_streams")
    }

    /// The language of each stream of a kind as its tag says; "" without one.
    package static func languages(_ path: String, _ kind: String) throws -> [String] {
        try streams(path, kind).map { ($0["tags"] as? [String: Any])?["language"] as? String ?? "" }
    }

    /// The language of each stream but the video; "und" without one.
    package static func languagesBesideVideo(_ path: String) throws -> [String] {
        try streams(path).filter { $0["codec_type"] as? String != "video" }.map {
            ($0["tags"] as? [String: Any])?["language"] as? String ?? "und"
        }
    }

    /// The chapters, in seconds.
    package static func chapters(_ path: String) throws -> [(title: String, start: Double, end: Double)] {
        try rows(path, "chapters", "-show_chapters").map { row in
            let time = { (key: String) in number(row[key]) ?? -1 }
            return ((row["tags"] as? [String: Any])?["title"] as? String ?? "", time("start_time"), time("end_time"))
        }
    }
}
