import FlipGeometry
import FlipGesture
import Testing
import TestSupport

/// Random gestures: the model agrees with the simulation, which shares nothing with it.
@Suite struct GestureSimulationTests {
    private static func look(_ random: inout SplitMix64) throws -> StyledLook {
        let direction = (LookOption.direction, random.oneIn(3) ? "backward" : "forward")
        let orientation = (LookOption.orientation, random.oneIn(3) ? "vertical" : "horizontal")
        let spine = (LookOption.spine, String(random.number(in: 0.05...0.95)))
        let angle = (LookOption.angle, String(random.number(in: -60...60)))
        let radius = (LookOption.radius, String(random.number(in: 0.01...0.5)))
        switch random.integer(in: 0...10) {
        case 0, 1: return try StyledLook(style: Styles.flip, options: [direction, orientation, spine])
        case 2: return try StyledLook(style: "curl", look: "book", options: [direction, orientation, spine])
        case 3: return try StyledLook(style: Styles.curl, options: [direction, orientation, angle, radius])
        case 4: return try StyledLook(style: "flip", look: "vctransitions", options: [direction, orientation])
        case 5: return try StyledLook(style: Styles.card, options: [direction])
        case 6: return try StyledLook(style: Styles.fold, options: [orientation])
        case 7: return try StyledLook(style: Styles.unfold, options: [orientation])
        case 8: return try StyledLook(style: Styles.spineFold)
        case 9:
            let style = random.pick([
                Styles.cube, Styles.box, Styles.swing, Styles.blinds, Styles.push, Styles.slide, Styles.wipe,
            ])
            return try StyledLook(style: style, options: [direction, orientation])
        default: return try StyledLook(style: Styles.dissolve)
        }
    }

    /// One to four strokes of one finger, two, or the wheel; some are taps, some are grabbed in motion.
    private static func samples(_ random: inout SplitMix64) -> [GestureSample] {
        var samples: [GestureSample] = []
        var time = random.number(in: 0...1000)
        for _ in 0..<random.integer(in: 1...4) {
            let count = random.integer(in: 1...2)
            var places = (0..<count).map { _ in (x: random.number(in: -0.05...1.05), y: random.number(in: 0...1)) }
            if random.oneIn(6) {
                for _ in 0..<random.integer(in: 1...12) {
                    time += random.number(in: 4...120)
                    samples.append(
                        GestureSample(time: time, .wheel, x: 0.5, y: 0.5, wheel: random.number(in: -20...40)))
                }
                time += random.number(in: 0...600)
                continue
            }
            for (index, place) in places.enumerated() {
                samples.append(GestureSample(time: time, pointer: index + 1, .down, x: place.x, y: place.y))
                time += random.number(in: 0...60)
            }
            let stride = random.pick([0.001, 0.004, 0.02, 0.06, 0.12])
            let drift = random.number(in: -1...0.4)
            for _ in 0..<random.integer(in: 0...15) {
                time += random.number(in: 2...60)
                let finger = random.integer(in: 0...count - 1)
                places[finger].x += stride * (drift + random.number(in: -0.7...0.7))
                places[finger].y += stride * (drift + random.number(in: -0.7...0.7))
                samples.append(
                    GestureSample(time: time, pointer: finger + 1, .move, x: places[finger].x, y: places[finger].y))
            }
            if random.oneIn(3) { time += random.number(in: 100...300) }
            for (index, place) in places.enumerated() {
                let action = random.oneIn(8) ? GestureSample.Action.cancel : .up
                samples.append(GestureSample(time: time, pointer: index + 1, action, x: place.x, y: place.y))
                time += random.number(in: 0...30)
            }
            time += random.number(in: 0...900)
        }
        return samples
    }

    @Test(arguments: 0..<300) func theModelAgrees(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let look = try Self.look(&random)
        let width = random.number(in: 200...1920)
        let aspect = random.number(in: 0.5...2.4)
        let turn = random.number(in: 150...2000)
        var model = GestureModel(GestureSetting(look, width: width, aspect: aspect, duration: turn))
        let simulation = GestureSimulation(look, width: width, height: width / aspect, turn: turn)
        let samples = Self.samples(&random)
        for (index, sample) in samples.enumerated() {
            model.add(sample)
            simulation.event(sample)
            let next = index + 1 < samples.count ? samples[index + 1].time : sample.time + 3000
            for part in [0, 0.25, 0.6, 0.99] {
                let time = sample.time + part * (next - sample.time)
                let (own, expected) = (model.position(at: time), simulation.value(time))
                #expect(abs(own.progress - expected.p) < 1e-9, "\(look) at \(time) after \(sample)")
                #expect(abs(own.bump - expected.bump) < 1e-9, "\(look) at \(time) after \(sample)")
            }
        }
        // Whatever happened, the pages have come to rest, or where a tap has left the book.
        let end = model.position(at: samples[samples.count - 1].time + 10_000)
        #expect(look.style is SpineFold || end.progress == 0 || end.progress == 1)
        #expect(end.bump == 0)
    }
}
