import Foundation

/// Slide documents for tests, written byte by byte.
package enum DeckFiles {
    /// A PDF with one page for each of `entries`, which is added to the page's dictionary, such as "/Dur 2" (ISO
    /// 32000-1 7.5).
    /// - Parameters:
    ///   - content: the PDF operators that draw the content of every page; by default the pages are empty.
    ///   - catalog: what is added to the catalog's dictionary.
    ///   - objects: further objects. Their numbers follow those of the pages, which begin with 3, and of the content.
    ///   - info: what the document says of itself, such as "/Title (Waves)" (ISO 32000-1 14.3.3).
    package static func pdf(
        pages entries: [String], width: Int = 320, height: Int = 180, content: String = "", catalog: String = "",
        objects: [String] = [], info: String = ""
    ) -> Data {
        var text = "%PDF-1.5\n"
        var places: [Int] = []
        let add = { (text: inout String, body: String) in
            places.append(text.utf8.count)
            text += "\(places.count) 0 obj\n\(body)\nendobj\n"
        }
        let kids = entries.indices.map { "\($0 + 3) 0 R" }.joined(separator: " ")
        add(&text, "<< /Type /Catalog /Pages 2 0 R \(catalog) >>")
        add(&text, "<< /Type /Pages /Kids [\(kids)] /Count \(entries.count) >>")
        let drawing = content.isEmpty ? "" : "/Contents \(entries.count + 3) 0 R"
        for entry in entries {
            add(&text, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(width) \(height)] \(drawing) \(entry) >>")
        }
        if !content.isEmpty { add(&text, "<< /Length \(content.utf8.count) >> stream\n\(content)\nendstream") }
        for object in objects { add(&text, object) }
        if !info.isEmpty { add(&text, "<< \(info) >>") }
        let about = info.isEmpty ? "" : "/Info \(places.count) 0 R "
        let table = text.utf8.count
        text += "xref\n0 \(places.count + 1)\n0000000000 65535 f \n"
        for place in places { text += String(repeating: "0", count: 10 - "\(place)".count) + "\(place) 00000 n \n" }
        text += "trailer\n<< /Size \(places.count + 1) /Root 1 0 R \(about)>>\nstartxref\n\(table)\n%%EOF\n"
        return Data(text.utf8)
    }

    /// A file in a zip archive.
    package struct Member {
        var name: String
        var bytes: Data
        /// If `bytes` are deflated, the size and the checksum of the inflated data; otherwise nil.
        var inflated: (size: Int, checksum: UInt32)?

        package init(_ name: String, _ bytes: Data, inflated: (size: Int, checksum: UInt32)? = nil) {
            self.name = name
            self.bytes = bytes
            self.inflated = inflated
        }

        package init(_ name: String, _ text: String) { self.init(name, Data(text.utf8)) }

        /// A file of `length` zeros, deflated to about a thousandth of that size.
        package static func zeros(_ name: String, length: Int) throws -> Member {
            let packed = try Tool.succeed("sh", ["-c", "head -c \(length) /dev/zero | gzip -9"]).output
            // RFC 1952: a gzip file is a header of ten bytes, the deflated data, the checksum (little-endian) and the
            // size.
            let checksum = packed.suffix(8).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return Member(name, packed.dropFirst(10).dropLast(8), inflated: (length, checksum))
        }
    }

    /// The bytes of `members` by name.
    package static func parts(_ members: [Member]) -> [String: Data] {
        Dictionary(members.map { ($0.name, $0.bytes) }) { $1 }
    }

    /// A zip archive (APPNOTE 4.3).
    package static func zip(_ members: [Member]) -> Data {
        var archive = Data()
        var directory = Data()
        for member in members {
            let name = Data(member.name.utf8)
            let method = number(member.inflated == nil ? 0 : 8, 2)
            let (size, checksum) = member.inflated ?? (member.bytes.count, HostileFiles.checksum(member.bytes))
            let sizes = number(Int(checksum), 4) + number(member.bytes.count, 4) + number(size, 4)
            let place = archive.count
            archive += number(0x0403_4b50, 4) + number(20, 2) + number(0, 2) + method + number(0, 4) + sizes
            archive += number(name.count, 2) + number(0, 2) + name + member.bytes
            directory += number(0x0201_4b50, 4) + number(20, 2) + number(20, 2) + number(0, 2) + method + number(0, 4)
            directory += sizes + number(name.count, 2) + Data(count: 12) + number(place, 4) + name
        }
        return archive + directory + number(0x0605_4b50, 4) + Data(count: 4) + number(members.count, 2)
            + number(members.count, 2) + number(directory.count, 4) + number(archive.count, 4) + number(0, 2)
    }

    // MARK: PowerPoint

    private static let office = "http://schemas.openxmlformats.org"
    /// The URI of the relationship type `name`, such as "image", "video" or "audio".
    package static func relationType(_ name: String) -> String { "\(office)/officeDocument/2006/relationships/\(name)" }
    private static let packages = "\(office)/package/2006"
    private static let coreType = "application/vnd.openxmlformats-package.core-properties+xml"

    /// A minimal PowerPoint file (ECMA-376) of `slides` that LibreOffice can open. Each slide is the XML within
    /// `p:sld`; one that begins with HIDDEN is hidden.
    /// - Parameters:
    ///   - relations: the XML of each slide's relationships, by slide number from 1.
    ///   - properties: the XML of the document's properties (ECMA-376-2, 11), such as "<dc:title>Waves</dc:title>".
    package static func powerPoint(
        _ slides: [String], relations: [Int: String] = [:], properties: String = ""
    ) -> [Member] {
        let space = """
            xmlns:a="\(office)/drawingml/2006/main" xmlns:r="\(office)/officeDocument/2006/relationships" \
            xmlns:p="\(office)/presentationml/2006/main" xmlns:mc="\(office)/markup-compatibility/2006" \
            xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main" \
            xmlns:p15="http://schemas.microsoft.com/office/powerpoint/2012/main" \
            xmlns:p159="http://schemas.microsoft.com/office/powerpoint/2015/09/main"
            """
        let head = #"<?xml version="1.0" encoding="UTF-8"?>"#
        let ids = slides.indices.map { #"<p:sldId id="\#(256 + $0)" r:id="rId\#($0)"/>"# }.joined()
        // The files are named in reverse order, so that readers can't rely on their names.
        let file = { (index: Int) in "slide\(slides.count - index).xml" }
        let type = "application/vnd.openxmlformats-officedocument.presentationml"
        let types = slides.indices.map {
            #"<Override PartName="/ppt/slides/\#(file($0))" ContentType="\#(type).slide+xml"/>"#
        }.joined()
        let main = #"<Override PartName="/ppt/presentation.xml" ContentType="\#(type).presentation.main+xml"/>"#
        let defaults = """
            <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
            <Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>\
            <Default Extension="mp4" ContentType="video/mp4"/><Default Extension="wav" ContentType="audio/wav"/>
            """
        let list = { (body: String) in
            "\(head)<Relationships xmlns=\"\(packages)/relationships\">\(body)</Relationships>"
        }
        let slideRelations = slides.indices.map {
            #"<Relationship Id="rId\#($0)" Type="\#(relationType("slide"))" Target="slides/\#(file($0))"/>"#
        }
        let start = #"<Relationship Id="a" Type="\#(relationType("officeDocument"))" Target="ppt/presentation.xml"/>"#
        let core = #"<Override PartName="/docProps/core.xml" ContentType="\#(coreType)"/>"#
        let coreRelation =
            #"<Relationship Id="b" Type="\#(packages)/relationships/metadata/core-properties" Target="docProps/core.xml"/>"#
        let about = Member(
            "docProps/core.xml",
            "\(head)<c:coreProperties xmlns:c=\"\(packages)/metadata/core-properties\" "
                + "xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\(properties)</c:coreProperties>")
        return [
            Member(
                "[Content_Types].xml",
                "\(head)<Types xmlns=\"\(packages)/content-types\">\(defaults)\(main)\(core)\(types)</Types>"),
            Member("_rels/.rels", list(start + coreRelation)), about,
            Member(
                "ppt/presentation.xml",
                "\(head)<p:presentation \(space)><p:sldIdLst>\(ids)</p:sldIdLst>"
                    + #"<p:sldSz cx="12192000" cy="6858000"/></p:presentation>"#),
            Member("ppt/_rels/presentation.xml.rels", list(slideRelations.joined())),
        ]
            + slides.enumerated().map { index, slide in
                let isHidden = slide.hasPrefix("HIDDEN")
                let body = isHidden ? String(slide.dropFirst(6)) : slide
                return Member(
                    "ppt/slides/\(file(index))",
                    "\(head)<p:sld \(space)\(isHidden ? #" show="0""# : "")>\(body)</p:sld>")
            } + relations.map { Member("ppt/slides/_rels/\(file($0.key - 1)).rels", list($0.value)) }
    }

    /// The notes page `number` of a PowerPoint file, with these paragraphs (`a:p`) in its body, and a slide's number and a
    /// date besides.
    package static func powerPointNotes(_ number: Int, _ paragraphs: String) -> Member {
        let shape = { (type: String, text: String) in
            """
            <p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr><p:ph \(type)/></p:nvPr></p:nvSpPr><p:spPr/>\
            <p:txBody><a:bodyPr/>\(text)</p:txBody></p:sp>
            """
        }
        let field = { (type: String) in
            #"<a:p><a:fld id="{2}" type="\#(type)"><a:t>99</a:t></a:fld><a:r><a:t>no note</a:t></a:r></a:p>"#
        }
        return Member(
            "ppt/notesSlides/notesSlide\(number).xml",
            """
            <?xml version="1.0" encoding="UTF-8"?><p:notes xmlns:a="\(office)/drawingml/2006/main" \
            xmlns:p="\(office)/presentationml/2006/main"><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/>\
            <p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>\(shape(#"type="sldImg""#, ""))\
            \(shape(#"type="sldNum" idx="5""#, field("slidenum")))\(shape(#"type="body" idx="1""#, paragraphs))\
            \(shape(#"type="dt" idx="3""#, field("datetime1")))</p:spTree></p:cSld></p:notes>
            """)
    }

    /// The XML of a slide that has only a background of one color, such as "ff0000".
    package static func slide(color: String) -> String {
        """
        <p:cSld><p:bg><p:bgPr><a:solidFill><a:srgbClr val="\(color)"/></a:solidFill></p:bgPr></p:bg><p:spTree><p:nvGrpSpPr>\
        <p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/></p:spTree></p:cSld>
        """
    }

    // MARK: OpenDocument

    /// An OpenDocument presentation (ODF 1.2) of `slides`. Each is the XML within `draw:page`; one that begins with
    /// HIDDEN is hidden.
    package static func openDocument(_ slides: [String]) -> [Member] {
        let oasis = "urn:oasis:names:tc:opendocument:xmlns"
        let spaces = ["office", "style", "text", "presentation"].map { #"xmlns:\#($0)="\#(oasis):\#($0):1.0""# }
        let pages = slides.enumerated().map { index, slide in
            let isHidden = slide.hasPrefix("HIDDEN")
            let body = isHidden ? String(slide.dropFirst(6)) : slide
            return #"<draw:page draw:name="n\#(index)" draw:style-name="\#(isHidden ? "b" : "a")">\#(body)</draw:page>"#
        }
        let style = { (name: String, more: String) in
            "<style:style style:name=\"\(name)\" style:family=\"drawing-page\"><style:drawing-page-properties \(more)/></style:style>"
        }
        let content = """
            <?xml version="1.0" encoding="UTF-8"?><office:document-content \(spaces.joined(separator: " ")) \
            xmlns:draw="\(oasis):drawing:1.0" xmlns:anim="\(oasis):animation:1.0" xmlns:smil="\(oasis):smil-compatible:1.0" \
            xmlns:svg="\(oasis):svg-compatible:1.0" \
            xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.2"><office:automatic-styles>\(style("a", ""))\
            \(style("b", #"presentation:visibility="hidden""#))</office:automatic-styles>\
            <office:body><office:presentation>\(pages.joined())</office:presentation></office:body></office:document-content>
            """
        let type = "application/vnd.oasis.opendocument.presentation"
        let files =
            #"<f:file-entry f:full-path="/" f:media-type="\#(type)"/><f:file-entry f:full-path="content.xml" f:media-type="text/xml"/>"#
        return [
            Member("mimetype", type), Member("content.xml", content),
            Member(
                "META-INF/manifest.xml",
                #"<?xml version="1.0" encoding="UTF-8"?><f:manifest xmlns:f="\#(oasis):manifest:1.0" f:version="1.2">\#(files)</f:manifest>"#
            ),
        ]
    }

    /// The XML of a slide's notes in OpenDocument, with these paragraphs (`text:p`), and a page number besides.
    package static func openDocumentNotes(_ paragraphs: String) -> String {
        let frame = { (kind: String, text: String) in
            """
            <draw:frame presentation:class="\(kind)" svg:width="8cm" svg:height="4cm" svg:x="2cm" svg:y="13cm">\
            <draw:text-box>\(text)</draw:text-box></draw:frame>
            """
        }
        return
            "<presentation:notes>\(frame("page-number", "<text:p>99</text:p>"))\(frame("notes", paragraphs))</presentation:notes>"
    }

    /// The XML of an OpenDocument frame in the middle of a slide that shows the image at `place`.
    package static func picture(at place: String) -> String {
        """
        <draw:frame svg:width="8cm" svg:height="6cm" svg:x="2cm" svg:y="3cm"><draw:image xlink:href="\(place)" \
        xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame>
        """
    }

    private static func number(_ value: Int, _ size: Int) -> Data {
        Data((0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }
}
