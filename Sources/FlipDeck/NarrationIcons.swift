import Foundation

/// The loudspeakers of recorded narrations, which PowerPoint hides and LibreOffice draws.
package enum NarrationIcons {
    /// The slide `xml` without the pictures whose shapes have the IDs `shapes`. Pictures can't be nested (ECMA-376
    /// 19.3.1.37).
    package static func removed(_ shapes: Set<String>, from xml: Data) -> Data {
        var (result, position) = (Data(), xml.startIndex)
        while let begin = xml[position...].range(of: Data("<p:pic>".utf8)),
            let end = xml[begin.upperBound...].range(of: Data("</p:pic>".utf8))
        {
            result += xml[position..<begin.lowerBound]
            let head = String(decoding: xml[begin.upperBound..<end.lowerBound].prefix(2000), as: UTF8.self)
            let shape = head.firstMatch(of: /<p:cNvPr\s(?:[^>]*\s)?id="([^"]*)"/)?.1
            if shape.map({ !shapes.contains(String($0)) }) ?? true { result += xml[begin.lowerBound..<end.upperBound] }
            position = end.upperBound
        }
        return result + xml[position...]
    }
}
