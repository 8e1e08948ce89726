import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Frames that are exposed for some time (EFFECTS 2.1), judged by the mean of many moments, none of which is exposed.
@Suite struct ShutterTests {
    /// A frame of a transition between random pictures.
    struct Example: CustomStringConvertible {
        var look: StyledLook
        var background: Color
        var format: PictureFormat
        var width: Int
        var height: Int
        var index: Int
        var count: Int
        var from: TestPicture
        var to: TestPicture

        init(_ style: any TransitionStyle, seed: UInt64, _ pattern: Pattern? = nil) throws {
            var random = SplitMix64(seed: seed ^ 0x5407)
            let example = RandomCase(style: style, seed: seed)
            var look = example.look
            look.shutter = Double(try #require(Double(RandomCase.randomValue(of: .shutter, style: style, &random))))
            self.look = try StyledLook(style: style, look: look)
            background = example.background
            format = PictureFormat(
                components: .yuv, depth: random.oneIn(2) ? 8 : 10, chromaStepX: 2, chromaStepY: random.oneIn(2) ? 2 : 1)
            (width, height) = (random.integer(in: 40...200), random.integer(in: 30...120))
            count = random.integer(in: 1...30)
            index = random.integer(in: 0...count - 1)
            let pattern = pattern ?? random.pick([.smooth, .slide, .natural])
            from = pattern.picture(format, width: width, height: height, seed: seed &* 2)
            to = pattern.picture(format, width: width, height: height, seed: seed &* 2 &+ 1)
        }

        var time: Double { Double(index + 1) / Double(count + 1) }

        /// When the frame is exposed, by the definition.
        var times: (first: Double, last: Double) {
            let half = look.look.shutter / 720 / Double(count + 1)
            return (max(time - half, 0), min(time + half, 1))
        }

        func renderer(threads: Int = 1) -> TransitionRenderer {
            TransitionRenderer(format: format, width: width, height: height, background: background, threads: threads)
        }

        func frame(threads: Int = 1) throws -> TestPicture {
            try renderer(threads: threads).drawn(look, at: time, of: count, from: from, to: to)
        }

        /// The mean of `moments` frames without a shutter.
        func mean(of moments: Int = 64) throws -> TestPicture {
            let renderer = renderer()
            var sums = from.planes.map { $0.map { _ in 0 } }
            for moment in 0..<moments {
                let part = (Double(moment) + 0.5) / Double(moments)
                let progress = look.look.easing(times.first + part * (times.last - times.first))
                let still = try renderer.drawn(look, progress: min(max(progress, 0), 1), from: from, to: to)
                for plane in sums.indices {
                    for sample in sums[plane].indices { sums[plane][sample] += Int(still.planes[plane][sample]) }
                }
            }
            var mean = from
            for plane in sums.indices {
                mean.planes[plane] = sums[plane].map { UInt16(($0 + moments / 2) / moments) }
            }
            return mean
        }

        var description: String {
            "\(look) frame \(index) of \(count), \(width)x\(height) \(format.depth) bit 1/\(format.chromaStepY)"
        }
    }

