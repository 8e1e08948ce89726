import Foundation

/// Slides with films and sounds, as PowerPoint writes them.
extension DeckFiles {
    /// The relationships of a slide with one film or sound, whose poster is ppt/media/image1.png: `link` for programs
    /// before 2010, `embed` for those since then.
    package static func mediaRelations(_ name: String, isFilm: Bool, link: String = "rId1", embed: String = "rId2")
        -> String
    {
        let newer = "http://schemas.microsoft.com/office/2007/relationships/media"
        let rows = [
            (link, relationType(isFilm ? "video" : "audio"), name), (embed, newer, name),
            ("poster", relationType("image"), "image1.png"),
        ]
        return rows.map { #"<Relationship Id="\#($0)" Type="\#($1)" Target="../media/\#($2)"/>"# }.joined()
    }

    /// The XML of a slide of one background color with `shapes` on it, and `more` after its tree of shapes.
    package static func slide(color: String, shapes: String, more: String = "") -> String {
        slide(color: color).replacingOccurrences(of: "<p:grpSpPr/>", with: "<p:grpSpPr/>" + shapes) + more
    }

    /// A picture that stands for a film or sound (ECMA-376 19.3.1.37).
    /// - Parameters:
    ///   - frame: the XML of the frame's offset and extent, in EMU.
    ///   - attributes: those of the frame, such as `rot="5400000"`.
    ///   - trim: XML within p14:media.
    ///   - crop: XML before the stretching of the poster.
    package static func mediaPicture(
        shape: Int, isFilm: Bool, x: Int, y: Int, width: Int, height: Int, attributes: String = "", trim: String = "",
        crop: String = "", link: String = "rId1", embed: String = "rId2"
    ) -> String {
        """
        <p:pic><p:nvPicPr><p:cNvPr id="\(shape)" name="m"><a:hlinkClick r:id="" action="ppaction://media"/></p:cNvPr>\
        <p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr><a:\(isFilm ? "video" : "audio")File \
        r:link="\(link)"/><p:extLst><p:ext uri="{DAA4B4D4-6D71-4841-9C94-3DE7FCFB9230}"><p14:media r:embed="\(embed)">\
        \(trim)</p14:media></p:ext></p:extLst></p:nvPr></p:nvPicPr><p:blipFill><a:blip r:embed="poster"/>\(crop)\
        <a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm \(attributes)><a:off x="\(x)" y="\(y)"/>\
        <a:ext cx="\(width)" cy="\(height)"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>
        """
    }

    /// The timing of a slide that plays the sound of shape `shape` as soon as it is shown (ECMA-376 19.5).
    /// - Parameters:
    ///   - audio: the attributes of p:audio, such as `isNarration="1"`.
    ///   - node: those of p:cMediaNode.
    ///   - start: the type of the node that starts it.
    package static func soundTiming(
        shape: Int, audio: String, node: String = #"vol="80000" showWhenStopped="0""#, start: String = "afterEffect"
    ) -> String {
        """
        <p:timing><p:tnLst><p:par><p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot"><p:childTnLst><p:seq \
        concurrent="1" nextAc="seek"><p:cTn id="2" dur="indefinite" nodeType="mainSeq"><p:childTnLst><p:par><p:cTn id="3" \
        fill="hold"><p:childTnLst><p:par><p:cTn id="4" presetID="1" presetClass="mediacall" presetSubtype="0" fill="hold" \
        nodeType="\(start)"><p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst><p:cmd type="call" \
        cmd="playFrom(0.0)"><p:cBhvr><p:cTn id="5" dur="1000" fill="hold"/><p:tgtEl><p:spTgt spid="\(shape)"/></p:tgtEl>\
        </p:cBhvr></p:cmd></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:seq>\
        <p:audio \(audio)><p:cMediaNode \(node)><p:cTn id="6" fill="hold" display="0"><p:stCondLst><p:cond \
        delay="indefinite"/></p:stCondLst></p:cTn><p:tgtEl><p:spTgt spid="\(shape)"/></p:tgtEl></p:cMediaNode></p:audio>\
        </p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>
        """
    }

    /// A picture of one color for posters.
    package static func poster() throws -> Member {
        let picture = try Tool.ffmpeg("-f lavfi -i color=gray:s=64x36 -frames:v 1 -f image2pipe -c:v png -")
        return Member("ppt/media/image1.png", picture.output)
    }

    /// The text of each slide's notes in `talk`.
    package static let talkNotes = ["Recorded first.", "The film has a tone.", "Spoken by a program."]

    /// A talk of three slides as PowerPoint writes it, all with notes: a narration of 2 s, recorded with the slide, of which
    /// a tone is heard from 0.5 to 1.5 s; a film of 2 s, with a tone from 1.5 to 1.8 s, in the middle of its slide, half as wide
    /// and high; and a slide of which nothing is recorded.
    package static func talk(in folder: TemporaryFolder) throws -> String {
        let tone = { (from: Double, to: Double) in
            ["-f", "lavfi", "-i", "aevalsrc='0.5*sin(2*PI*500*t)*between(t,\(from),\(to))':s=48000:d=2"]
        }
        try Tool.ffmpeg("\(tone(0.5, 1.5)) \(folder / "one.wav")")
        let gray = "color=gray:s=160x90:r=25:d=2,geq=lum='40+4*N':cb=128:cr=128"
        try Tool.ffmpeg(
            "-f lavfi -i \(gray) \(tone(1.5, 1.8)) -c:v libx264 -crf 4 -pix_fmt yuv420p \(folder / "film.mp4")")
        let member = { (name: String) in Member("ppt/media/" + name, try Data(contentsOf: folder / name)) }
        let icon = mediaPicture(shape: 4, isFilm: false, x: 11_000_000, y: 6_000_000, width: 400_000, height: 400_000)
        let film = mediaPicture(shape: 4, isFilm: true, x: 3_048_000, y: 1_714_500, width: 6_096_000, height: 3_429_000)
        let notes = { (slide: Int) in
            #"<Relationship Id="n" Type="\#(relationType("notesSlide"))" Target="../notesSlides/notesSlide\#(slide).xml"/>"#
        }
        let members =
            powerPoint(
                [
                    slide(color: "ff0000", shapes: icon, more: soundTiming(shape: 4, audio: #"isNarration="1""#)),
                    slide(color: "00ff00", shapes: film), slide(color: "0000ff"),
                ],
                relations: [
                    1: mediaRelations("one.wav", isFilm: false) + notes(1),
                    2: mediaRelations("film.mp4", isFilm: true) + notes(2), 3: notes(3),
                ]) + talkNotes.enumerated().map { powerPointNotes($0 + 1, "<a:p><a:r><a:t>\($1)</a:t></a:r></a:p>") }
            + [try poster(), try member("one.wav"), try member("film.mp4")]
        let deck = folder / "talk.pptx"
        try zip(members).write(to: deck)
        return deck
    }
}
