/// The files of the page, which are part of the program.
enum PageFiles {
    /// The page itself.
    static let page = PackageResources.index_html

    /// What the page loads, by path.
    static let files: [String: (bytes: [UInt8], type: String)] = [
        "/preview.css": (PackageResources.preview_css, "text/css; charset=utf-8"),
        "/preview.js": (PackageResources.preview_js, script),
        "/link.js": (PackageResources.link_js, script),
        "/controls.js": (PackageResources.controls_js, script),
        "/hand.js": (PackageResources.hand_js, script),
        "/motion.js": (PackageResources.motion_js, script),
        "/player.js": (PackageResources.player_js, script),
        "/recorder.js": (PackageResources.recorder_js, script),
        "/timeline.js": (PackageResources.timeline_js, script),
    ]

    private static let script = "text/javascript; charset=utf-8"
}