    @Test(arguments: Places.some(Styles.all.map(\.name), every: 16)) func showsTheMeanOfMoments(style: String) throws {
        let place = UInt64(try #require(Styles.all.firstIndex { $0.name == style }))
        var values: [Double] = []
        for seed in Places.some(Array(0..<UInt64(120)), every: 9) {
            let example = try Example(Styles.named(style), seed: 70_000 + 500 * place + seed)
            let difference = PictureDifference(try example.frame(), try example.mean())
            values.append(difference.psnr)
            #expect(difference.psnr >= 44, "\(example): \(difference)")
        }
        Closeness.expectMedian(values, atLeast: 50)
    }

    /// With shutter 0, frames are those of the moments.
    @Test(arguments: Styles.all.map(\.name)) func withoutShutterFramesAreMoments(style: String) throws {
        for seed in 0..<UInt64(6) {
            var example = try Example(Styles.named(style), seed: 81_000 + seed)
            var look = example.look.look
            look.shutter = 0
            example.look = try StyledLook(style: example.look.style, look: look)
            let moment = try example.renderer().drawn(
                example.look, progress: look.easing(example.time), from: example.from, to: example.to)
            #expect(try example.frame() == moment, "\(example)")
        }
    }

    /// Frames are the same for one thread and for two, and don't depend on what the renderer drew before.
    @Test(arguments: Places.some(Styles.all.map(\.name), every: 4))
    func threadsAndHistoryDontMatter(style: String) throws {
        for seed in 0..<UInt64(6) {
            let example = try Example(Styles.named(style), seed: 82_000 + seed)
            let frame = try example.frame()
            #expect(try example.frame(threads: 2) == frame, "\(example)")
            let renderer = example.renderer()
            for time in [0.1, 0.5, 0.97] {
                _ = try renderer.drawn(example.look, at: time, of: example.count, from: example.to, to: example.from)
            }
            let later = try renderer.drawn(
                example.look, at: example.time, of: example.count, from: example.from, to: example.to)
            #expect(later == frame, "\(example)")
            _ = try renderer.drawn(example.look, progress: 0.4, from: example.from, to: example.to)
        }
    }

    /// Moments between exposed frames are whole frames: nothing of a frame that was drawn in parts remains.
    @Test(arguments: Styles.all.map(\.name)) func momentsFollowExposedFrames(style: String) throws {
        let example = try Example(Styles.named(style), seed: 83_000)
        let moment = try example.renderer().drawn(example.look, progress: 0.4, from: example.from, to: example.to)
        let renderer = example.renderer()
        _ = try renderer.drawn(example.look, at: 0.3, of: 2, from: example.from, to: example.to)
        #expect(try renderer.drawn(example.look, progress: 0.4, from: example.from, to: example.to) == moment)
    }

    /// Where the progress stands still, so does the frame, to the last bit; and a mean of two moments is half of each.
    @Test(arguments: Styles.all.map(\.name)) func standsStillWithTheProgress(style: String) throws {
        for progress in [0, 0.3, 0.62, 1] {
            let example = try Example(Styles.named(style), seed: 84_000, .noise)
            let moment = try example.renderer().drawn(
                example.look, progress: progress, from: example.from, to: example.to)
            let frame = try example.renderer().drawn(
                example.look, at: 0.5, of: 1, from: example.from, to: example.to, progress: { _ in progress })
            #expect(frame == moment, "\(example)")
        }
    }

    /// What the page of a flip doesn't reach is the picture's own, to the last bit: left of the spine at first, and right of
    /// it at last.
    @Test(arguments: [8, 10, 16]) func restingPartsAreThePictures(depth: Int) throws {
        let format = PictureFormat(components: .yuv, depth: depth, chromaStepX: 2, chromaStepY: 2)
        let from = Pattern.noise.picture(format, width: 120, height: 50, seed: 1)
        let to = Pattern.noise.picture(format, width: 120, height: 50, seed: 2)
        let look = try StyledLook.named("flip") { ($0.shutter, $0.shadow) = (360, .none) }
        let renderer = TransitionRenderer(format: format, width: 120, height: 50, background: .black, threads: 1)
        for (time, picture, columns) in [
            (0.2, from, 0..<58), (0.45, from, 0..<58), (0.55, to, 62..<120), (0.9, to, 62..<120),
        ] {
            let frame = try renderer.drawn(look, at: time, of: 12, from: from, to: to)
            for row in 0..<50 {
                for column in columns {
                    #expect(frame.planes[0][row * 120 + column] == picture.planes[0][row * 120 + column])
                }
            }
        }
    }

    /// An exposure doesn't reach beyond the transition: the first frame's is cut off at its beginning, the last one's at its
    /// end. With one frame and 360 degrees, it takes half of the time.
    @Test func exposuresEndWithTheTransition() throws {
        #expect(TransitionTime.exposure(at: 0.5, spacing: 0.5, shutter: 360) == 0.25...0.75)
        #expect(TransitionTime.exposure(at: 0.5, spacing: 0.1, shutter: 180) == 0.475...0.525)
        #expect(TransitionTime.exposure(at: 0, spacing: 0.1, shutter: 360) == 0...0.05)
        #expect(TransitionTime.exposure(at: 1, spacing: 0.1, shutter: 360) == 0.95...1)
        #expect(TransitionTime.exposure(at: 0.5, spacing: 0.1, shutter: 0) == nil)
        let format = PictureFormat(components: .gray)
        let from = Pattern.noise.picture(format, width: 60, height: 20, seed: 1)
        let to = Pattern.noise.picture(format, width: 60, height: 20, seed: 2)
        let renderer = TransitionRenderer(format: format, width: 60, height: 20, background: .black, threads: 1)
        // A dissolve from 0 to 0.2 shows a tenth of B.
        let look = try StyledLook.named("dissolve") { $0.shutter = 360 }
        let frame = try renderer.drawn(look, at: 0, of: 1, from: from, to: to, progress: { min($0, 0.4) * 0.8 })
        for (index, sample) in frame.planes[0].enumerated() {
            let mean = 0.9 * Double(from.planes[0][index]) + 0.1 * Double(to.planes[0][index])
            #expect(abs(Double(sample) - mean) <= 1)
        }
    }

    /// Where something is transparent, colors are weighted with alpha: a red page that moves over nothing stays red where it is
    /// half seen.
    @Test(arguments: ["rgba", "gbrap16le", "yuva444p"]) func transparentEdgesKeepTheirColor(name: String) throws {
        let layout = try #require(PixelLayout(named: name))
        let (width, height) = (90, 40)
        let renderer = TransitionRenderer(
            layout: layout, width: width, height: height, background: .transparent, threads: 1)
        let bytes = layout.memory.indices.map { layout.rowBytes($0, width: width) * height }
        let format = layout.format
        // One color everywhere, so that the mean has it, too, wherever it is seen.
        let color = [100, 30, 200, format.peak]
        let lent = (0..<3).map { _ in bytes.map { UnsafeMutableRawPointer.allocate(byteCount: $0, alignment: 16) } }
        defer { for planes in lent { planes.forEach { $0.deallocate() } } }
        for planes in lent {
            for (plane, turns) in layout.memory.enumerated() {
                for place in 0..<width * height * turns.count {
                    let value = color[turns[place % turns.count] ?? 0]
                    if format.bytesPerSample == 1 {
                        planes[plane].storeBytes(of: UInt8(value), toByteOffset: place, as: UInt8.self)
                    } else {
                        planes[plane].storeBytes(of: UInt16(value), toByteOffset: 2 * place, as: UInt16.self)
                    }
                }
            }
        }
        let views = lent.map { planes in
            func view(_ index: Int) -> PlaneView? {
                planes.count > index
                    ? PlaneView(base: planes[index], stride: bytes[index] / height, width: width, height: height) : nil
            }
            return PictureView(view(0)!, view(1), view(2), view(3))
        }
        let look = try StyledLook.named("card") { ($0.shutter, $0.shadow, $0.pullBack) = (360, .none, 0.5) }
        renderer.render(look, at: 0.4, spacing: 0.2, progress: { $0 }, from: views[0], to: views[1], into: views[2])
        var partial = 0
        for place in 0..<width * height {
            func sample(_ index: Int) -> Int {
                let plane = layout.memory.firstIndex { $0.contains(index) } ?? 0
                let turns = layout.memory[plane]
                let offset = place * turns.count + (turns.firstIndex(of: index) ?? 0)
                return format.bytesPerSample == 1
                    ? Int(lent[2][plane].load(fromByteOffset: offset, as: UInt8.self))
                    : Int(lent[2][plane].load(fromByteOffset: 2 * offset, as: UInt16.self))
            }
            let alpha = sample(3)
            if alpha > format.peak / 8 && alpha < format.peak { partial += 1 }
            if alpha > format.peak / 8 {
                for index in 0..<3 { #expect(abs(sample(index) - color[index]) <= 8, "\(place)") }
            }
        }
        #expect(partial > 100)
    }
}
