import CFrei0r

// The functions of the frei0r interface that are the same for all plugins.

/// Prepares the plugin. Returns 1 for success.
@c(f0r_init) public func initialize() -> Int32 { 1 }

/// Undoes `f0r_init`.
@c(f0r_deinit) public func deinitialize() {}

/// Describes parameter `index`, counted from 0.
@c(f0r_get_param_info) public func getParameterInfo(
    _ info: UnsafeMutablePointer<flip_f0r_parameter_info>?, _ index: Int32
) {
    guard PluginInfo.parameters.indices.contains(Int(index)) else { return }
    info?.pointee = PluginInfo.parameters[Int(index)]
}

/// Destroys an instance; nil is ignored.
@c(f0r_destruct) public func destruct(_ instance: UnsafeMutableRawPointer?) {
    guard let instance else { return }
    Unmanaged<PluginInstance>.fromOpaque(instance).release()
}

/// Sets parameter `index` to the value in the host's memory.
@c(f0r_set_param_value) public func setParameterValue(
    _ instance: UnsafeMutableRawPointer?, _ value: UnsafeMutableRawPointer?, _ index: Int32
) {
    guard let instance, let value else { return }
    PluginInstance.at(instance).set(Int(index), from: value)
}

/// Writes the value of parameter `index` to the host's memory. A text belongs to the plugin and is valid until the same
/// parameter is read again.
@c(f0r_get_param_value) public func getParameterValue(
    _ instance: UnsafeMutableRawPointer?, _ value: UnsafeMutableRawPointer?, _ index: Int32
) {
    guard let instance, let value else { return }
    PluginInstance.at(instance).get(Int(index), into: value)
}

extension PluginInstance {
    /// A retained pointer to the instance for the host, to be released by `f0r_destruct`.
    package var handle: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    /// The instance behind a host's pointer.
    package static func at(_ handle: UnsafeMutableRawPointer) -> PluginInstance {
        Unmanaged<PluginInstance>.fromOpaque(handle).takeUnretainedValue()
    }
}
