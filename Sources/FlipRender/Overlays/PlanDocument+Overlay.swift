extension PlanDocument {
    /// What is drawn over the frames.
    struct Overlay: Encodable {
        /// `picture`, `film` or `text`.
        let kind: String
        /// The file; nil for a text.
        let path: String?
        /// The text with its braces; nil for a file.
        let text: String?
        let place: String
        let layer: OverlaySpec.Layer
        let opacity: Double
        /// The rectangle that it fills, in pixels of the frame; nil for a text.
        let x: Int?
        let y: Int?
        let width: Int?
        let height: Int?
        /// The output frame at which it is first seen, and for how many.
        let start: Int
        let frames: Int
        /// Whether a film's audio is heard.
        let isHeard: Bool

        init(_ overlay: PlacedOverlay) {
            let spec = overlay.spec
            let box = overlay.box
            kind = overlay.kind
            path = spec.path
            text = if case .text(let text) = spec.content { text } else { nil }
            place = spec.place.name
            layer = spec.layer
            opacity = spec.opacity
            (x, y, width, height) = (box?.x, box?.y, box?.width, box?.height)
            (start, frames) = (overlay.frames.lowerBound, overlay.frames.count)
            isHeard = spec.isHeard
        }
    }
}
