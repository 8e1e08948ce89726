import FlipBase
import Foundation

/// The command line as the parser gets it: what users of ffmpeg type from habit is put in this program's words.
enum TypedWords {
    /// The words after the program's name.
    static let all = translated(subcommandFirst(Array(CommandLine.arguments.dropFirst())))

    /// ffmpeg's options that this program has under another name.
    private static let options = [
        "-c:v": "--video-codec", "-vcodec": "--video-codec", "-codec:v": "--video-codec", "-c:a": "--audio-codec",
        "-acodec": "--audio-codec", "-codec:a": "--audio-codec", "-crf": "--crf", "-preset": "--preset", "-r": "--fps",
        "-s": "--size", "-b:v": "--bitrate", "-b:a": "--audio-bitrate", "-pix_fmt": "--pix-fmt", "-ar": "--audio-rate",
        "-metadata": "--metadata", "-threads": "--threads", "-an": "--no-audio",
    ]

    /// ffmpeg's options about the input that follows them.
    private static let times: Set = ["-ss", "-to", "-t"]

    /// `words` with the subcommand before the options that were typed before it, as in `-q deck slides.pdf out.mp4`. What a shell's
    /// completion asks for, which begins with three dashes, stays as it is.
    static func subcommandFirst(_ words: [String]) -> [String] {
        if words.first?.hasPrefix("---") == true { return words }
        var index = 0
        while index < words.count, words[index].hasPrefix("-"), words[index] != "--" {
            index += valued.contains(options[words[index]] ?? words[index]) || times.contains(words[index]) ? 2 : 1
        }
        guard index > 0, index < words.count, FlipTransitionCommand.subcommandNames.contains(words[index]),
            !FileManager.default.fileExists(atPath: words[index])
        else { return words }
        return [words[index]] + words[..<index] + words[(index + 1)...]
    }

    /// The options with a value behind them, by all of their names.
    private static let valued: Set<String> = {
        let options = (try? CommandDescription.of(JoinCommand.self))?.options ?? []
        return Set(options.filter { $0.kind == "option" }.flatMap(\.typedNames))
    }()

    /// `words` with `-ss 5 -to 9 -i clip.mp4` as `clip.mp4#t=5,9`, and with this program's names of options. What follows `--`
    /// stays as it is.
    static func translated(_ words: [String]) -> [String] {
        var result: [String] = []
        var part = Part()
        var rest = words[...]
        let namesOutput = words.contains { $0 == "-o" || $0.hasPrefix("--output") }
        while let word = rest.popFirst() {
            if word == "--" { return result + part.words + [word] + rest }
            if times.contains(word), let value = rest.popFirst() {
                part.add(word, value)
            } else if word == "-i", let file = rest.popFirst() {
                result.append(part.taken(from: file))
            } else if let copy = Self.copying(word, rest.first) {
                rest.removeFirst()
                result += copy
            } else if !part.isWhole, valued.contains(options[word] ?? word), let value = rest.popFirst() {
                result += [options[word] ?? word, value]
            } else if !part.isWhole, !word.hasPrefix("-"), namesOutput || rest.contains(where: { !$0.hasPrefix("-") }) {
                result.append(part.taken(from: word))
            } else {
                result.append(options[word] ?? word)
            }
        }
        return result + part.words
    }

    /// `-c copy` in this program's words; nil for anything else.
    private static func copying(_ word: String, _ value: String?) -> [String]? {
        guard value == "copy" else { return nil }
        switch word {
        case "-c", "-codec", "-c:v", "-vcodec", "-codec:v": return ["--render=auto"]
        case "-c:a", "-acodec", "-codec:a": return []
        default: return nil
        }
    }

    /// The part of an input that `-ss`, `-to` and `-t` ask for.
    private struct Part {
        /// The options as they were typed.
        private(set) var words: [String] = []
        private var values: [String: String] = [:]

        var isWhole: Bool { words.isEmpty }

        mutating func add(_ option: String, _ value: String) {
            words += [option, value]
            values[option] = value
        }

        /// The part of `file`; the next input is whole again.
        mutating func taken(from file: String) -> String {
            if isWhole { return file }
            let start = values["-ss"]
            var end = values["-to"]
            if end == nil, let length = values["-t"] {
                // What is not a time is refused with the part.
                end =
                    Rational(playTime: length).map { length in
                        ((start.flatMap(Rational.init(playTime:)) ?? .zero) + length).nanosecondText
                    } ?? length
            }
            (words, values) = ([], [:])
            return file + (file.contains("#") ? "&" : "#") + "t=" + (start ?? "") + (end.map { "," + $0 } ?? "")
        }
    }
}
