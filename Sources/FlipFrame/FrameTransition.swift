public import FlipGeometry

/// A style with its look: what a `FrameRenderer` draws.
public struct FrameTransition: Sendable, CustomStringConvertible {
    package let look: StyledLook

    /// A transition whose options have been checked already.
    package init(_ look: StyledLook) { self.look = look }

    /// A transition in `style`, one of the catalog or your own, with the style's defaults except for `settings`.
    ///
    /// Throws `FrameError` of kind `invalidOption` if a value is outside its range, if an option does not apply to the
    /// style, or if two options exclude each other.
    public init(_ style: any TransitionStyle = Styles.flip, _ settings: LookSetting...) throws(FrameError) {
        try self.init(style, settings: settings)
    }

    /// A transition in `style`, with the style's defaults except for the `settings` in an array.
    public init(_ style: any TransitionStyle, settings: [LookSetting]) throws(FrameError) {
        look = try FrameError.ofOption { () throws(OptionError) in
            let look = try StyledLook(style: style, options: settings.map { ($0.option, $0.value) })
            try look.checkDefaults()
            return look
        }
    }

    /// The progress after easing, 0...1, at `time`, 0...1.
    public func progress(at time: Double) -> Double { look.look.easing(time) }

    /// The progress after easing, 0...1, of frame `index`, counted from 0, of a transition that lasts for `count` frames. The
    /// frames before the first and after the last one show a single picture, so frame `index` is at the time
    /// (`index` + 1) / (`count` + 1).
    public func progress(ofFrame index: Int, in count: Int) -> Double {
        progress(at: TransitionTime.ofFrame(index, in: count))
    }

    /// The style and each option that differs from its default, as on the command line: `fold=mode=cubic`.
    public var description: String { look.description }
}
