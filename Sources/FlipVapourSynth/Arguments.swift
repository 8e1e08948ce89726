import CVapourSynth
import FlipFrame
import FlipGeometry

/// The arguments of the plugin's functions that describe a look, under names that are identifiers in Python.
struct Argument: Sendable {
    /// How VapourSynth passes a value.
    enum Kind: String {
        case text = "data"
        case flag = "int"
        case whole = "whole"
        case number = "float"
        case numbers = "float[]"

        /// VapourSynth's word for it.
        var word: String { self == .whole ? "int" : rawValue }
    }

    /// The option as on the command line, without the dashes.
    let option: String
    let kind: Kind

    /// The argument's name.
    var name: String { String(option.map { $0 == "-" ? "_" : $0 }) }

    /// All arguments: the style, the options of looks, and how samples are interpreted.
    static let all: [Argument] =
        ["style", "look"].map { Argument(option: $0, kind: .text) }
        + LookOption.allCases.map { Argument(option: $0.rawValue, kind: Kind($0.kind)) }
        + ["background", "range", "matrix", "transfer", "chroma-location"].map { Argument(option: $0, kind: .text) }

    /// All arguments in VapourSynth's notation.
    static let signature = all.map { "\($0.name):\($0.kind.word):opt;" }.joined()

    /// The value that `call` has for this argument, as on the command line; nil if it has none.
    func value(in call: Call) -> String? {
        switch kind {
        case .text: call.text(name)
        case .flag: call.whole(name).map { $0 == 0 ? "false" : "true" }
        case .whole: call.whole(name).map { String($0) }
        case .number: call.numbers(name).first.map { String($0) }
        case .numbers:
            call.numbers(name).isEmpty ? nil : call.numbers(name).map { String($0) }.joined(separator: ",")
        }
    }
}

extension Argument.Kind {
    fileprivate init(_ kind: LookOption.Kind) {
        self =
            switch kind {
            case .word, .color, .easing: .text
            case .flag: .flag
            case .number: .number
            case .wholeNumber: .whole
            case .point: .numbers
            }
    }
}

/// The arguments with which a function of the plugin is called.
struct Call {
    let arguments: OpaquePointer
    let api: flip_vs_api

    /// The node called `name`, which is the caller's to free; nil if there is none.
    func node(_ name: String) -> OpaquePointer? {
        var error: Int32 = 0
        return api.map_get_node(arguments, name, 0, &error)
    }

    func whole(_ name: String) -> Int64? {
        var error: Int32 = 0
        let value = api.map_get_int(arguments, name, 0, &error)
        return error == 0 ? value : nil
    }

    func numbers(_ name: String) -> [Double] {
        (0..<max(0, api.map_count(arguments, name))).map { index in
            var error: Int32 = 0
            return api.map_get_float(arguments, name, index, &error)
        }
    }

    func text(_ name: String) -> String? {
        var error: Int32 = 0
        guard let bytes = api.map_get_data(arguments, name, 0, &error), error == 0 else { return nil }
        let count = Int(api.map_get_data_size(arguments, name, 0, &error))
        return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
