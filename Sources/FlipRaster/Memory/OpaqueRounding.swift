/// How samples of opaque pictures are rounded that aren't copied.
package enum OpaqueRounding: Sendable {
    /// Like those of pictures in the same format without alpha.
    case direct
    /// Like those of pictures with alpha, which are drawn with 16 bits and divided by alpha (`AlphaRenderer`), so that a
    /// clip doesn't change where its last transparent pixel vanishes. If shadows are black, the two differ by at most one
    /// unit: where a page ends within a sample, where the background is seen, and in cross-fades. Frames with a bent sheet are
    /// rounded as by `direct`, since the colors of paper and of light are mixed before dividing, and drawing a curl by way of
    /// alpha takes five times as long.
    case divided
}
