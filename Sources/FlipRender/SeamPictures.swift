import FlipBase
import FlipGeometry
import FlipMedia

/// Plans for pictures of a composition's joins, at any size. The inputs are probed once.
package struct SeamPlans: Sendable {
    /// The formats of pictures.
    package enum Format: String, Sendable {
        case png, jpg
    }

    /// The plan for a picture in the size of the output's frames, without loss.
    package let full: RenderPlan
    package let composition: Composition
    private let sources: [InputClip.Source]

    /// Probes the inputs of `composition`, whose output is left alone.
    package init(_ composition: Composition) throws(MediaError) {
        var composition = composition
        composition.reading.isHasty = true
        full = try Planner.plan(Self.stills(of: composition, .png, size: composition.output.size))
        guard let fallback = full.fallback else {
            throw MediaError(.usage, "a clip that comes through a pipe can't be previewed (name a file)")
        }
        self.composition = composition
        sources = fallback.sources
    }

    /// The plan for pictures that are `width` pixels wide, even, and no wider than the output's frames.
    package func plan(width: Int, _ format: Format) throws(MediaError) -> RenderPlan {
        let (fullWidth, fullHeight) = (full.video.width, full.video.height)
        var size = (width: fullWidth, height: fullHeight)
        if width < fullWidth {
            let wide = max(2, width / 2 * 2)
            size = (wide, max(2, (wide * fullHeight / fullWidth + 1) / 2 * 2))
        } else if format == .png {
            return full
        }
        return try Planner.plan(Self.stills(of: composition, format, size: size), measured: sources)
    }

    /// The composition with a picture as its output, which `still` would write.
    private static func stills(
        of composition: Composition, _ format: Format, size: (width: Int, height: Int)?
    ) -> Composition {
        var copy = composition
        var output = OutputSettings(path: "-")
        output.format = format.rawValue
        output.isStill = true
        output.size = size
        output.fit = composition.output.fit
        output.frameRate = composition.output.frameRate
        output.background = composition.output.background
        output.threads = composition.output.threads
        output.hasAudio = false
        copy.output = output
        return copy
    }
}

/// Draws and encodes pictures of one join: the last frame of the clip before it, the first one of the clip after it, and
/// what is between them. All calls come from one thread at a time.
package final class SeamPictures {
    private let ends: TransitionEnds
    private let encoder: VideoEncoder
    private var count = 0
    /// The memory that the object takes, in bytes, as an estimate.
    package let bytes: Int

    /// Decodes the two frames at join `join` of `plan`.
    package init(_ plan: RenderPlan, join: Int) throws {
        ends = try TransitionEnds(plan, join: join)
        var video = plan.video
        // With more threads, encoders return a picture only when the next ones come in.
        video.threads = 1
        // Pictures in motion are to be small rather than perfect: some 40 dB. PNG has no quantizer.
        video.quantizer = 4
        encoder = try VideoEncoder(video, in: plan.container, hasGlobalHeader: false)
        // Two frames, the one that is drawn, the encoder's, and what drawing keeps, with up to 8 bytes a pixel.
        bytes = video.width * video.height * 40
    }

    /// The file of the picture at `progress` (0...1, after easing).
    package func picture(_ look: StyledLook, progress: Double) throws -> [UInt8] {
        try encode(try ends.draw(look, progress: progress))
    }

    /// The file of the picture at `time` (0...1, before easing) of the transition `spec`, with its motion blur.
    package func picture(_ look: StyledLook, _ spec: TransitionSpec, at time: Double) throws -> [UInt8] {
        try encode(try ends.draw(look, spec, at: time))
    }

    /// The file of the picture of a page that is lifted by `bump` of a whole turn and has nothing on its other side: the
    /// first page, which is lifted against the motion, or the last one.
    package func picture(_ look: StyledLook, bump: Double) throws -> [UInt8] {
        try encode(try ends.draw(look, bump: bump))
    }

    private func encode(_ frame: VideoFrame) throws -> [UInt8] {
        try encoder.encoder.send(try encoder.prepared(frame, index: count))
        count += 1
        guard let packet = try encoder.encoder.receive() else {
            throw MediaError(.internalFault, "the encoder '\(encoder.encoder.name)' returned no picture")
        }
        return Array(packet.bytes)
    }
}
