import FlipBase

/// The names of a sequence of pictures: "frames/%05d.png" is frames/00001.png, frames/00002.png and so on.
package struct FrameNames: Sendable {
    /// The folder with its final slash; empty for the current folder.
    let folder: String
    let prefix: String
    /// The minimum number of digits; shorter numbers are padded with zeros.
    let digits: Int
    let suffix: String

    /// The first frame's number.
    static let first = 1

    /// Returns nil unless the file name in `path` has exactly one %d or %0Nd; %% stands for a percent sign.
    package init?(_ path: String) {
        let (folder, name) = Files.split(path)
        var texts = [""]
        var digits = 0
        var rest = name[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                texts[texts.count - 1].append(character)
                continue
            }
            if rest.first == "%" {
                texts[texts.count - 1].append(character)
                rest.removeFirst()
                continue
            }
            let width = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(width.count)
            guard rest.popFirst() == "d", width.isEmpty || width.first == "0", width.count <= 3 else { return nil }
            digits = Int(width) ?? 1
            texts.append("")
        }
        guard texts.count == 2, digits <= 20 else { return nil }
        self.folder = folder
        (prefix, self.digits, suffix) = (texts[0], digits, texts[1])
    }

    /// The file name, without the folder, of frame `index`, counted from 0.
    func name(_ index: Int) -> String { name(number: index + Self.first) }

    /// The file name, without the folder, that has `number` in it.
    func name(number: Int) -> String { prefix + number.padded(to: digits) + suffix }

    /// The index, counted from 0, of the frame with this file name; nil if it is none of the sequence's names.
    func index(ofName name: String) -> Int? {
        number(inName: name).flatMap { $0 >= Self.first ? $0 - Self.first : nil }
    }

    /// The number in this file name; nil if it is none of the sequence's names.
    func number(inName name: String) -> Int? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let text = name.dropFirst(prefix.count).dropLast(suffix.count)
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(text) else { return nil }
        return self.name(number: number) == name ? number : nil
    }

    /// The path of the frame that would come after the first `count`, if there is such a file.
    package func leftover(after count: Int) -> String? {
        let path = folder + name(count)
        return FileIdentity(path: path) == nil ? nil : path
    }

    /// The paths of the frames that already exist, in no particular order.
    package var existing: [String] {
        TemporaryPlace.names(in: folder.isEmpty ? "." : folder).filter { index(ofName: $0) != nil }.map { folder + $0 }
    }
}
