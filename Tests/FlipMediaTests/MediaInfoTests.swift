import FlipMedia
import Testing

@Suite struct MediaInfoTests {
    /// What is known of a file stays known if only one of its audio tracks is used.
    @Test func hearingOneTrackKeepsTheRest() {
        let track = {
            AudioInfo(streamIndex: $0, codec: "aac", sampleRate: 48000, channels: 2, layout: "stereo", start: nil)
        }
        var info = MediaInfo(
            path: "a.heic", format: "mov", byteCount: 7, video: nil, audioTracks: [track(1), track(2)],
            audioTrackCount: 2, title: nil, chapters: [], ignoredStreams: [])
        info.isConverted = true
        let heard = info.hearing(1)
        #expect(heard.audioTracks.map(\.streamIndex) == [2])
        #expect(heard.isConverted && heard.byteCount == 7)
    }
}
