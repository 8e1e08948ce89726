import ArgumentParser
import FlipGeometry
import FlipRender

/// What is drawn over the frames.
struct OverlayOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue,
        help: .detail(
            "Draw a picture or a film over the frames: logo.png@top-right:opacity=0.6, camera.mp4@bottom-right:width=20%. Give it again for more.",
            "spec"),
        completion: .file())
    var overlay: [String] = []
    @Option(
        parsing: .unconditionalSingleValue,
        help: .detail(
            "Draw a text over the frames: 'Ada Lovelace\\nMathematician@bottom-left:from=2:to=7:box=on'. Give it again for more.",
            "text"))
    var overlayText: [String] = []

    /// The overlays that were given: pictures and films, then texts, which are drawn over them.
    private func specs() throws(OptionError) -> [OverlaySpec] {
        var specs: [OverlaySpec] = []
        for text in overlay { specs.append(try OverlaySpec(parsingFile: text)) }
        for text in overlayText { specs.append(try OverlaySpec(parsingText: text)) }
        return specs
    }

    /// Sets what was given.
    func apply(to settings: inout OutputSettings) throws(OptionError) {
        let specs = try specs()
        if !specs.isEmpty { settings.overlays = specs }
    }

    /// The paths of the pictures and films.
    func files() throws(OptionError) -> [String] { try specs().compactMap(\.path) }
}
