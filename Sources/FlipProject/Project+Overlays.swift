import FlipBase
import FlipGeometry
import FlipRender

extension Project {
    package static let overlayKeys =
        ["file", "text", "place"] + OverlaySpec.commonKeys + OverlaySpec.fileKeys + OverlaySpec.textKeys

    /// What is drawn over the frames.
    static func overlays(_ value: YAMLValue, _ files: ReferencedFiles) throws(MediaError) -> [OverlaySpec] {
        let items = try value.list()
        guard items.count <= OverlaySpec.limit else {
            throw value.error("there are more than \(OverlaySpec.limit) overlays")
        }
        var overlays: [OverlaySpec] = []
        for item in items { overlays.append(try overlay(item, files)) }
        return overlays
    }

    private static func overlay(_ value: YAMLValue, _ files: ReferencedFiles) throws(MediaError) -> OverlaySpec {
        let map = try value.map(overlayKeys)
        var overlay: OverlaySpec
        switch (map["file"], map["text"]) {
        case (let file?, nil):
            overlay = OverlaySpec(.file(try files.path(of: file.text(), at: file.location)), at: .center)
        case (nil, let text?):
            overlay = OverlaySpec(try text.reading(OverlaySpec.text), at: .center)
        default: throw value.error("an overlay has either 'file' or 'text'")
        }
        try map.required("place").reading { name throws(OptionError) in try overlay.setPlace(name, of: "an overlay") }
        for entry in map.entries where !["file", "text", "place"].contains(entry.key) {
            switch entry.key {
            case "from": overlay.start = try entry.value.seconds()
            case "to": overlay.end = try entry.value.seconds()
            default:
                let text =
                    ["audio", "box"].contains(entry.key)
                    ? (try entry.value.flag() ? "on" : "off") : try entry.value.text()
                do throws(OptionError) {
                    try overlay.set(entry.key, text)
                } catch {
                    throw entry.value.error(error.description)
                }
            }
        }
        do throws(OptionError) {
            try overlay.check()
        } catch {
            throw value.error(error.description)
        }
        return overlay
    }
}
