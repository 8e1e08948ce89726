import CFrei0r

// The functions of the frei0r interface that are the same for every plugin.

/// Prepares the plugin; 1 is success.
@c(f0r_init) public func initialize() -> Int32 { 1 }

/// Undoes `f0r_init`.
@c(f0r_deinit) public func deinitialize() {}

/// Describes parameter `index`, 0 up to the number in the plugin's info.
@c(f0r_get_param_info) public func getParameterInfo(
    _ info: UnsafeMutablePointer<flip_f0r_parameter_info>?, _ index: Int32
) {
    guard PluginInfo.parameters.indices.contains(Int(index)) else { return }
    info?.pointee = PluginInfo.parameters[Int(index)]
}

/// Ends an instance; nil is none.
@c(f0r_destruct) public func destruct(_ instance: UnsafeMutableRawPointer?) {
    guard let instance else { return }
    Unmanaged<PluginInstance>.fromOpaque(instance).release()
}

/// Sets parameter `index` from the host's memory.
@c(f0r_set_param_value) public func setParameterValue(
    _ instance: UnsafeMutableRawPointer?, _ value: UnsafeMutableRawPointer?, _ index: Int32
) {
    guard let instance, let value else { return }
    PluginInstance.at(instance).set(Int(index), from: value)
}

/// Writes the value of parameter `index` to the host's memory. Texts are the plugin's, up to the next question.
@c(f0r_get_param_value) public func getParameterValue(
    _ instance: UnsafeMutableRawPointer?, _ value: UnsafeMutableRawPointer?, _ index: Int32
) {
    guard let instance, let value else { return }
    PluginInstance.at(instance).get(Int(index), into: value)
}

extension PluginInstance {
    /// The instance as hosts hold it, until `f0r_destruct`.
    package var handle: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    /// The instance that a host holds.
    package static func at(_ handle: UnsafeMutableRawPointer) -> PluginInstance {
        Unmanaged<PluginInstance>.fromOpaque(handle).takeUnretainedValue()
    }
}
