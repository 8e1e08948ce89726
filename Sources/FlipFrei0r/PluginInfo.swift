import CFrei0r
import FlipGeometry
import FlipHost

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The descriptions of the plugins for hosts. Their C strings are never freed.
package enum PluginInfo {
    /// The frei0r plugin type: a filter takes one picture, a mixer two.
    package enum Kind: Int32 {
        case filter = 0
        case mixer = 2
    }

    /// The description of the plugin called `name`.
    package static func info(_ kind: Kind, name: StaticString, explanation: StaticString) -> flip_f0r_plugin_info {
        flip_f0r_plugin_info(
            name: text(name), author: text("The fliptransition authors"), plugin_type: kind.rawValue, color_model: 1,
            frei0r_version: 1, major_version: version.major, minor_version: version.minor,
            parameter_count: Int32(HostParameter.all.count), explanation: text(explanation))
    }

    /// The first two numbers of the product's version.
    private static let version: (major: Int32, minor: Int32) = {
        let numbers = ProductVersion.text.split { !$0.isNumber }.compactMap { Int32($0) }
        return (numbers.first ?? 0, numbers.dropFirst().first ?? 0)
    }()

    private static func text(_ text: StaticString) -> UnsafePointer<CChar> {
        UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    nonisolated(unsafe) static let parameters: [flip_f0r_parameter_info] = HostParameter.all.map { parameter in
        flip_f0r_parameter_info(
            name: strdup(parameter.name), type: type(of: parameter.initial), explanation: strdup(parameter.explanation))
    }

    private static func type(of value: HostParameter.Value) -> Int32 {
        switch value {
        case .flag: 0
        case .number: 1
        case .color: 2
        case .text: 4
        }
    }
}
