/// Boxes of mp4 and mov files (ISO/IEC 14496-12).
package enum MP4Boxes {
    package static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        BitString.u(content.count + 8, 32).bytes + Array(name.utf8) + content
    }

    /// A file with `boxes` at the end of what describes the samples of its only track, an entry called `entry`. The file's header has to
    /// lie behind its packets, so that those don't move.
    package static func described(_ file: [UInt8], _ entry: String, by boxes: [UInt8]) throws -> [UInt8] {
        try adding(boxes, to: ["moov", "trak", "mdia", "minf", "stbl", "stsd", entry], of: file)
    }

    /// A file with `boxes` at the end of the box to which `path` leads. The file's header has to lie behind its packets.
    package static func adding(_ boxes: [UInt8], to path: [String], of file: [UInt8]) throws -> [UInt8] {
        var (data, place) = (file, 0)
        for (index, name) in path.enumerated() {
            let letters = Array(name.utf8)
            let found = (place..<data.count - 4).first { data[$0..<$0 + 4].elementsEqual(letters) }
            guard let found else { throw ToolError("there is no box \(name)") }
            place = found
            let size = data[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
            if index == path.count - 1 { data.insert(contentsOf: boxes, at: place - 4 + size) }
            data.replaceSubrange(place - 4..<place, with: BitString.u(size + boxes.count, 32).bytes)
        }
        return data
    }
}
