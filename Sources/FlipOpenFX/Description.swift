import COpenFX
import FlipGeometry
import FlipHost

/// What the plugin tells hosts of itself: its abilities, its clips and its parameters.
enum Description {
    static let identifier = "com.fliptransition.FlipTransition"
    static let fromClip = "SourceFrom"
    static let toClip = "SourceTo"
    static let outputClip = "Output"

    /// The ways in which hosts use the plugin.
    enum Context: String, CaseIterable {
        /// Between two clips of a track: the host drives the progress.
        case transition = "OfxImageEffectContextTransition"
        /// As a node or an effect with two inputs, whose progress users animate.
        case general = "OfxImageEffectContextGeneral"
    }

    /// The parameters that hosts get, in their order.
    static let parameters = HostParameter.all.enumerated().filter { !$0.element.isWorkaround }

    /// The name of a parameter in the interface, which scripts use, too.
    static func name(_ parameter: HostParameter, in context: Context) -> String {
        if parameter.role == .progress && context == .transition { return "Transition" }
        return parameter.name.split(separator: "-").joined(separator: "_")
    }

    /// Describes the plugin before any context is known.
    static func describe(_ effect: PropertySet) {
        for name in ["OfxPropLabel", "OfxPropShortLabel", "OfxPropLongLabel"] { effect.set(name, to: "FlipTransition") }
        effect.set("OfxImageEffectPluginPropGrouping", to: "Transition")
        effect.set(
            "OfxPropPluginDescription",
            to: "Turns one picture into another as pages, folded paper and cards in space do.")
        for (index, context) in Context.allCases.enumerated() {
            effect.set("OfxImageEffectPropSupportedContexts", index, to: context.rawValue)
        }
        for (index, depth) in EffectImage.Depth.allCases.enumerated() {
            effect.set("OfxImageEffectPropSupportedPixelDepths", index, to: depth.rawValue)
        }
        effect.set("OfxImageEffectPluginRenderThreadSafety", to: "OfxImageEffectRenderFullySafe")
        effect.set("OfxImageEffectPluginPropHostFrameThreading", to: false)
        effect.set("OfxImageEffectPluginPropSingleInstance", to: false)
        // A page may show any part of its picture anywhere, so every part of a frame needs the whole pictures.
        effect.set("OfxImageEffectPropSupportsTiles", to: false)
        effect.set("OfxImageEffectPropSupportsMultiResolution", to: true)
        effect.set("OfxImageEffectPropTemporalClipAccess", to: false)
        effect.set("OfxImageEffectPropMultipleClipDepths", to: false)
        effect.set("OfxImageEffectPropSupportsMultipleClipPARs", to: false)
        effect.set("OfxImageEffectPluginPropFieldRenderTwiceAlways", to: false)
    }

    /// Defines the clips and the parameters of a context.
    static func describe(_ effect: UnsafeMutableRawPointer, in context: Context, _ suites: Suites) -> Status {
        for clip in [fromClip, toClip, outputClip] {
            var handle: UnsafeMutableRawPointer?
            guard suites.effects.pointee.define_clip?(effect, clip, &handle) == status(.ok), let handle else {
                return .failed
            }
            let properties = PropertySet(handle, suites)
            properties.set("OfxImageEffectPropSupportedComponents", 0, to: EffectImage.Components.rgba.rawValue)
            properties.set("OfxImageEffectPropSupportedComponents", 1, to: EffectImage.Components.rgb.rawValue)
            properties.set("OfxImageEffectPropSupportsTiles", to: false)
            properties.set("OfxImageEffectPropTemporalClipAccess", to: false)
            if clip == outputClip { continue }
            properties.set("OfxPropLabel", to: clip == fromClip ? "From" : "To")
            properties.set("OfxImageClipPropOptional", to: context == .general)
        }
        var handle: UnsafeMutableRawPointer?
        guard suites.effects.pointee.get_parameter_set?(effect, &handle) == status(.ok), let handle else {
            return .failed
        }
        for group in HostParameter.Group.allCases {
            guard let properties = define("OfxParamTypeGroup", name(group), in: handle, suites) else { return .failed }
            properties.set("OfxPropLabel", to: group.rawValue)
            properties.set("OfxParamPropGroupOpen", to: group == .motion)
        }
        for (_, parameter) in parameters {
            guard describe(parameter, in: context, handle, suites) else { return .failed }
        }
        return .ok
    }

    private static func name(_ group: HostParameter.Group) -> String { "group_\(group)" }

    private static func define(
        _ type: String, _ name: String, in parameters: UnsafeMutableRawPointer, _ suites: Suites
    ) -> PropertySet? {
        var handle: UnsafeMutableRawPointer?
        guard suites.parameters.pointee.define?(parameters, type, name, &handle) == status(.ok), let handle else {
            return nil
        }
        return PropertySet(handle, suites)
    }

