import FlipBitstream
import Testing

@Suite struct PictureSubtitleSetTests {
    /// A PGS composition of `objects` objects in a video of 320x180, with a window and the end segment.
    private func pgs(objects: UInt8, state: UInt8, ends: Bool = true) -> [UInt8] {
        let object: [UInt8] = [0, 0, 0, 0, 0, 110, 0, 150]
        let composition: [UInt8] =
            [1, 64, 0, 180, 0x10, 0, 255, state, 0, 7, objects]
            + (0..<Int(objects)).flatMap { _ in object }
        return [0x16, 0, UInt8(composition.count)] + composition + [0x17, 0, 10, 1, 0, 0, 110, 0, 150, 0, 100, 0, 20]
            + (ends ? [0x80, 0, 0] : [])
    }

    @Test func knowsWhatPGSShows() throws {
        let shown = try #require(PictureSubtitleSet(pgs(objects: 1, state: 0x80), .pgs))
        #expect(shown.isShown && shown.isComplete && !shown.isUnfinished)
        let update = try #require(PictureSubtitleSet(pgs(objects: 1, state: 0, ends: false), .pgs))
        #expect(update.isShown && !update.isComplete && update.isUnfinished)
        // The set that clears the screen is the next in number, has no objects, and keeps size, palette and windows.
        #expect(
            shown.clearing == [0x16, 0, 11, 1, 64, 0, 180, 0x10, 1, 0, 0, 0, 7, 0]
                + [0x17, 0, 10, 1, 0, 0, 110, 0, 150, 0, 100, 0, 20, 0x80, 0, 0])
        let cleared = try #require(PictureSubtitleSet(shown.clearing, .pgs))
        #expect(!cleared.isShown && !cleared.isUnfinished)
    }

    @Test func knowsWhatDVBShows() throws {
        let region: [UInt8] = [1, 0xFF, 0, 10, 0, 20]
        let page: [UInt8] = [0x0F, 0x10, 0, 3, 0, 8, 30, 0xF4] + region
        let shown = try #require(PictureSubtitleSet(page + [0x0F, 0x80, 0, 3, 0, 0], .dvb))
        #expect(shown.isShown && shown.isComplete)
        // The same page with the next version (15 is followed by 0) and no regions.
        #expect(shown.clearing == [0x0F, 0x10, 0, 3, 0, 2, 30, 0x00, 0x0F, 0x80, 0, 3, 0, 0])
        #expect(PictureSubtitleSet(shown.clearing, .dvb)?.isShown == false)
    }

    @Test func refusesWhatIsCutOff() {
        #expect(PictureSubtitleSet([], .pgs) == nil && PictureSubtitleSet([0x16], .pgs) == nil)
        #expect(
            PictureSubtitleSet([0x16, 0, 11, 1, 64], .pgs) == nil
                && PictureSubtitleSet([0x16, 0, 2, 1, 64], .pgs) == nil)
        #expect(
            PictureSubtitleSet([0x0F], .dvb) == nil && PictureSubtitleSet([0x0F, 0x10, 0, 3, 0, 8, 30], .dvb) == nil)
        #expect(PictureSubtitleSet([0x0F, 0x10, 0, 3, 0, 0], .dvb) == nil)
    }
}
