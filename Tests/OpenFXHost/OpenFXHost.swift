import COpenFX
import Foundation

/// A small host of OpenFX plugins: it loads one, describes it, and makes instances that draw into memory.
package final class OpenFXHost: @unchecked Sendable {
    package let plugin: flip_ofx_plugin
    private let host: UnsafeMutablePointer<flip_ofx_host>

    /// A problem of the host, or what the plugin returned instead of success.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// A host of `plugin`, which is loaded.
    package init(_ plugin: UnsafeMutablePointer<flip_ofx_plugin>) throws {
        self.plugin = plugin.pointee
        host = .allocate(capacity: 1)
        host.initialize(
            to: flip_ofx_host(
                properties: nil,
                fetch_suite: { _, name, version in
                    guard version == 1, let name else { return nil }
                    switch String(cString: name) {
                    case "OfxPropertySuite": return UnsafeRawPointer(PropertyBag.suite)
                    case "OfxImageEffectSuite": return UnsafeRawPointer(HostEffect.suite)
                    case "OfxParameterSuite": return UnsafeRawPointer(HostParameters.suite)
                    default: return nil
                    }
                }))
        self.plugin.set_host?(host)
        try succeed("OfxActionLoad")
    }

    deinit { host.deallocate() }

    /// The first plugin of the file at `path`, looked up as hosts do.
    package convenience init(path: String) throws {
        guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw Failure(description: dlerror().map { String(cString: $0) } ?? "\(path) can't be loaded")
        }
        guard let number = dlsym(library, "OfxGetNumberOfPlugins"), let get = dlsym(library, "OfxGetPlugin"),
            unsafeBitCast(number, to: (@convention(c) () -> Int32).self)() == 1,
            let plugin = unsafeBitCast(
                get, to: (@convention(c) (Int32) -> UnsafeMutablePointer<flip_ofx_plugin>?).self)(0)
        else { throw Failure(description: "\(path) has not exactly one plugin") }
        try self.init(plugin)
    }

    /// Performs an action; returns what the plugin does.
    package func perform(
        _ action: String, _ effect: HostEffect? = nil, _ arguments: PropertyBag? = nil, _ result: PropertyBag? = nil
    ) -> Int32 {
        plugin.main_entry?(action, effect?.handle, arguments?.handle, result?.handle) ?? -1
    }

    private func succeed(_ action: String, _ effect: HostEffect? = nil, _ arguments: PropertyBag? = nil) throws {
        let status = perform(action, effect, arguments)
        if status != 0 { throw Failure(description: "\(action) returned \(status)") }
    }

    /// What the plugin says of itself.
    package func describe() throws -> HostEffect {
        let effect = HostEffect()
        try succeed("OfxActionDescribe", effect)
        return effect
    }

    /// What the plugin defines in a context.
    package func describe(in context: String) throws -> HostEffect {
        let effect = HostEffect()
        try succeed(
            "OfxImageEffectActionDescribeInContext", effect,
            PropertyBag(["OfxImageEffectPropContext": [.string(context)]]))
        return effect
    }

    /// A new instance of what was described in a context.
    package func create(_ description: HostEffect, context: String) throws -> HostEffect {
        let effect = HostEffect(of: description, context: context)
        try succeed("OfxActionCreateInstance", effect)
        return effect
    }

    package func destroy(_ effect: HostEffect) throws { try succeed("OfxActionDestroyInstance", effect) }

    /// The arguments of actions at time 0, which render `window` of the output's picture, all of it if nil.
    package static func arguments(
        _ effect: HostEffect, window: [Int]? = nil, field: String = "OfxFieldNone"
    ) -> PropertyBag {
        let image = effect.clips["Output"]?.image
        let whole = image.map { [$0.origin.x, $0.origin.y, $0.origin.x + $0.width, $0.origin.y + $0.height] }
        return PropertyBag([
            "OfxPropTime": [.double(0)], "OfxImageEffectPropFieldToRender": [.string(field)],
            "OfxImageEffectPropRenderScale": [.double(1), .double(1)],
            "OfxImageEffectPropRenderWindow": (window ?? whole ?? []).map { .int(Int32($0)) },
        ])
    }

    /// Draws the instance's frame; returns what the plugin returns.
    package func render(_ effect: HostEffect, window: [Int]? = nil, field: String = "OfxFieldNone") -> Int32 {
        perform(
            "OfxImageEffectActionRender", effect, OpenFXHost.arguments(effect, window: window, field: field),
            PropertyBag())
    }
}
