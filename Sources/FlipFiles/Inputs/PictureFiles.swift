import FlipBase
import Foundation

/// Numbered pictures that are one input, as `frames/%04d.png`, or pictures in the order of their names, as `frames/*.png`; with the
/// rate behind them where it isn't 25, as in `frames/%04d.png#fps=24`.
package struct PictureFiles: Sendable {
    /// The pictures' paths, in order.
    package let paths: [String]
    /// The numbers that are missing between the first and the last.
    package let missing: [Int]
    /// Frames per second.
    package let rate: Rational
    /// The pattern as libavformat's demuxer image2 takes it, and the values of its options `pattern_type` and `start_number`.
    package let pattern: String
    package let kind: String
    package let start: Int

    /// The rate of pictures for which none is given, as of ffmpeg's.
    private static let standardRate = Rational(25)

    /// Whether `name` stands for several files, and not for one of that name.
    package static func isPattern(_ name: String) -> Bool {
        // Most names are those of one file, and there may be thousands of them.
        guard name.utf8.contains(where: { "%*?".utf8.contains($0) }) else { return false }
        let path = Self.split(name).path
        let last = path.split(separator: "/").last ?? ""
        return (FrameNames(path) != nil || last.contains { "*?".contains($0) })
            && !FileManager.default.fileExists(atPath: path)
    }

    private static func split(_ name: String) -> (path: String, rate: String?) {
        guard let mark = name.range(of: "#fps=", options: .backwards) else { return (name, nil) }
        return (String(name[..<mark.lowerBound]), String(name[mark.upperBound...]))
    }

    /// The paths of the pictures that `name` stands for, or `name` itself where it is no pattern.
    package static func paths(of name: String) -> [String] {
        guard isPattern(name), let files = try? PictureFiles(name) else { return [name] }
        return files.paths
    }

    /// - Parameter name: a pattern.
    /// - Throws: `missingInput` if no file matches, `usage` if the demuxer can't be given the pattern.
    package init(_ name: String) throws(MediaError) {
        let (path, rate) = Self.split(name)
        let (folder, last) = Files.split(path)
        guard !folder.contains(where: { "%*?[]{}\\".contains($0) }) else {
            throw MediaError(
                .usage, "the folder of '\(path)' has one of the characters %*?[]{}\\ in its name (rename it)")
        }
        try Confinement.check(folder.isEmpty ? "." : folder)
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? [])
            .filter { !$0.hasPrefix(".") }
        self.rate = rate.flatMap(Rational.init(parsing:)) ?? Self.standardRate
        if let pictures = FrameNames(path) {
            let numbers = Set(names.compactMap(pictures.number(inName:)))
            guard let first = numbers.min(), let end = numbers.max() else { throw Self.nothing(path) }
            paths = numbers.sorted().map { folder + pictures.name(number: $0) }
            // A gap of millions is named by its first numbers.
            missing = Array((first...end).lazy.filter { !numbers.contains($0) }.prefix(1000))
            start = first
            if missing.isEmpty {
                (pattern, kind) = (path, "sequence")
            } else {
                // The demuxer stops at a gap, and finds what lies behind it only by a pattern of digits.
                let (before, after, digits) = (pictures.prefix, pictures.suffix, pictures.digits)
                guard digits > 1, "\(end)".count <= digits,
                    !(before + after).contains(where: { "*?[]{}\\".contains($0) })
                else {
                    throw MediaError(
                        .usage,
                        "'\(path)': picture \(missing[0]) is missing (number the pictures without gaps, or with zeros in front)"
                    )
                }
                (pattern, kind) = (folder + before + String(repeating: "[0-9]", count: digits) + after, "glob")
            }
        } else {
            guard !last.contains(where: { "[]{}\\%".contains($0) }) else {
                throw MediaError(
                    .usage, "the pattern '\(path)' may have * and ? in it, and none of the characters []{}\\%")
            }
            paths = names.filter { fnmatch(last, $0, 0) == 0 }.sorted { strcmp($0, $1) < 0 }.map { folder + $0 }
            if paths.isEmpty { throw Self.nothing(path) }
            (missing, start, pattern, kind) = ([], 0, path, "glob")
        }
    }

    private static func nothing(_ path: String) -> MediaError {
        MediaError(.missingInput, "no picture is called '\(path)' (check the folder and the number of digits)")
    }
}
