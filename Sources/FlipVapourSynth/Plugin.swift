public import CVapourSynth
import FlipFrame
import FlipGeometry

// The plugin's entry point and the functions that VapourSynth calls by their addresses.

/// Describes the plugin to the host: `core.fliptransition.Join` and `core.fliptransition.Frame`.
@c(VapourSynthPluginInit2) public func initialize(
    _ plugin: OpaquePointer?, _ host: UnsafePointer<flip_vs_plugin_api>?
) {
    guard let plugin, let host = host?.pointee else { return }
    let numbers = ProductVersion.text.split { !$0.isNumber }.compactMap { Int32($0) } + [0, 0]
    _ = host.configure(
        "org.fliptransition.vapoursynth", "fliptransition", "Page flips, folds and card flips between two clips",
        numbers[0] << 16 | numbers[1], 4 << 16, 0, plugin)
    _ = host.register_function(
        "Join", "a:vnode;b:vnode;length:int;" + Argument.signature, "clip:vnode;",
        { arguments, result, _, core, api in makeSeam(.join, arguments, result, core, api) }, nil, plugin)
    _ = host.register_function(
        "Frame", "a:vnode;b:vnode;progress:float;" + Argument.signature, "clip:vnode;",
        { arguments, result, _, core, api in makeSeam(.frame, arguments, result, core, api) }, nil, plugin)
}

private func makeSeam(
    _ function: Seam.Function, _ arguments: OpaquePointer?, _ result: OpaquePointer?, _ core: OpaquePointer?,
    _ api: UnsafePointer<flip_vs_api>?
) {
    guard let arguments, let result, let api = api?.pointee else { return }
    let call = Call(arguments: arguments, api: api)
    guard let a = call.node("a"), let b = call.node("b"), let first = api.get_video_info(a)?.pointee,
        let second = api.get_video_info(b)?.pointee
    else { return }
    let seam: Seam
    do throws(FrameError) {
        seam = try Seam(function, call, a: a, first, b: b, second)
    } catch {
        api.free_node(a)
        api.free_node(b)
        api.map_set_error(result, "\(function.rawValue): \(error.message)")
        return
    }
    var info = seam.info
    // No frame of a clip is requested twice: frame n of both, or one of each.
    let pattern: Int32 = if case .frames = seam.kind { 2 } else { 1 }
    let nodes = [a, b].map { flip_vs_dependency(node: $0, request_pattern: pattern) }
    api.create_video_filter(
        result, function.rawValue, &info, getFrame, freeSeam, 0, nodes, Int32(nodes.count),
        Unmanaged.passRetained(seam).toOpaque(), core)
}

private let getFrame: flip_vs_get_frame = { n, reason, instance, _, context, core, api in
    guard let instance, let api = api?.pointee else { return nil }
    let seam = Unmanaged<Seam>.fromOpaque(instance).takeUnretainedValue()
    switch reason {
    case 0: seam.request(n, context, api)
    case 1:
        do throws(FrameError) {
            return try seam.frame(n, context, core, api)
        } catch {
            api.set_filter_error(error.message, context)
        }
    default: break
    }
    return nil
}

private let freeSeam: flip_vs_free = { instance, _, api in
    guard let instance, let api = api?.pointee else { return }
    let seam = Unmanaged<Seam>.fromOpaque(instance).takeRetainedValue()
    api.free_node(seam.a)
    api.free_node(seam.b)
}
