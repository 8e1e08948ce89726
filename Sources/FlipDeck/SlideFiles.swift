import FlipBase
import FlipFiles
import Foundation

/// The files of a folder that belong to slides, by the numbers in their names: `01.wav`, `slide-2.m4a` and so on.
struct SlideFiles {
    /// The path of each slide's file, by the slide's number.
    private(set) var paths: [Int: String] = [:]
    /// The names of files that are something else.
    let others: [String]

    /// Which number in a file's name is that of its slide.
    enum NumberPlace: String { case first, last }

    /// - Parameters:
    ///   - endings: the extensions of the files' names in lower case.
    ///   - root: the path of a folder that no link leads out of; nil for no restriction.
    /// - Throws: if a name doesn't say which slide it is for, or two say the same.
    init(in folder: String, _ endings: Set<String>, _ slides: SlideNumbers, root: String?) throws(MediaError) {
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .filter { !$0.hasPrefix(".") }.sorted()
        let names = all.filter { endings.contains(URL(fileURLWithPath: $0).pathExtension.lowercased()) }
        others = all.filter { !names.contains($0) }
        let place = Self.place(in: names, slides)
        let root = try root.map { path throws(MediaError) in try RootFolder(path) }
        let isInRoot = root?.contains(folder) ?? false
        for name in names {
            let path = "\(folder)/\(name)"
            if isInRoot, let refusal = root?.refusal(of: path) { throw MediaError(.badInput, refusal) }
            let number = try Self.number(path, name, slides, place)
            if let other = paths.updateValue(path, forKey: number) {
                throw MediaError(.badInput, "'\(path)' and '\(other)' are both for slide \(number)")
            }
        }
    }

    /// Says which files were left out, which are not `kind`; nil if none were.
    func warning(in folder: String, kind: String) -> String? {
        if others.isEmpty { return nil }
        let rest = others.count > 10 ? ["\(others.count - 10) more"] : []
        let words = others.prefix(10).map { "'\($0)'" } + rest
        return "\(folder): left out \(words.joined(separator: ", ")), which are not \(kind)"
    }

    /// The numbers in `name` without its extension: 101 and 7 in "ME101_slide07.wav".
    private static func numbers(in name: String) -> [Substring] {
        URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent.split { !("0"..."9").contains($0) }
    }

    /// The first number, as in "7 Results of 2024.wav", unless the last numbers alone tell the files of a folder apart and are
    /// all slides' numbers, as in "ME101_slide07.wav".
    static func place(in names: [String], _ slides: SlideNumbers) -> NumberPlace {
        let fits = { (number: ([Substring]) -> Substring?) in
            let found = names.compactMap { number(numbers(in: $0)).flatMap { Int($0) } }
            return found.count == names.count && Set(found).count == found.count
                && found.allSatisfy { (1...slides.count).contains($0) }
        }
        return !fits(\.first) && fits(\.last) ? .last : .first
    }

    /// The number of the slide that the file is for.
    private static func number(
        _ file: String, _ name: String, _ numbers: SlideNumbers, _ place: NumberPlace
    ) throws(MediaError) -> Int {
        let found = Self.numbers(in: name)
        guard let number = (place == .first ? found.first : found.last).flatMap({ Int($0) }) else {
            throw MediaError(
                .badInput, "'\(file)' has no slide number in its name (expected names such as 01.wav or 02.txt)")
        }
        guard (1...numbers.count).contains(number) else {
            throw MediaError(
                .badInput,
                "'\(file)' is for slide \(number) by the first number in its name, and the deck has \(numbers.count) slides "
                    + "(the last number counts instead if it is a slide's for every file, and no two have the same)")
        }
        return number
    }
}
