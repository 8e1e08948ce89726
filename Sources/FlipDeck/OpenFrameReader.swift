import FlipBase
import FlipFiles
import Foundation

/// Reads the frames of an OpenDocument slide in which films and sounds stand (ODF 1.2 part 1, 10.4.2 and 10.4.6).
struct OpenFrameReader {
    /// How what stands in the current frame is used.
    private(set) var use = MediaUse()

    mutating func begin(_ element: XMLElement) {
        let length = { (name: String) in element.attribute(name, in: ":svg-compatible:1.0").flatMap(Self.points) ?? 0 }
        use = MediaUse()
        use.shape = element.attribute("id", in: ":drawing:1.0") ?? ""
        use.frame = MediaUse.Frame(x: length("x"), y: length("y"), width: length("width"), height: length("height"))
        use.isTurned = element.attribute("transform", in: ":drawing:1.0") != nil
    }

    /// Whether the element is the parameter that mutes a film or sound in LibreOffice.
    func isMute(_ element: XMLElement) -> Bool {
        element.attribute("name", in: ":drawing:1.0") == "Mute"
            && element.attribute("value", in: ":drawing:1.0") == "true"
    }

    /// The name of the part that `link` refers to, if it stays within the document; else the link as it is.
    static func part(_ link: String) -> String {
        let prefix = ["vnd.sun.star.Package:", "./"].first { link.hasPrefix($0) } ?? ""
        let name = link.dropFirst(prefix.count)
        return name.removingPercentEncoding ?? String(name)
    }

    /// A length in points; nil if it isn't one (ODF 1.2 part 1, 18.3.18), or absurdly large.
    static func points(_ text: String) -> Double? {
        let units = ["cm": 72 / 2.54, "mm": 72 / 25.4, "in": 72, "pt": 1, "pc": 12, "px": 0.75]
        guard let unit = units[String(text.suffix(2))], let value = Double(text.dropLast(2)), abs(value) < 1e6 else {
            return nil
        }
        return value * unit
    }
}
