import FlipGeometry
import FlipRaster

/// The frame that the rasterizer draws between two pictures of the same format and size, with guards around all memory
/// lent to it.
/// - Parameter format: what the pictures' samples are taken for, if not for what they were made as.
package func drawn(
    _ look: StyledLook, progress: Double, from: TestPicture, to: TestPicture, background: Color = .black,
    threads: Int = 1, skew: Int = 3, level: KernelLevel = .best, format: PictureFormat? = nil
) throws -> TestPicture {
    let renderer = TransitionRenderer(
        format: format ?? from.format, width: from.width, height: from.height, background: background,
        threads: threads, level: level)
    return try renderer.drawn(look, progress: progress, from: from, to: to, skew: skew)
}

extension TransitionRenderer {
    /// The rendered frame as a new picture; throws `GuardError` if anything else was written.
    package func drawn(
        _ look: StyledLook, progress: Double, from: TestPicture, to: TestPicture, skew: Int = 3
    ) throws -> TestPicture {
        var result = TestPicture(format: format, width: width, height: height)
        try from.withView(skew: skew) { from in
            try to.withView(skew: skew) { to in
                try result.withMutableView(skew: skew) { target in
                    render(look, progress: progress, from: from, to: to, into: target)
                }
            }
        }
        return result
    }
}

extension TransitionRenderer {
    /// The frame at `time` of a transition of `count` frames as a new picture, with the look's easing and shutter.
    package func drawn(
        _ look: StyledLook, at time: Double, of count: Int, from: TestPicture, to: TestPicture, skew: Int = 3,
        progress: ((Double) -> Double)? = nil
    ) throws -> TestPicture {
        var result = TestPicture(format: format, width: width, height: height)
        try from.withView(skew: skew) { from in
            try to.withView(skew: skew) { to in
                try result.withMutableView(skew: skew) { target in
                    render(
                        look, at: time, spacing: 1 / Double(count + 1), progress: progress ?? { look.look.easing($0) },
                        from: from, to: to,
                        into: target)
                }
            }
        }
        return result
    }
}

extension StyledLook {
    /// The defaults of the style called `name`, modified by `change`.
    package static func named(_ name: String, _ change: (inout Look) -> Void = { _ in }) throws -> StyledLook {
        let style = try Styles.named(name)
        var look = style.defaults
        change(&look)
        return try StyledLook(style: style, look: look)
    }
}
