import Foundation

/// Decks with speaker notes for tests, and what players show of captions.
package enum NoteSlides {
    /// A PDF with a page for each of `notes`, all of other colors, with these texts as annotations; nil for none.
    package static func pdf(_ notes: [String?]) -> Data {
        let first = notes.count + 3
        let entries = notes.enumerated().map { index, text in
            let hex = (text ?? "").utf16.map { String(String(Int($0) + 0x10000, radix: 16).suffix(4)) }.joined()
            let note = "/Annots [<< /Type /Annot /Subtype /Text /F 2 /Rect [0 0 0 0] /Contents <FEFF\(hex)> >>]"
            return "/Contents \(first + index) 0 R \(text == nil ? "" : note)"
        }
        let objects = notes.indices.map { index in
            let shades = [index * 97 % 256, (index * 61 + 40) % 256, (index * 151 + 80) % 256]
            let content = shades.map { "\(Double($0) / 255)" }.joined(separator: " ") + " rg 0 0 320 180 re f"
            return "<< /Length \(content.utf8.count) >> stream\n\(content)\nendstream"
        }
        return DeckFiles.pdf(pages: entries, objects: objects)
    }

    /// A caption as players show it.
    package struct Caption: Equatable {
        /// The times in seconds.
        package var start: Double
        package var end: Double
        package var text: String

        package init(start: Double, end: Double, text: String) {
            self.start = start
            self.end = end
            self.text = text
        }
    }

    /// The captions of one of the file's subtitle tracks, as ffmpeg reads them.
    package static func captions(_ path: String, track: Int = 0) throws -> [Caption] {
        let text = try Tool.ffmpeg("-i \(path) -map 0:s:\(track) -f srt -").text.replacing("\r\n", with: "\n")
        return text.components(separatedBy: "\n\n").compactMap { block in
            let lines = block.split(separator: "\n")
            guard lines.count > 1 else { return nil }
            let times = lines[1].components(separatedBy: " --> ").map(seconds)
            guard times.count == 2 else { return nil }
            return Caption(start: times[0], end: times[1], text: lines.dropFirst(2).joined(separator: "\n"))
        }
    }

    private static func seconds(_ clock: String) -> Double {
        clock.replacing(",", with: ".").split(separator: ":").reduce(0) { $0 * 60 + (Double($1) ?? .nan) }
    }

    /// The silences of `seconds` or longer in the first audio track, as ffmpeg finds them.
    package static func silences(_ path: String, seconds: Double) throws -> [(start: Double, end: Double)] {
        let log = try Tool.succeed(
            "ffmpeg",
            "-nostdin -hide_banner -nostats -i \(path) -vn -af silencedetect=noise=-45dB:d=\(seconds) -f null", "-"
        ).messages
        let values = { (name: String) in
            log.components(separatedBy: name + ": ").dropFirst().compactMap {
                Double($0.prefix { "-.0123456789".contains($0) })
            }
        }
        return Array(zip(values("silence_start"), values("silence_end")))
    }
}
