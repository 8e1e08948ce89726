import FlipBase
import Testing

@Suite struct TimecodeTests {
    private static let ntsc = Rational(30000, 1001)

    /// Counts by SMPTE ST 12-1: an hour without drops has 108,000 frames of 30, one with drops 107,892.
    @Test(arguments: [
        ("00:00:00:00", Rational(25), 0), ("01:00:00:00", Rational(25), 90000),
        ("23:59:59:24", Rational(25), 2_159_999),
        ("01:00:00:00", ntsc, 108_000), ("01:00:00;00", ntsc, 107_892), ("00:00:59;29", ntsc, 1799),
        ("00:01:00;02", ntsc, 1800), ("00:10:00;00", ntsc, 17982), ("01:02:03;04", ntsc, 111_582),
        ("23:59:59;29", ntsc, 2_589_407), ("00:01:00;04", Rational(60000, 1001), 3600),
        ("01:00:00;00", Rational(60000, 1001), 215_784), ("00:00:01:119", Rational(120), 239),
    ])
    func labelsCountFrames(text: String, rate: Rational, frames: Int) throws {
        let code = try #require(Timecode(text, rate: rate))
        #expect(code.frames == frames && code.text == text)
        #expect(code.seconds == Rational(frames) / rate)
    }

    /// Labels follow each other as ST 12-1 has it, through a day and over midnight.
    @Test(arguments: [
        (ntsc, true), (Rational(60000, 1001), true), (ntsc, false), (Rational(24000, 1001), false),
        (Rational(50), false),
    ])
    func labelsFollowEachOther(rate: Rational, dropsFrames: Bool) throws {
        let start = try #require(Timecode(dropsFrames ? "00:00:00;00" : "00:00:00:00", rate: rate))
        let counted = rate.rounded()
        var numbers = [0, 0, 0, 0]
        for frame in 0..<counted * 60 * 21 {
            let code = start.moved(by: Rational(frame) / rate)
            let expected = numbers.map { ($0 < 10 ? "0" : "") + "\($0)" }
            let text = expected[..<3].joined(separator: ":") + (dropsFrames ? ";" : ":") + expected[3]
            guard code.text == text, Timecode(text, rate: rate) == code else {
                Issue.record("frame \(frame) is \(code.text), expected \(text)")
                return
            }
            numbers[3] += 1
            if numbers[3] == counted { numbers = [numbers[0], numbers[1], numbers[2] + 1, 0] }
            if numbers[2] == 60 {
                numbers = [numbers[0], numbers[1] + 1, 0, 0]
                if dropsFrames, numbers[1] % 10 != 0 { numbers[3] = counted / 15 }
            }
        }
        #expect(start.moved(by: Rational(-1) / rate).text.hasPrefix("23:59:59"))
        #expect(start.moved(by: Rational(-1) / rate).moved(by: Rational(1) / rate) == start)
    }

    @Test(arguments: [
        ("00:01:00;00", ntsc), ("00:11:00;01", ntsc), ("00:01:00;03", Rational(60000, 1001)),
        ("00:00:00;00", Rational(25)),
        ("00:00:00:25", Rational(25)), ("24:00:00:00", Rational(25)), ("00:60:00:00", Rational(25)),
        ("1:2:3", Rational(25)),
        ("", Rational(25)), ("00:00:-1:00", Rational(25)), ("00:00:00:00", .zero), ("00:00:00:00", Rational(5000)),
        ("00:00:00:٣٣", Rational(60)),
    ])
    func otherTextsAreNone(text: String, rate: Rational) { #expect(Timecode(text, rate: rate) == nil) }

    /// The second stays; the frame within it is the one that is shown at that time.
    @Test(arguments: [
        ("01:02:03:10", Rational(25), Rational(50), "01:02:03:20"), ("01:02:03:24", Rational(25), ntsc, "01:02:03:28"),
        ("01:02:03;04", ntsc, Rational(25), "01:02:03:03"), ("01:02:03;04", ntsc, Rational(60000, 1001), "01:02:03;08"),
        ("00:01:00;02", ntsc, Rational(24000, 1001), "00:01:00:01"), ("00:00:10:00", ntsc, Rational(30), "00:00:10:00"),
    ])
    func ratesAreConverted(text: String, rate: Rational, other: Rational, expected: String) {
        #expect(Timecode(text, rate: rate)?.counted(at: other)?.text == expected)
    }
}
