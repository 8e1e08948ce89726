import FlipMedia
import Testing

@Suite struct CommandOptionsTests {
    /// The values that both `ffmpeg -h full` of 5.1 and that of 7.1 list, for libav's own names of these colors.
    @Test func colorsHaveTheNamesThatAllVersionsKnow() {
        var color = ColorDescription()
        (color.primaries, color.transfer, color.matrix, color.isFullRange) = ("bt470m", "bt470m", "gbr", true)
        #expect(
            color.commandOptions.map { "\($0.name)=\($0.value)" } == [
                "color_primaries=bt470m", "color_trc=gamma22", "colorspace=rgb", "color_range=pc",
            ])
        color.transfer = "bt470bg"
        #expect(color.commandOptions.contains { $0 == ("color_trc", "gamma28") })
        color.transfer = "smpte2084"
        #expect(color.commandOptions.contains { $0 == ("color_trc", "smpte2084") })
    }
}
