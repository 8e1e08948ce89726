import FlipBase
import FlipMedia

/// What the clips say of how their pictures are to be shown, apart from the pictures.
extension Planner {
    /// How the output's pictures surround the viewer, which is kept if all clips agree and the container states it. Warns of what is
    /// left out.
    mutating func projection(
        of clips: [RenderPlan.Clip], _ container: Container
    ) throws(MediaError) -> Projection? {
        let stated = clips.compactMap(\.video).filter { !$0.isStill }.map(\.projection)
        guard let first = stated.compactMap(\.self).first else { return nil }
        let agree = stated.allSatisfy { $0 == first }
        if agree, container.statesProjections { return first }
        try warn(
            "left out that pictures surround the viewer or hold a view for each eye: "
                + (agree
                    ? "\(container.extensions[0]) files can't say so here (name an mp4 or mkv)"
                    : "not all clips are of the same kind"))
        return nil
    }

    /// Warns of dynamic metadata that the output won't have. Throws if a clip can't be shown without it.
    mutating func checkMetadata(
        _ clips: [RenderPlan.Clip], _ encoding: VideoEncoding, _ container: Container, isCarried: Bool
    ) throws(MediaError) {
        if isCarried {
            guard encoding.dolbyVision != nil, !container.statesDolbyVision else { return }
            return try warn(
                "\(container.extensions[0]) files can't say here that their video is Dolby Vision, so players show its base layer "
                    + "(name an mp4 or mkv)")
        }
        for clip in clips {
            guard let video = clip.video else { continue }
            if video.dolbyVision?.profile == 5 {
                throw MediaError(
                    .badInput,
                    "'\(clip.input.path)' is Dolby Vision of profile 5, whose colors can't be converted (export it as HDR10 or HLG)"
                )
            }
            guard !video.dynamicMetadata.isEmpty else { continue }
            let names = video.dynamicMetadata.map(\.rawValue).sorted().joined(separator: " and ")
            try warn("\(clip.input.path) has \(names) metadata, which is left out")
        }
    }
}
