import CGStreamer
import FlipGeometry
import FlipHost

/// A property of the element that stands for a parameter of `HostParameter.all`.
struct ElementProperty: Sendable {
    /// The type of a property, and its values.
    enum Kind: Sendable {
        case flag
        case number(HostParameter.ShownNumber)
        /// One of several texts, as an enumeration whose values are their indices.
        case choice([String])
        /// A color or another text that is typed.
        case color, text
    }

    /// The parameter's index in `HostParameter.all`.
    let index: Int
    let kind: Kind

    var parameter: HostParameter { HostParameter.all[index] }

    /// The properties in the order of their numbers, which begin with 1. Parameters that serve only other hosts are left out.
    static let all: [ElementProperty] = HostParameter.all.enumerated().compactMap { index, parameter in
        switch parameter.role {
        case .width, .rate, .firstFrame, .lastFrame: return nil
        default: return ElementProperty(index: index, kind: Kind(parameter))
        }
    }

    /// The description by which GStreamer knows the property. It is never freed.
    func specification() -> UnsafeMutablePointer<GParamSpec>? {
        let name = lasting(parameter.name)
        let (title, explanation) = (lasting(parameter.title), lasting(parameter.shownExplanation))
        switch (kind, parameter.initial) {
        case (.flag, .flag(let initial)):
            return g_param_spec_boolean(name, title, explanation, initial ? 1 : 0, flip_gst_property_flags(1))
        case (.number(let shown), _) where shown.isWhole:
            return g_param_spec_int(
                name, title, explanation, Int32(shown.range.lowerBound), Int32(shown.range.upperBound),
                Int32(shown.initial), flip_gst_property_flags(1))
        case (.number(let shown), _):
            return g_param_spec_double(
                name, title, explanation, shown.range.lowerBound, shown.range.upperBound, shown.initial,
                flip_gst_property_flags(1))
        case (.choice(let entries), .text(let initial)):
            let index = entries.firstIndex(of: initial) ?? 0
            return g_param_spec_enum(
                name, title, explanation, enumeration(entries), Int32(index), flip_gst_property_flags(0))
        case (_, .text(let initial)):
            return g_param_spec_string(name, title, explanation, lasting(initial), flip_gst_property_flags(0))
        case (_, .color(let initial)):
            return g_param_spec_string(
                name, title, explanation, lasting(initial.description), flip_gst_property_flags(0))
        default: preconditionFailure("\(parameter.name) has a value of another kind than its property")
        }
    }

    /// A new type of GLib for one of `entries`.
    private func enumeration(_ entries: [String]) -> GType {
        // The last value is all zeros.
        let values = UnsafeMutablePointer<GEnumValue>.allocate(capacity: entries.count + 1)
        values.initialize(repeating: GEnumValue(), count: entries.count + 1)
        for (index, entry) in entries.enumerated() {
            values[index] = GEnumValue(value: Int32(index), value_name: lasting(entry), value_nick: lasting(entry))
        }
        let words = parameter.name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return g_enum_register_static("FlipTransition" + words.joined(), values)
    }

    // MARK: Values

    /// The parameter's value for what an application has set. Throws if it can't be read.
    func value(_ given: UnsafePointer<GValue>) throws(OptionError) -> HostParameter.Value {
        switch kind {
        case .flag: return .flag(g_value_get_boolean(given) != 0)
        case .number(let shown):
            let number = shown.isWhole ? Double(g_value_get_int(given)) : g_value_get_double(given)
            return .number(shown.value(number))
        case .choice(let entries):
            let index = Int(g_value_get_enum(given))
            return .text(entries.indices.contains(index) ? entries[index] : "")
        case .color: return .color(try Color(parsing: text(given)))
        case .text: return .text(text(given))
        }
    }

    private func text(_ given: UnsafePointer<GValue>) -> String { g_value_get_string(given).map(String.init) ?? "" }

    /// Writes the parameter's value for an application.
    func write(_ value: HostParameter.Value, to result: UnsafeMutablePointer<GValue>) {
        switch (kind, value) {
        case (_, .flag(let flag)): g_value_set_boolean(result, flag ? 1 : 0)
        case (.number(let shown), .number(let number)):
            if shown.isWhole {
                g_value_set_int(result, Int32(shown.number(number)))
            } else {
                g_value_set_double(result, shown.number(number))
            }
        case (.choice(let entries), .text(let text)):
            g_value_set_enum(result, Int32(entries.firstIndex(of: text) ?? 0))
        case (_, .text(let text)): g_value_set_string(result, text)
        case (_, .color(let color)): g_value_set_string(result, color.description)
        case (_, .number): break
        }
    }
}

extension ElementProperty.Kind {
    fileprivate init(_ parameter: HostParameter) {
        switch parameter.initial {
        case .flag: self = .flag
        case .color: self = .color
        case .number:
            guard let shown = parameter.shownNumber else { preconditionFailure("\(parameter.name) is a number") }
            self = .number(shown)
        case .text:
            // Functions of CSS are typed.
            let isList = !parameter.listEntries.isEmpty && parameter.role != .option(.easing)
            self = isList ? .choice(parameter.listEntries) : .text
        }
    }
}

/// A C string that is never freed.
func lasting(_ text: String) -> UnsafePointer<CChar>? { UnsafePointer(g_strdup(text)) }
