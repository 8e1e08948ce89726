import FlipBase
import FlipMedia
import FlipRender
import FlipSplice
import TestSupport
import Testing

/// Which AAC packets are copied, against a plain definition that compares every sound with every other one on every grid.
@Suite struct AudioPlanTests {
    private static let step = 1024
    private static let rate = 48000

    private struct Copy: Equatable {
        let sound: Int
        let packets: Range<Int>
        let first: Int
    }

    /// A file whose AAC packets can be copied.
    private func file() throws -> MediaInfo {
        let clip = try Clips.shared.get().make(
            "audio-plan.mp4", "-f lavfi -i color=s=64x64:r=25:d=8 -f lavfi -i sine=r=48000:d=8 -c:v libx264 -g 5 -bf 0",
            "-pix_fmt yuv420p -c:a aac")
        var output = OutputSettings(path: "none.mp4")
        output.render = .auto
        let specs = [ClipSpec(path: clip), ClipSpec(path: clip)]
        let plan = try Planner.plan(
            Composition(inputs: specs, transitions: [try TransitionSpec(parsing: "cut")], output: output))
        return try #require(plan.sounds.first?.info)
    }

    private func samples(_ span: TimeSpan) -> Range<Int> {
        (span.start * Rational(Self.rate)).rounded()..<(span.end * Rational(Self.rate)).rounded()
    }

    private func solo(_ sounds: [PlacedSound], _ index: Int, _ total: Int, _ steady: Range<Int>) -> Range<Int>? {
        if sounds[index].gain != 1 { return nil }
        let span = samples(sounds[index].span)
        var lower = max(span.lowerBound, sounds[index].fadeIn.map(samples)?.upperBound ?? 0, steady.lowerBound)
        var upper = min(span.upperBound, sounds[index].fadeOut.map(samples)?.lowerBound ?? total, steady.upperBound)
        for other in sounds.indices where other != index {
            let taken = samples(sounds[other].span)
            if taken.lowerBound <= lower { lower = max(lower, taken.upperBound) }
            if taken.lowerBound > lower { upper = min(upper, taken.lowerBound) }
        }
        if lower >= upper { return nil }
        return (lower > 0 ? lower : .min / 4)..<(upper < total ? upper : .max / 4)
    }

    private func copies(
        _ sounds: [PlacedSound], _ starts: [Int?], _ grid: Int, _ total: Int, _ steady: Range<Int>, _ tolerance: Int
    ) -> (copies: [Copy], moves: Int) {
        var (copies, moves): ([Copy], Int) = ([], 0)
        for index in sounds.indices {
            guard let start = starts[index], let alone = solo(sounds, index, total, steady),
                let count = sounds[index].info.audio?.coded?.count
            else { continue }
            let shift = Rational(start - grid, Self.step).rounded()
            let move = grid + shift * Self.step - start
            let end = max(0, (total - grid - Self.step / 2) / Self.step + 1)
            let first = alone.lowerBound > 0 ? shift + 1 : shift
            let lower = max(-1, first, (alone.lowerBound - grid + Self.step - 1) / Self.step)
            let upper = min(end, shift + count, (alone.upperBound - grid) / Self.step - 1)
            guard abs(move) <= tolerance, upper - lower >= 32 else { continue }
            copies.append(Copy(sound: index, packets: lower..<upper, first: lower - shift))
            moves += abs(move)
        }
        return (copies.sorted { $0.packets.lowerBound < $1.packets.lowerBound }, moves)
    }

    /// The copies of the best grid, and this grid; nil if nothing can be copied.
    private func best(
        _ sounds: [PlacedSound], _ starts: [Int?], _ total: Int, _ steady: Range<Int>, _ mode: AudioCopy
    ) -> (copies: [Copy], grid: Int)? {
        var best: (copies: [Copy], grid: Int, value: Int)?
        let tolerance = mode == .near ? Self.step / 2 : Self.rate / 2000
        let remainders = starts.compactMap { $0.map { -(((-$0 % Self.step) + Self.step) % Self.step) } }
        for grid in remainders + (mode == .near ? [0] : []) {
            let (copies, moves) = copies(sounds, starts, grid, total, steady, tolerance)
            let value = mode == .near ? -moves : copies.reduce(0) { $0 + $1.packets.count }
            if !copies.isEmpty, value > best?.value ?? .min { best = (copies, grid, value) }
        }
        return best.map { ($0.copies, $0.grid) }
    }

