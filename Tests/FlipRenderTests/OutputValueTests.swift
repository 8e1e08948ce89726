import FlipGeometry
import FlipRender
import Testing

@Suite struct OutputValueTests {
    private func options(_ text: String) throws -> [String] {
        try OutputValue.options(text).map { "\($0.key)=\($0.value)" }
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
