import Foundation

extension DeckFiles {
    /// The XML of a white slide with a rectangle of each color, which have the IDs 2, 3 and so on, and with clicks (ECMA-376
    /// 19.5) of which each shows some of them.
    /// - Parameters:
    ///   - clicks: the IDs of the rectangles that come with each click.
    ///   - recorded: when the clicks were recorded, in milliseconds (MS-PPTX 2.3.3.31).
    ///   - more: what is added to the time nodes of the main sequence.
    package static func builtSlide(
        colors: [String], clicks: [[Int]], recorded: [Int] = [], more: String = ""
    ) -> String {
        let shapes = colors.enumerated().map { index, color in
            """
            <p:sp><p:nvSpPr><p:cNvPr id="\(index + 2)" name="r\(index)"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>\
            <a:off x="\(index * 2_000_000)" y="0"/><a:ext cx="2000000" cy="3000000"/></a:xfrm><a:prstGeom prst="rect"/>\
            <a:solidFill><a:srgbClr val="\(color)"/></a:solidFill><a:ln><a:noFill/></a:ln></p:spPr></p:sp>
            """
        }
        let groups = clicks.map { shapes in
            let sets = shapes.enumerated().map { effect(on: $1, node: $0 == 0 ? "clickEffect" : "withEffect") }
            return """
                <p:par><p:cTn fill="hold"><p:stCondLst><p:cond delay="indefinite"/></p:stCondLst><p:childTnLst><p:par>\
                <p:cTn fill="hold"><p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst>\(sets.joined())</p:childTnLst>\
                </p:cTn></p:par></p:childTnLst></p:cTn></p:par>
                """
        }
        let events = recorded.map { #"<p14:triggerEvt type="onClick" time="\#($0)" objId="2"/>"# }.joined()
        return slide(color: "ffffff").replacing("</p:spTree>", with: shapes.joined() + "</p:spTree>")
            + """
            <p:timing><p:tnLst><p:par><p:cTn dur="indefinite" nodeType="tmRoot"><p:childTnLst><p:seq><p:cTn nodeType="mainSeq">\
            <p:childTnLst>\(groups.joined())\(more)</p:childTnLst></p:cTn></p:seq></p:childTnLst></p:cTn></p:par></p:tnLst>\
            </p:timing><p:extLst><p:ext uri="{x}"><p14:showEvtLst>\(events)</p14:showEvtLst></p:ext></p:extLst>
            """
    }

    /// An effect that shows a shape.
    package static func effect(on shape: Int, node: String, kind: String = "entr") -> String {
        """
        <p:par><p:cTn presetID="1" presetClass="\(kind)" fill="hold" nodeType="\(node)"><p:stCondLst><p:cond delay="0"/>\
        </p:stCondLst><p:childTnLst><p:set><p:cBhvr><p:cTn dur="1" fill="hold"/><p:tgtEl><p:spTgt spid="\(shape)"/></p:tgtEl>\
        <p:attrNameLst><p:attrName>style.visibility</p:attrName></p:attrNameLst></p:cBhvr><p:to>\
        <p:strVal val="\(kind == "exit" ? "hidden" : "visible")"/></p:to></p:set></p:childTnLst></p:cTn></p:par>
        """
    }
}