    private static func describe(
        _ parameter: HostParameter, in context: Context, _ handle: UnsafeMutableRawPointer, _ suites: Suites
    ) -> Bool {
        let kind = ParameterKind(parameter)
        let name = name(parameter, in: context)
        guard let properties = define(kind.type, name, in: handle, suites) else { return false }
        properties.set("OfxPropLabel", to: parameter.title)
        properties.set("OfxParamPropScriptName", to: name)
        properties.set("OfxParamPropHint", to: parameter.shownExplanation)
        if let group = parameter.group { properties.set("OfxParamPropParent", to: self.name(group)) }
        kind.describe(properties)
        return true
    }
}

/// The type of a parameter in the interface, and its values.
enum ParameterKind {
    case flag(Bool)
    case number(HostParameter.ShownNumber)
    case color(Color)
    /// One of several texts, of which the number is set.
    case choice([String], initial: Int)

    init(_ parameter: HostParameter) {
        switch parameter.initial {
        case .flag(let flag): self = .flag(flag)
        case .color(let color): self = .color(color)
        case .number:
            guard let shown = parameter.shownNumber else { preconditionFailure("\(parameter.name) is a number") }
            self = .number(shown)
        case .text(let text):
            let entries = parameter.listEntries
            precondition(!entries.isEmpty, "texts that are typed are left out")
            self = .choice(entries, initial: entries.firstIndex(of: text) ?? 0)
        }
    }

    var type: String {
        switch self {
        case .flag: "OfxParamTypeBoolean"
        case .number(let shown): shown.isWhole ? "OfxParamTypeInteger" : "OfxParamTypeDouble"
        case .color: "OfxParamTypeRGB"
        case .choice: "OfxParamTypeChoice"
        }
    }

    func describe(_ properties: PropertySet) {
        switch self {
        case .flag(let flag):
            properties.set("OfxParamPropDefault", to: flag)
            properties.set("OfxParamPropAnimates", to: false)
        case .number(let shown):
            let limits = [
                ("Default", shown.initial), ("Min", shown.range.lowerBound), ("Max", shown.range.upperBound),
                ("DisplayMin", shown.range.lowerBound), ("DisplayMax", shown.range.upperBound),
            ]
            for (name, number) in limits {
                if shown.isWhole {
                    properties.set("OfxParamProp\(name)", to: Int(number))
                } else {
                    properties.set("OfxParamProp\(name)", to: number)
                }
            }
            if !shown.isWhole {
                properties.set("OfxParamPropDoubleType", to: "OfxParamDoubleTypePlain")
                properties.set("OfxParamPropDigits", to: 3)
            }
        case .color(let color):
            for (index, part) in [color.red, color.green, color.blue].enumerated() {
                properties.set("OfxParamPropDefault", index, to: part)
            }
        case .choice(let entries, let initial):
            for (index, entry) in entries.enumerated() { properties.set("OfxParamPropChoiceOption", index, to: entry) }
            properties.set("OfxParamPropDefault", to: initial)
            properties.set("OfxParamPropAnimates", to: false)
        }
    }

    /// The value that the host has for the parameter behind `handle`; nil if it can't be read.
    func value(_ handle: UnsafeMutableRawPointer, at time: Double, _ suites: Suites) -> HostParameter.Value? {
        switch self {
        case .flag: return whole(handle, time, suites).map { .flag($0 != 0) }
        case .choice(let entries, _):
            guard let index = whole(handle, time, suites), entries.indices.contains(index) else { return nil }
            return .text(entries[index] == HostSettings.own ? "" : entries[index])
        case .number(let shown):
            if shown.isWhole { return whole(handle, time, suites).map { .number(shown.value(Double($0))) } }
            var number = 0.0
            guard flip_ofx_get_double(suites.parameters, handle, time, &number) == status(.ok) else { return nil }
            return .number(shown.value(number))
        case .color:
            var parts = [0.0, 0, 0]
            guard flip_ofx_get_color(suites.parameters, handle, time, &parts) == status(.ok) else { return nil }
            let limited = parts.map { $0.isFinite ? min(max($0, 0), 1) : 0 }
            return .color(Color(red: limited[0], green: limited[1], blue: limited[2]))
        }
    }

    private func whole(_ handle: UnsafeMutableRawPointer, _ time: Double, _ suites: Suites) -> Int? {
        var number: Int32 = 0
        return flip_ofx_get_int(suites.parameters, handle, time, &number) == status(.ok) ? Int(number) : nil
    }
}
