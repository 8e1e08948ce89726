import FlipBase
import FlipFiles
import Foundation

/// A project of LosslessCut: JSON5 with the name of a film and the segments to keep.
enum LosslessCutProject {
    static func read(_ data: Data, into writer: CutWriter) throws(MediaError) {
        let document = try JSONText.parse(data, path: writer.file.path, allowsJSON5: true)
        guard let version = document["version"]?.listCount, let segments = document["cutSegments"],
            case .list(let items) = segments.content
        else { throw document.error("this is not a project of LosslessCut (it has no version and cutSegments)") }
        guard (1...2).contains(version) else {
            throw document.error("projects of version \(version) are not known (expected 1 or 2)")
        }
        let film = try writer.film(document["mediaFileName"]?.text, line: document.location.line)
        var (markers, unselected) = (0, 0)
        for item in items {
            let start = try time("start", of: item)
            let end = try time("end", of: item)
            // In version 1, a segment without an end lasts until the film's. Since version 2 it marks a moment.
            if end == nil, version > 1 {
                markers += 1
            } else if item["selected"]?.flag == false {
                unselected += 1
            } else {
                try writer.add(film, from: start, to: end, title: item["name"]?.text, line: item.location.line)
            }
        }
        if markers > 0 { writer.note("\(markers == 1 ? "1 marker is" : "\(markers) markers are") left out") }
        if unselected > 0 {
            writer.note(
                "\(unselected == 1 ? "1 segment is" : "\(unselected) segments are") left out that "
                    + "\(unselected == 1 ? "is" : "are") not selected")
        }
    }

    private static func time(_ key: String, of segment: JSONText) throws(MediaError) -> Rational? {
        guard let value = segment[key] else { return nil }
        guard let time = value.listNumber else { throw value.error("'\(key)' has to be a time in seconds, 0 or more") }
        return time
    }
}
