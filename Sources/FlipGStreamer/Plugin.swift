public import CGStreamer
import FlipGeometry

// The functions that GStreamer looks up in the file libgstfliptransition.so, by names made from the file's.

/// The plugin's description.
@c(gst_plugin_fliptransition_get_desc) public func describe() -> UnsafePointer<GstPluginDesc>? {
    Plugin.description
}

/// Registers the plugin in a program that contains it. Returns whether it could be.
@c(gst_plugin_fliptransition_register) public func register() -> gboolean {
    let plugin = Plugin.description.pointee
    return gst_plugin_register_static(
        plugin.major_version, plugin.minor_version, plugin.name, plugin.description, plugin.plugin_init, plugin.version,
        plugin.license, plugin.source, plugin.package, plugin.origin)
}

private enum Plugin {
    /// It is never freed.
    nonisolated(unsafe) static let description: UnsafePointer<GstPluginDesc> = {
        let description = UnsafeMutablePointer<GstPluginDesc>.allocate(capacity: 1)
        var plugin = GstPluginDesc()
        // The version of GStreamer's interface.
        (plugin.major_version, plugin.minor_version) = (GST_VERSION_MAJOR, GST_VERSION_MINOR)
        plugin.name = lasting("fliptransition")
        plugin.description = lasting("Page flips, folds and card flips between two pictures")
        plugin.plugin_init = {
            gst_element_register($0, "fliptransition", guint(GST_RANK_NONE.rawValue), ElementType.number)
        }
        plugin.version = lasting(ProductVersion.text)
        plugin.license = lasting("Apache 2.0")
        plugin.source = lasting("fliptransition")
        plugin.package = lasting("fliptransition")
        plugin.origin = lasting("fliptransition")
        description.initialize(to: plugin)
        return UnsafePointer(description)
    }()
}
