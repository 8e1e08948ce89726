import FlipGeometry
import FlipRender
import Testing

@Suite struct OutputValueTests {
    private func options(_ text: String) throws -> [String] {
        try OutputValue.options(text).map { "\($0.key)=\($0.value)" }
    }

    @Test(arguments: [
        ("720p", 1280, 720), ("1080p", 1920, 1080), ("1440P", 2560, 1440), ("4k", 3840, 2160), ("4K", 3840, 2160),
        ("2160p", 3840, 2160), ("640x361", 640, 361),
    ]) func sizesHaveNames(text: String, width: Int, height: Int) throws {
        #expect(try OutputValue.size(text) == (width, height))
    }

    @Test(arguments: ["721p", "720", "4kk", "720px1280"]) func otherSizesAreRefused(text: String) {
        let error = #expect(throws: OptionError.self) { try OutputValue.size(text) }
        #expect(error?.description.contains("WIDTHxHEIGHT") == true && error?.description.contains("1080p") == true)
    }

    @Test func encoderOptionsAreWhatPeoplePaste() throws {
        #expect(try options("g=12:bf=2") == ["g=12", "bf=2"])
        #expect(try options("x265-params=aq-mode=3:psy-rd=2") == ["x265-params=aq-mode=3", "psy-rd=2"])
        #expect(try options("x265-params=aq-mode=3:psy-rd=2:no-sao") == ["x265-params=aq-mode=3:no-sao", "psy-rd=2"])
        #expect(try options("x264-params=keyint=10\\:bframes=0:g=5") == ["x264-params=keyint=10:bframes=0", "g=5"])
        #expect(try options("a=x\\y:b=\\\\") == ["a=x\\y", "b=\\\\"], "other backslashes are themselves")
        for wrong in ["g", "=3", "g=12:no-sao", "g="] {
            #expect(throws: OptionError.self, "\(wrong)") { try OutputValue.options(wrong) }
        }
    }
}
