import CLibav
import FlipBase

extension UnsafeMutablePointer<AVStream> {
    /// What the stream is and holds, and its number, for users who learn that it is left out: "the font Vera.ttf (stream
    /// 6)".
    var leftOut: String {
        let codec = MediaProbe.codecName(pointee.codecpar.pointee)
        let number = "stream \(pointee.index)" + (["none", "unknown"].contains(codec) ? "" : ", \(codec)")
        return "the \(kind) (\(number))"
    }

    /// Whether the stream is a track of timecodes, of which libav has read the first.
    var isTimecode: Bool {
        pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_DATA
            && InputFile.text("timecode", of: pointee.metadata) != nil
    }

    private var kind: String {
        let parameters = pointee.codecpar.pointee
        let file = InputFile.text("filename", of: pointee.metadata).map { " " + $0 } ?? ""
        if InputFile.isCoverArt(self) { return file.isEmpty ? "cover art" : "attached picture\(file)" }
        switch parameters.codec_type {
        case AVMEDIA_TYPE_ATTACHMENT: return (isFont ? "font" : "attachment") + file
        case AVMEDIA_TYPE_DATA:
            let name = InputFile.text("handler_name", of: pointee.metadata)?.trimmingSpaces ?? ""
            return name.isEmpty ? "data track" : "data track '\(name)'"
        case AVMEDIA_TYPE_VIDEO: return "further video track"
        default:
            let type = av_get_media_type_string(parameters.codec_type).map { String(cString: $0) }
            return "\(type ?? "unknown") track"
        }
    }

    /// Whether it is an attached font, by its type or its name's ending.
    private var isFont: Bool {
        let type = InputFile.text("mimetype", of: pointee.metadata)?.lowercased() ?? ""
        let name = InputFile.text("filename", of: pointee.metadata)?.lowercased() ?? ""
        return ["font", "truetype", "opentype"].contains { type.contains($0) }
            || [".ttf", ".otf", ".ttc", ".woff", ".woff2"].contains { name.hasSuffix($0) }
    }
}

extension String {
    /// The text without the spaces and control characters around it.
    var trimmingSpaces: String {
        let isSpace = { (character: Character) in
            character.isWhitespace || character.asciiValue.map { $0 < 32 } ?? false
        }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
