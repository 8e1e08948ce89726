import FlipGeometry
import FlipGesture
import Testing

@Suite struct GestureRecordingTests {
    private static let slow: [GestureSample] = [
        GestureSample(time: 5000, .down, x: 0.9, y: 0.5), GestureSample(time: 6000, .move, x: 0.7, y: 0.5),
        GestureSample(time: 7000, .move, x: 0.4, y: 0.5), GestureSample(time: 8000, .up, x: 0.4, y: 0.5),
    ]

    private static func recording(_ samples: [GestureSample], rule: GestureRule = .page) -> GestureRecording {
        GestureRecording(style: "flip", rule: rule, aspect: 16.0 / 9, samples: samples)
    }

    @Test func aRecordingHasTheLengthOfItsMovement() throws {
        let track = try Self.recording(Self.slow).track(for: StyledLook(style: Styles.flip))
        // 480 of 768 pixels are 0.625 of the turn; the rest takes 600 ms x 0.375 after 3000 ms of dragging.
        #expect(abs(track.length - 3225) < 1e-9)
        #expect(track(0) == 0)
        #expect(track(1) == 1)
        #expect(abs(track(1500 / 3225) - 0.25) < 1e-12)
        #expect(abs(track(2500 / 3225) - 0.625) < 1e-12)
        #expect(track(3100 / 3225) > 0.625)
    }

    @Test func whatIsHeldAtTheEndIsCompleted() throws {
        let held = Array(Self.slow.prefix(2))
        let track = try Self.recording(held).track(for: StyledLook(style: Styles.flip))
        // 1.5 stages of 300 ms each, after 1000 ms.
        #expect(abs(track.length - 1450) < 1e-9)
        #expect(track(1) == 1)
        let tap = [GestureSample(time: 0, .down, x: 0.9, y: 0.5), GestureSample(time: 10, .up, x: 0.9, y: 0.5)]
        let book = GestureRecording(style: "spine-fold", rule: .pinch, aspect: 1.5, samples: tap)
        #expect(try book.track(for: StyledLook(style: Styles.spineFold))(1) == 1)
    }

    /// A hand that was fast has no say any more, and what it still does takes no time.
    @Test func theMovementEndsWhenThePagesArrive() throws {
        let fast = [
            GestureSample(time: 0, .down, x: 0.9, y: 0.5), GestureSample(time: 40, .move, x: 0.86, y: 0.5),
            GestureSample(time: 70, .move, x: 0.83, y: 0.5), GestureSample(time: 100, .move, x: 0.8, y: 0.5),
            GestureSample(time: 900, .move, x: 0.5, y: 0.5), GestureSample(time: 2000, .up, x: 0.5, y: 0.5),
        ]
        let track = try Self.recording(fast).track(for: StyledLook(style: Styles.flip))
        // 96 of 768 pixels are 0.125 of the turn; the rest takes 600 ms x 0.875.
        #expect(abs(track.length - (100 + 525)) < 1e-9)
        #expect(track(1) == 1 && track(0.99) < 1)
    }

    @Test func whatNeverArrivesIsRefused() throws {
        let short = [
            GestureSample(time: 0, .down, x: 0.9, y: 0.5), GestureSample(time: 1000, .move, x: 0.8, y: 0.5),
            GestureSample(time: 2000, .up, x: 0.8, y: 0.5),
        ]
        let look = try StyledLook(style: Styles.flip)
        for samples in [short, Array(Self.slow.prefix(1)), short.dropLast() + [.init(time: 3, .cancel, x: 0, y: 0)]] {
            #expect(throws: OptionError.self) { try Self.recording(samples).track(for: look) }
        }
        // A drag the other way only stretches the rubber band; mirrored, it turns the page.
        let wrong = Self.recording(Self.slow).mirrored(for: look)
        #expect(throws: OptionError.self) { try wrong.track(for: look) }
        #expect(try wrong.mirrored(for: look).track(for: look)(1) == 1)
    }

    @Test func anotherModelIsRefused() throws {
        let recording = Self.recording(Self.slow)
        let message = #expect(throws: OptionError.self) { try recording.track(for: StyledLook(style: Styles.card)) }
        #expect(message?.description.contains("recorded with style flip") == true)
        // A book's page is turned as that of a flip is.
        let book = try StyledLook(style: "curl", look: "book", options: [])
        #expect(try recording.track(for: book)(1) == 1)
        #expect(throws: OptionError.self) { try recording.track(for: StyledLook(style: Styles.curl)) }
        let swipe = try StyledLook(style: nil, look: "vctransitions", options: [])
        #expect(throws: OptionError.self) { try recording.track(for: swipe) }
    }
}
