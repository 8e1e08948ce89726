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
        let path = Self.split(name).path
        return path.split(separator: "/").last?.contains(#/%(0\d+)?d|[*?]/#) == true
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
        let cut = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let (folder, last) = (String(path[..<cut]), String(path[cut...]))
        guard !folder.contains(where: { "%*?[]{}\\".contains($0) }) else {
            throw MediaError(
                .usage, "the folder of '\(path)' has one of the characters %*?[]{}\\ in its name (rename it)")
        }
        try Confinement.check(folder.isEmpty ? "." : folder)
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? [])
            .filter { !$0.hasPrefix(".") }
        self.rate = rate.flatMap(Rational.init(parsing:)) ?? Self.standardRate
        if let mark = last.firstMatch(of: #/%(0(\d+))?d/#) {
            let (before, after) = (last[..<mark.range.lowerBound], last[mark.range.upperBound...])
            let width = mark.2.flatMap { Int($0) }
            let numbers = Self.numbers(names, before, after, width)
            guard let first = numbers.min(), let end = numbers.max() else { throw Self.nothing(path) }
            (paths, missing) = Self.files(first...end, numbers, folder: folder, before, after, width)
            start = first
            if missing.isEmpty {
                (pattern, kind) = (path, "sequence")
            } else {
                // The demuxer stops at a gap, and finds what lies behind it only by a pattern of digits.
                guard let width, "\(end)".count <= width, !last.contains(where: { "*?[]{}\\".contains($0) }) else {
                    throw MediaError(
                        .usage,
                        "'\(path)': picture \(missing[0]) is missing (number the pictures without gaps, or with zeros in front)"
                    )
                }
                let digits = String(repeating: "[0-9]", count: width)
                (pattern, kind) = (folder + before + digits + after, "glob")
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

    /// The numbers in the names that begin with `before` and end with `after`.
    private static func numbers(
        _ names: [String], _ before: Substring, _ after: Substring, _ width: Int?
    ) -> Set<Int> {
        Set(
            names.compactMap { name in
                guard name.hasPrefix(before), name.hasSuffix(after), name.count > before.count + after.count else {
                    return nil
                }
                let digits = name.dropFirst(before.count).dropLast(after.count)
                guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits) else { return nil }
                // %04d has zeros in front of 7, and %d has none.
                return text(number, width) == digits ? number : nil
            })
    }

    private static func text(_ number: Int, _ width: Int?) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, (width ?? 0) - digits.count)) + digits
    }

    private static func files(
        _ range: ClosedRange<Int>, _ numbers: Set<Int>, folder: String, _ before: Substring, _ after: Substring,
        _ width: Int?
    ) -> (paths: [String], missing: [Int]) {
        let paths = numbers.sorted().map { folder + before + text($0, width) + after }
        // A gap of millions is named by its first numbers.
        let missing = range.lazy.filter { !numbers.contains($0) }.prefix(1000)
        return (paths, Array(missing))
    }
}
