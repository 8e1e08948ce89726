import FlipBase
import FlipRender

/// What the timelines of other programs can't hold.
extension RenderPlan {
    /// - Throws: `usage` if another program renders a part of the plan, for which there is no file to name.
    func refuseMadeMedia() throws(MediaError) {
        let sounds = sounds.compactMap(\.info.made)
        if let made = clips.lazy.compactMap({ $0.info?.made }).first ?? sounds.first {
            throw MediaError(.usage, "what \(made.maker) renders can't be written into a timeline (render it instead)")
        }
    }

    /// What of the plan no timeline says, and what else is lost, as a sentence; nil if nothing is.
    func loss(with further: [(name: String, isLost: Bool)]) -> String? {
        let has = { (isLost: (RenderPlan.Clip) -> Bool) in clips.contains(where: isLost) }
        let lost =
            (further + [
                ("loudnesses", loudness != nil || has { $0.loudness != nil }),
                ("motions of stills", has { $0.motion != nil }),
                ("films on slides", has { !$0.films.isEmpty }),
                ("audio tracks besides the first", audioTracks.count > 1),
                ("captions", hasCaptions),
                ("overlays", hasOverlays),
                ("fades at the ends", !fades.isEmpty),
            ]).filter(\.1).map(\.0)
        return lost.isEmpty ? nil : "the timeline leaves out what it can't hold: \(lost.joined(separator: ", "))"
    }
}
