import COpenFX
import FlipGeometry

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The plugin as the entry points give it to hosts.
package enum OpenFXPlugin {
    /// The description of the plugin, which is never freed.
    package nonisolated(unsafe) static let pointer: UnsafeMutablePointer<flip_ofx_plugin> = {
        let version = ProductVersion.text.split { !$0.isNumber }.compactMap { UInt32($0) }
        let pointer = UnsafeMutablePointer<flip_ofx_plugin>.allocate(capacity: 1)
        pointer.initialize(
            to: flip_ofx_plugin(
                api: strdup("OfxImageEffectPluginAPI"), api_version: 1, identifier: strdup(Description.identifier),
                major_version: version.first ?? 0, minor_version: version.dropFirst().first ?? 0,
                set_host: { host in OpenFXPlugin.setHost(host) },
                main_entry: { action, handle, inArguments, outArguments in
                    guard let action else { return status(.failed) }
                    let target = UnsafeMutableRawPointer(mutating: handle)
                    return OpenFXPlugin.perform(String(cString: action), target, inArguments, outArguments).rawValue
                }))
        return pointer
    }()

    /// Makes the plugin know its host, which stays valid.
    package static func setHost(_ host: UnsafePointer<flip_ofx_host>?) { Suites.meet(host?.pointee) }

    private static func perform(
        _ action: String, _ handle: UnsafeMutableRawPointer?, _ inArguments: UnsafeMutableRawPointer?,
        _ outArguments: UnsafeMutableRawPointer?
    ) -> Status {
        if action == "OfxActionLoad" { return Suites.fetch() ? .ok : .missingHostFeature }
        if action == "OfxActionUnload" { return .ok }
        guard let suites = Suites.current, let handle else { return .failed }
        let arguments = inArguments.map { PropertySet($0, suites) }
        let result = outArguments.map { PropertySet($0, suites) }
        switch action {
        case "OfxActionDescribe":
            guard let properties = properties(handle, suites) else { return .failed }
            Description.describe(properties)
            return .ok
        case "OfxImageEffectActionDescribeInContext":
            guard let context = arguments.flatMap(context) else { return .unsupported }
            return Description.describe(handle, in: context, suites)
        case "OfxActionCreateInstance": return create(handle, suites)
        case "OfxActionDestroyInstance":
            guard let properties = properties(handle, suites), let data = properties.pointer(instanceData) else {
                return .badHandle
            }
            properties.set(instanceData, to: nil)
            Unmanaged<Effect>.fromOpaque(data).release()
            return .ok
        default: return perform(action, on: effect(handle, suites), arguments, result)
        }
    }

    /// Performs an action of an instance.
    private static func perform(
        _ action: String, on effect: Effect?, _ arguments: PropertySet?, _ result: PropertySet?
    ) -> Status {
        switch (action, arguments, result) {
        case ("OfxImageEffectActionRender", .some(let arguments), _): effect?.render(arguments) ?? .badHandle
        case ("OfxImageEffectActionIsIdentity", .some(let arguments), .some(let result)):
            effect?.isIdentity(arguments, result) ?? .badHandle
        case ("OfxImageEffectActionGetRegionOfDefinition", .some(let arguments), .some(let result)):
            effect?.regionOfDefinition(arguments, result) ?? .badHandle
        case ("OfxImageEffectActionGetRegionsOfInterest", .some(let arguments), .some(let result)):
            effect?.regionsOfInterest(arguments, result) ?? .badHandle
        case ("OfxImageEffectActionGetClipPreferences", _, .some(let result)):
            effect?.clipPreferences(result) ?? .badHandle
        case ("OfxActionPurgeCaches", _, _): purge(effect)
        default: .replyDefault
        }
    }

    private static func purge(_ effect: Effect?) -> Status {
        effect?.purge()
        return .ok
    }

    private static let instanceData = "OfxPropInstanceData"

    private static func properties(_ effect: UnsafeMutableRawPointer, _ suites: Suites) -> PropertySet? {
        var handle: UnsafeMutableRawPointer?
        guard suites.effects.pointee.get_property_set?(effect, &handle) == status(.ok) else { return nil }
        return handle.map { PropertySet($0, suites) }
    }

    private static func context(_ properties: PropertySet) -> Description.Context? {
        properties.string("OfxImageEffectPropContext").flatMap(Description.Context.init(rawValue:))
    }

    private static func create(_ handle: UnsafeMutableRawPointer, _ suites: Suites) -> Status {
        guard let properties = properties(handle, suites) else { return .failed }
        guard let context = context(properties) else { return .unsupported }
        guard let effect = Effect(handle, context, suites) else { return .missingHostFeature }
        properties.set(instanceData, to: Unmanaged.passRetained(effect).toOpaque())
        return .ok
    }

    private static func effect(_ handle: UnsafeMutableRawPointer, _ suites: Suites) -> Effect? {
        properties(handle, suites)?.pointer(instanceData).map {
            Unmanaged<Effect>.fromOpaque($0).takeUnretainedValue()
        }
    }
}
