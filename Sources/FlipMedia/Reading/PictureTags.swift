import CLibav
import FlipBase

/// The tags of a film for what a photo's EXIF data say: when and where it was taken, and with what (CIPA DC-008).
package struct PictureTags {
    /// The tags by name; those of which the photo says nothing are missing.
    package private(set) var tags: [String: String] = [:]

    init(of frame: Frame) {
        self.init { InputFile.text($0, of: frame.pointer.pointee.metadata) }
    }

    /// - Parameter text: the value of an EXIF tag as libav writes it; nil if there is none.
    package init(_ text: (_ name: String) -> String?) {
        for (name, tag) in [("Make", "make"), ("Model", "model"), ("LensModel", "lens"), ("Software", "software")] {
            tags[tag] = text(name).map { String($0.prefix { $0 != "\0" }) }
        }
        if let date = text("DateTimeOriginal") {
            // "2018:02:17 16:39:33"; without a time zone, what the camera's clock shows counts as UTC.
            let day = date.prefix(10).map { $0 == ":" ? "-" : $0 }
            let time = date.dropFirst(10).prefix(9) + (text("OffsetTimeOriginal") ?? "")
            tags["creation_time"] = RecordingDate(String(day) + time)?.text
        }
        if let latitude = Self.degrees(text("GPSLatitude"), text("GPSLatitudeRef"), ["N", "S"]),
            let longitude = Self.degrees(text("GPSLongitude"), text("GPSLongitudeRef"), ["E", "W"])
        {
            tags["location"] = Self.text(latitude, digits: 2) + Self.text(longitude, digits: 3) + "/"
        }
    }

    /// Millionths of a degree from degrees, minutes and seconds, each a fraction as in "35:1, 39:1, 2603:100"; nil for
    /// anything else.
    /// - Parameter signs: the letters of the positive and the negative half.
    private static func degrees(_ text: String?, _ sign: String?, _ signs: [Character]) -> Int? {
        guard let text, let index = signs.firstIndex(where: { sign?.first == $0 }) else { return nil }
        let parts = text.split { $0 == "," || $0 == " " }.map { part in
            part.split { $0 == ":" || $0 == "/" }.map { Double($0) ?? -1 }
        }
        guard parts.count == 3, parts.allSatisfy({ $0.count == 2 && $0[0] >= 0 && $0[1] > 0 }) else { return nil }
        let degrees = parts[0][0] / parts[0][1] + parts[1][0] / parts[1][1] / 60 + parts[2][0] / parts[2][1] / 3600
        guard degrees <= 180 else { return nil }
        return Int((degrees * 1_000_000).rounded()) * (index == 0 ? 1 : -1)
    }

    /// An angle as ISO 6709 has it, such as "+139.749650".
    private static func text(_ millionths: Int, digits: Int) -> String {
        let (degrees, fraction) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        return (millionths < 0 ? "-" : "+") + degrees.padded(to: digits) + "." + fraction.padded(to: 6)
    }
}
