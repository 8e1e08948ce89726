import CFrei0r
import FlipFrei0r

// The mixer plugin, which takes two pictures, for MLT and the programs built on it, GStreamer and others. Their clocks
// count seconds.

/// Describes the plugin.
@c(f0r_get_plugin_info) public func getPluginInfo(_ info: UnsafeMutablePointer<flip_f0r_plugin_info>?) {
    info?.pointee = PluginInfo.info(
        .mixer, name: "fliptransition",
        explanation: "Turns the first picture into the second with a page flip, a fold or a card flip")
}

/// Makes an instance for pictures of `width` x `height` pixels; nil if the size is not supported.
@c(f0r_construct) public func construct(_ width: UInt32, _ height: UInt32) -> UnsafeMutableRawPointer? {
    PluginInstance(width: Int(width), height: Int(height), clockUnit: 1)?.handle
}

/// The entry point for filters, which copies the picture.
@c(f0r_update) public func update(
    _ instance: UnsafeMutableRawPointer?, _ time: Double, _ picture: UnsafePointer<UInt32>?,
    _ result: UnsafeMutablePointer<UInt32>?
) {
    guard let instance, let picture, let result else { return }
    PluginInstance.at(instance).copy(picture, into: result)
}

/// Draws the frame at `time`, from `first` to `second`.
@c(f0r_update2) public func update2(
    _ instance: UnsafeMutableRawPointer?, _ time: Double, _ first: UnsafePointer<UInt32>?,
    _ second: UnsafePointer<UInt32>?, _ third: UnsafePointer<UInt32>?, _ result: UnsafeMutablePointer<UInt32>?
) {
    guard let instance, let first, let second, let result else { return }
    PluginInstance.at(instance).draw(time, from: first, to: second, into: result)
}
