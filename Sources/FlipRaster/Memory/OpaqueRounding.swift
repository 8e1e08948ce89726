/// How samples of opaque pictures are rounded that aren't copied.
package enum OpaqueRounding: Sendable {
    /// Like those of pictures in the same format without alpha.
    case direct
    /// Like those of pictures with alpha, which are drawn with 16 bits and divided by alpha (`AlphaRenderer`), so that a
    /// clip doesn't change where its last transparent pixel vanishes. If shadows are black, the two differ by at most one
    /// unit: where a page ends within a sample, where the background is seen, and in cross-fades.
    case divided
}
