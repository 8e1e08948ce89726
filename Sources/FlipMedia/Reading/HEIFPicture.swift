import FlipBase
import FlipFiles

/// HEIC pictures: HEVC in a HEIF file (ISO/IEC 23008-12), often cut into tiles, which libav doesn't put together. libheif's
/// programs convert them to PNG, which keeps depth, alpha and the ICC profile, and turn them upright.
package enum HEIFPicture {
    /// Whether the file at `location` is a HEIC picture, by the brands in its first box (ISO/IEC 14496-12 4.3). Sequences of
    /// pictures have other brands, and AVIF is left to libav.
    package static func isHEIC(_ location: String) -> Bool {
        guard let bytes = Files.start(of: location, 256), bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8)
        else { return false }
        let end = min(bytes.count, Bytes.number(bytes[..<4]))
        let brand = { (place: Int) in String(decoding: bytes[place..<place + 4], as: UTF8.self) }
        let images: Set<String> = ["heic", "heix", "heim", "heis"]
        if images.contains(brand(8)) { return true }
        guard brand(8) == "mif1", end >= 20 else { return false }
        return stride(from: 16, through: end - 4, by: 4).contains { images.contains(brand($0)) }
    }

    /// The main picture of the HEIC file at `location` as a PNG file, or a JPEG file where PNG can't hold its color profile.
    /// - Throws: `missingCodec` if libheif's programs aren't installed, `badInput` if they can't read the file, or if it has
    ///   more pixels than the limit.
    static func converted(_ location: String, for path: String) throws(MediaError) -> NamelessFile {
        let identity = FileIdentity(path: location)
        if let identity, let known = Kept.files.withLock({ $0.file(of: identity) }) { return known }
        let file = try convert(name(of: location), path)
        if let identity { Kept.files.withLock { $0.add(file, of: identity) } }
        return file
    }

    /// The name by which other programs can open the file at `location`, and which they don't take for an option.
    private static func name(of location: String) -> String {
        let own = "/proc/self/"
        if location.hasPrefix(own) { return "/proc/\(getpid())/" + location.dropFirst(own.count) }
        return location.hasPrefix("/") ? location : "./" + location
    }

    private static func convert(_ location: String, _ path: String) throws(MediaError) -> NamelessFile {
        let pictures = try Self.pictures(in: HelperProgram.heifInfo.text([location], for: path, limit: 1 << 20))
        guard let main = pictures.firstIndex(where: \.isMain) ?? pictures.indices.first else {
            throw MediaError(.badInput, "'\(path)' has no picture that can be shown")
        }
        let (width, height) = (pictures[main].width, pictures[main].height)
        guard width <= InputLimits.maxPixels / max(height, 1) else {
            throw MediaError(
                .badInput,
                "'\(path)' has \(width)x\(height) pixels, which is more than \(InputLimits.maxPixels) (--max-pixels sets "
                    + "the limit)")
        }
        let place = try TemporaryPlace.privateFolder(named: "heif")
        defer { place.remove() }
        // Four components of two bytes, and what PNG adds.
        let limits = HelperProgram.Limits(fileBytes: 9 * width * height + (1 << 20))
        // libpng refuses some color profiles, of which nothing but an empty file tells; JPEG takes every profile.
        for (ending, options) in [("png", []), ("jpg", ["-q", "100"])] {
            try HelperProgram.heifConvert.run(
                options + [location, place.path + "/picture." + ending], for: path, into: try NamelessFile(),
                limits: limits)
            // Of several pictures, each is written into a file of its own, which are counted from 1.
            let written = place.path + (pictures.count == 1 ? "/picture." : "/picture-\(main + 1).") + ending
            guard let size = FileIdentity(path: written)?.bytes, size > 0 else { continue }
            let file = try NamelessFile()
            try file.fill(from: written)
            return file
        }
        throw MediaError(.badInput, "\(HelperProgram.heifConvert.name) cannot read '\(path)'")
    }

    /// The pictures in lines such as "image: 4032x3024 (id=49), primary".
    private static func pictures(in text: String) -> [(width: Int, height: Int, isMain: Bool)] {
        text.lines.compactMap { line in
            let words = line.split(separator: " ")
            guard words.count >= 2, words[0] == "image:" else { return nil }
            let sides = words[1].split(separator: "x").compactMap { Int($0) }
            guard sides.count == 2, sides.allSatisfy({ (1...1 << 20).contains($0) }) else { return nil }
            return (sides[0], sides[1], words.last == "primary")
        }
    }

    /// The pictures that were converted last, since each is read more than once: to probe it and to show it.
    private struct Kept {
        static let files = Mutex(Kept())
        /// The largest number of files, and of bytes of all of them.
        private static let (mostFiles, mostBytes) = (16, 512 << 20)

        private var rows: [(identity: FileIdentity, file: NamelessFile)] = []

        func file(of identity: FileIdentity) -> NamelessFile? { rows.first { $0.identity == identity }?.file }

        mutating func add(_ file: NamelessFile, of identity: FileIdentity) {
            rows.append((identity, file))
            while rows.count > Self.mostFiles || rows.reduce(0, { $0 + $1.file.byteCount }) > Self.mostBytes {
                rows.removeFirst()
            }
        }
    }
}