    /// Of packets with gaps, each that is copied lies at most half a packet from its place, with those beside it that it is
    /// decoded with, and none lies beyond the gap after it.
    @Test(arguments: AudioCopy.allCases, ["aac", "ac3", "mp2"]) func gapsAreEncoded(
        mode: AudioCopy, codec: String
    ) throws {
        let form = try #require(AudioForm(codec: codec))
        let sound = PlacedSound(info: try file(), origin: .zero, span: TimeSpan(start: .zero, duration: Rational(60)))
        var random = SplitMix64(seed: 9)
        var copied = 0
        for _ in 0..<100 {
            var runs: [AudioPlan.Run] = []
            var (first, start) = (0, Int.random(in: -2000...0, using: &random))
            for _ in 0..<Int.random(in: 2...6, using: &random) {
                let count = Int.random(in: 1...300, using: &random)
                runs.append(AudioPlan.Run(first: first, count: count, start: start))
                first += count
                start += count * form.samples + Int.random(in: -form.samples...3000, using: &random)
            }
            let plan = AudioPlan(
                [sound], runs: [runs], AudioSeams(form: form, padding: 256), rate: Self.rate, total: 60 * Self.rate,
                steady: 0..<60 * Self.rate, mode, natural: -256, isFree: true)
            guard let plan else { continue }
            var next: Int?
            for stretch in plan.stretches {
                let packets: Range<Int>
                switch stretch {
                case .encoded(let part): packets = part.packets
                case .copied(_, let range, let number):
                    packets = range
                    copied += 1
                    let index = try #require(runs.lastIndex { $0.first <= number })
                    let run = runs[index]
                    let place = plan.grid + range.lowerBound * form.samples
                    let shift = place - run.start - (number - run.first) * form.samples
                    #expect(abs(shift) <= (mode == .near ? form.samples / 2 : 24))
                    #expect(number > run.first || place <= 0)
                    let last = number + range.count
                    #expect(last <= run.first + run.count - (index + 1 < runs.count ? 1 : 0))
                    if index + 1 < runs.count {
                        let end = place + range.count * form.samples
                        #expect(end <= runs[index + 1].start + (mode == .near ? form.samples / 2 : 24))
                    }
                }
                #expect(next == nil || next == packets.lowerBound)
                next = packets.upperBound
            }
        }
        #expect(copied > 50)
    }

    @Test(arguments: AudioCopy.allCases) func packetsAreThoseOfTheDefinition(mode: AudioCopy) throws {
        let file = try file()
        let form = try #require(AudioForm(codec: "aac"))
        var random = SplitMix64(seed: 8)
        var planned = 0
        for _ in 0..<150 {
            // Mostly neighbors that meet or overlap a little, and some sounds anywhere among them.
            var (sounds, starts, time): ([PlacedSound], [Int?], Int) = ([], [], 0)
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let isNext = Int.random(in: 0..<5, using: &random) > 0
                let start = isNext ? time : Int.random(in: 0...time + 1000, using: &random)
                let length = Int.random(in: 1...4000, using: &random)
                let span = { TimeSpan(start: Rational($0, 1000), duration: Rational($1, 1000)) }
                var sound = PlacedSound(info: file, origin: .zero, span: span(start, length))
                if Bool.random(using: &random) { sound.fadeIn = span(start, length / 4) }
                if Int.random(in: 0..<9, using: &random) == 0 { sound.gain = 2 }
                sounds.append(sound)
                let offset = Int.random(in: -30000...0, using: &random)
                starts.append(
                    Int.random(in: 0..<7, using: &random) == 0 ? nil : samples(sound.span).lowerBound + offset)
                time = max(time, start + length - [0, 0, 300][Int.random(in: 0..<3, using: &random)])
            }
            let total = max(1, time) * 48
            let steady = Int.random(in: 0...total / 8, using: &random)..<total
            let runs = try sounds.indices.map { index in
                let count = try #require(sounds[index].info.audio?.coded?.count)
                return starts[index].map { [AudioPlan.Run(count: count, start: $0)] } ?? []
            }
            let plan = AudioPlan(
                sounds, runs: runs, AudioSeams(form: form, padding: Self.step), rate: Self.rate, total: total,
                steady: steady, mode, natural: 0, isFree: true)
            let best = best(sounds, starts, total, steady, mode)
            let copied = plan?.stretches.compactMap { stretch -> Copy? in
                guard case .copied(let sound, let packets, let first) = stretch else { return nil }
                return Copy(sound: sound, packets: packets, first: first)
            }
            #expect(copied == best?.copies && plan?.grid == best?.grid)
            if plan != nil { planned += 1 }
        }
        #expect(planned > 50, "most of the cases copy something")
    }
}
