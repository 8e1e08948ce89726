import COpenFX
import FlipOpenFX

// The functions that hosts look up in the plugin's file.

/// The number of plugins in the file.
@c(OfxGetNumberOfPlugins) public func getNumberOfPlugins() -> Int32 { 1 }

/// Plugin `index`, counted from 0; nil if there is none.
@c(OfxGetPlugin) public func getPlugin(_ index: Int32) -> UnsafeMutablePointer<flip_ofx_plugin>? {
    index == 0 ? OpenFXPlugin.pointer : nil
}

/// Tells the plugin who loads it, before anything else (OpenFX 1.5). Returns 0 for success.
@c(OfxSetHost) public func setHost(_ host: UnsafePointer<flip_ofx_host>?) -> Int32 {
    OpenFXPlugin.setHost(host)
    return 0
}
