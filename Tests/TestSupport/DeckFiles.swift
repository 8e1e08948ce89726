import Foundation

/// Slide documents, written byte by byte.
package enum DeckFiles {
    /// A PDF of pages with `entries` ("/Dur 2") in each page's dictionary (ISO 32000-1 7.5).
    /// - Parameter content: what is drawn on every page, as PDF's operators say it; nothing unless given.
    package static func pdf(
        pages entries: [String], width: Int = 320, height: Int = 180, content: String = ""
    ) -> Data {
        var text = "%PDF-1.5\n"
        var places: [Int] = []
        let add = { (text: inout String, body: String) in
            places.append(text.utf8.count)
            text += "\(places.count) 0 obj\n\(body)\nendobj\n"
        }
        let kids = entries.indices.map { "\($0 + 3) 0 R" }.joined(separator: " ")
        add(&text, "<< /Type /Catalog /Pages 2 0 R >>")
        add(&text, "<< /Type /Pages /Kids [\(kids)] /Count \(entries.count) >>")
        let drawing = content.isEmpty ? "" : "/Contents \(entries.count + 3) 0 R"
        for entry in entries {
            add(&text, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(width) \(height)] \(drawing) \(entry) >>")
        }
        if !content.isEmpty { add(&text, "<< /Length \(content.utf8.count) >> stream\n\(content)\nendstream") }
        let table = text.utf8.count
        text += "xref\n0 \(places.count + 1)\n0000000000 65535 f \n"
        for place in places { text += String(repeating: "0", count: 10 - "\(place)".count) + "\(place) 00000 n \n" }
        text += "trailer\n<< /Size \(places.count + 1) /Root 1 0 R >>\nstartxref\n\(table)\n%%EOF\n"
        return Data(text.utf8)
    }

    /// One of the files of a zip archive.
    package struct Member {
        var name: String
        var bytes: Data
        /// Whether `bytes` are deflated.
        var isDeflated: Bool

        package init(_ name: String, _ bytes: Data, isDeflated: Bool = false) {
            self.name = name
            self.bytes = bytes
            self.isDeflated = isDeflated
        }
    }

    /// A zip archive (APPNOTE 4.3); nobody here looks at its checksums.
    package static func zip(_ members: [Member]) -> Data {
        var archive = Data()
        var directory = Data()
        for member in members {
            let name = Data(member.name.utf8)
            let method = number(member.isDeflated ? 8 : 0, 2)
            let sizes = number(0, 4) + number(member.bytes.count, 4) + number(member.bytes.count, 4)
            let place = archive.count
            archive += number(0x0403_4b50, 4) + number(20, 2) + number(0, 2) + method + number(0, 4) + sizes
            archive += number(name.count, 2) + number(0, 2) + name + member.bytes
            directory += number(0x0201_4b50, 4) + number(20, 2) + number(20, 2) + number(0, 2) + method + number(0, 4)
            directory += sizes + number(name.count, 2) + Data(count: 12) + number(place, 4) + name
        }
        return archive + directory + number(0x0605_4b50, 4) + Data(count: 4) + number(members.count, 2)
            + number(members.count, 2) + number(directory.count, 4) + number(archive.count, 4) + number(0, 2)
    }

    /// What a PowerPoint file says of `slides`, each the XML within `p:sld` (ECMA-376 19.3); not enough of one to be shown.
    package static func powerPoint(_ slides: [String]) -> [Member] {
        let space = #"xmlns:a="a" xmlns:r="r" xmlns:p="p" xmlns:p14="p14" xmlns:p15="p15" xmlns:mc="mc""#
        let head = #"<?xml version="1.0" encoding="UTF-8"?>"#
        let ids = slides.indices.map { #"<p:sldId id="\#(256 + $0)" r:id="rId\#($0)"/>"# }.joined()
        // The files' names are in the other order.
        let file = { (index: Int) in "slide\(slides.count - index).xml" }
        let relations = slides.indices.map { #"<Relationship Id="rId\#($0)" Target="slides/\#(file($0))"/>"# }.joined()
        return [
            Member(
                "ppt/presentation.xml",
                Data("\(head)<p:presentation \(space)><p:sldIdLst>\(ids)</p:sldIdLst></p:presentation>".utf8)),
            Member("ppt/_rels/presentation.xml.rels", Data("\(head)<Relationships>\(relations)</Relationships>".utf8)),
        ]
            + slides.enumerated().map { index, slide in
                let isHidden = slide.hasPrefix("HIDDEN")
                let body = isHidden ? String(slide.dropFirst(6)) : slide
                return Member(
                    "ppt/slides/\(file(index))",
                    Data("\(head)<p:sld \(space)\(isHidden ? #" show="0""# : "")>\(body)</p:sld>".utf8))
            }
    }

    private static func number(_ value: Int, _ size: Int) -> Data {
        Data((0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }
}
