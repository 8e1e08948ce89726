import CFrei0r
import FlipFrei0r

// The filter plugin, which takes two pictures stacked into one, because FFmpeg's frei0r filter accepts no mixers. The
// upper half becomes the transition, and the lower half has to be cropped off. FFmpeg's clock counts milliseconds.

/// Describes the plugin.
@c(f0r_get_plugin_info) public func getPluginInfo(_ info: UnsafeMutablePointer<flip_f0r_plugin_info>?) {
    info?.pointee = PluginInfo.info(
        .filter, name: "fliptransition_stack",
        explanation: "Turns the upper half of the picture into the lower one; crop the lower half off afterwards")
}

/// Makes an instance for stacked pictures of `width` x `height` pixels in total; nil if the size is not supported.
@c(f0r_construct) public func construct(_ width: UInt32, _ height: UInt32) -> UnsafeMutableRawPointer? {
    PluginInstance(width: Int(width), height: Int(height / 2), spareRows: Int(height % 2), clockUnit: 0.001)?.handle
}

/// Draws the frame at `time` into the upper half of `result`. The rest is copied from `pair`.
@c(f0r_update) public func update(
    _ instance: UnsafeMutableRawPointer?, _ time: Double, _ pair: UnsafePointer<UInt32>?,
    _ result: UnsafeMutablePointer<UInt32>?
) {
    guard let instance, let pair, let result else { return }
    PluginInstance.at(instance).drawStack(time, pair, into: result)
}
