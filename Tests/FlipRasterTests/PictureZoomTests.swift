import FlipRaster
import TestSupport
import Testing

/// Parts of a picture that fill a frame (EFFECTS 12), against weighted means that are computed sample by sample.
@Suite struct PictureZoomTests {
    private static let sizes = [(64, 48, 64, 48), (77, 53, 64, 48), (97, 61, 61, 37), (130, 90, 33, 21), (9, 7, 8, 6)]

    private func drawn(
        _ picture: TestPicture, _ part: PictureZoom.Part, _ size: (width: Int, height: Int),
        _ level: KernelLevel = .best
    ) throws -> TestPicture {
        var frame = TestPicture(format: picture.format, width: size.width, height: size.height)
        let zoom = PictureZoom(picture.format, picture: (picture.width, picture.height), frame: size, level: level)
        try picture.withView { source in try frame.withMutableView { zoom.draw(part, of: source, into: $0) } }
        return frame
    }

    /// The place of chroma along an axis, in luma pixels from where it would be if it were in the middle of the pixels that it
    /// stands for (ITU-T H.264 figure E-1).
    private func shift(_ format: PictureFormat, isHorizontal: Bool) -> Double {
        let step = isHorizontal ? format.chromaStepX : format.chromaStepY
        let ahead: Bool? =
            switch format.chromaLocation {
            case .left: isHorizontal ? true : nil
            case .topLeft: true
            case .top: isHorizontal ? nil : true
            case .bottomLeft: isHorizontal
            case .bottom: isHorizontal ? nil : false
            case .center: nil
            }
        let most = Double(step - 1) / 2
        return ahead.map { $0 ? -most : most } ?? 0
    }

    /// The picture's samples along an axis that are seen in sample `index` of the frame, with their weights.
    private func seen(
        _ index: Int, of length: Int, from start: Double, scale: Double, shift: Double, step: Int
    ) -> [(sample: Int, weight: Double)] {
        // From luma pixels of the frame to those of the picture, and then to samples of the picture, whose middles are at 0, 1
        // and so on.
        let onScreen = (Double(index) + 0.5) * Double(step) + shift
        let middle = (start + scale * onScreen - shift) / Double(step) - 0.5
        var weights: [(sample: Int, weight: Double)] = []
        for sample in Int(middle - scale) - 2...Int(middle + scale) + 2 {
            let weight = max(0, 1 - abs(Double(sample) - middle) / scale)
            weights.append((min(max(sample, 0), length - 1), weight))
        }
        let sum = weights.reduce(0) { $0 + $1.weight }
        return weights.map { ($0.sample, $0.weight / sum) }
    }

    /// The largest difference between `frame` and the exact means.
    private func error(_ frame: TestPicture, _ picture: TestPicture, _ part: PictureZoom.Part) -> Double {
        let format = picture.format
        var largest = 0.0
        for plane in 0..<format.planeCount {
            let isChroma = format.isChroma(plane: plane)
            let (source, target) = (picture.planeSize(plane), frame.planeSize(plane))
            let columns = (0..<target.width).map { index in
                seen(
                    index, of: source.width, from: part.x * Double(picture.width),
                    scale: part.width * Double(picture.width) / Double(frame.width),
                    shift: isChroma ? shift(format, isHorizontal: true) : 0, step: isChroma ? format.chromaStepX : 1)
            }
            for y in 0..<target.height {
                let rows = seen(
                    y, of: source.height, from: part.y * Double(picture.height),
                    scale: part.height * Double(picture.height) / Double(frame.height),
                    shift: isChroma ? shift(format, isHorizontal: false) : 0, step: isChroma ? format.chromaStepY : 1)
                for x in 0..<target.width {
                    var mean = 0.0
                    for row in rows {
                        for column in columns[x] {
                            mean +=
                                row.weight * column.weight
                                * Double(picture[plane: plane, x: column.sample, y: row.sample])
                        }
                    }
                    largest = max(largest, abs(mean - Double(frame[plane: plane, x: x, y: y])))
                }
            }
        }
        return largest
    }

    /// Every sample is the weighted mean, rounded.
    @Test func samplesAreMeansOfWhatIsSeen() throws {
        var random = SplitMix64(seed: 0x200b)
        for format in PictureFormat.testFormats where !format.hasAlpha {
            for (width, height, frameWidth, frameHeight) in Self.sizes {
                let picture = Pattern.noise.picture(format, width: width, height: height, seed: random.next())
                // A part with as many pixels as the frame or more, and the whole.
                let least = (Double(frameWidth) / Double(width), Double(frameHeight) / Double(height))
                let share = random.number(in: 0...1)
                let size = (least.0 + (1 - least.0) * share, least.1 + (1 - least.1) * share)
                let part = PictureZoom.Part(
                    x: (1 - size.0) * random.number(in: 0...1), y: (1 - size.1) * random.number(in: 0...1),
                    width: size.0, height: size.1)
                for part in [part, PictureZoom.Part(x: 0, y: 0, width: 1, height: 1)] {
                    let frame = try drawn(picture, part, (frameWidth, frameHeight))
                    // Averages of rows and of columns are rounded to 15 bits, those of 16 bits included, and weights to 14:
                    // each of the two sums is off by half of its last place and by 1/2^14 of the peak at most.
                    let peak = Double(1 << format.depth)
                    let bound = (format.depth == 16 ? 2 : 0.5) + 2 * (peak / Double(1 << 16) + peak / Double(1 << 14))
                    let error = error(frame, picture, part)
                    for level in KernelLevel.available {
                        #expect(try drawn(picture, part, (frameWidth, frameHeight), level) == frame, "\(level)")
                    }
                    #expect(
                        error <= bound,
                        "off by \(error): \(format) \(width)x\(height) to \(frameWidth)x\(frameHeight) \(part)")
                }
            }
        }
    }

    /// A part of the frame's own size on whole pixels is copied, bit for bit.
    @Test func wholePixelsAreCopied() throws {
        for format in PictureFormat.testFormats where !format.hasAlpha {
            let picture = Pattern.noise.picture(format, width: 96, height: 64, seed: 7)
            let part = PictureZoom.Part(x: 8 / 96, y: 4 / 64, width: 64 / 96, height: 48 / 64)
            let frame = try drawn(picture, part, (64, 48))
            for plane in 0..<format.planeCount {
                let isChroma = format.isChroma(plane: plane)
                let (left, top) = (8 / (isChroma ? format.chromaStepX : 1), 4 / (isChroma ? format.chromaStepY : 1))
                let size = frame.planeSize(plane)
                for y in 0..<size.height {
                    for x in 0..<size.width {
                        let (found, original) = (
                            frame[plane: plane, x: x, y: y], picture[plane: plane, x: x + left, y: y + top]
                        )
                        // Averages have 15 bits, so of 16 bits the last one may be another.
                        #expect(format.depth == 16 ? found / 2 == original / 2 : found == original)
                    }
                }
            }
        }
    }

    /// A line one pixel wide moves evenly, however much the picture is reduced: the center of its light is where the geometry
    /// puts it.
    @Test(arguments: [480, 600, 800, 1600]) func aLineMovesWithoutJitter(width: Int) throws {
        let format = PictureFormat(components: .gray, depth: 12, isFullRange: true)
        var picture = TestPicture(format: format, width: width, height: width / 40)
        for y in 0..<width / 40 { picture[plane: 0, x: width * 2 / 5, y: y] = 4095 }
        for step in 0..<200 {
            let size = 1 - Double(step) / 199 * (1 - 400 / Double(width))
            // The line moves from 0.4 of the frame's width to 0.41, and to 0.55 for the largest picture.
            let part = PictureZoom.Part(x: 0.35 * (1 - size), y: 0.3 * (1 - size), width: size, height: size)
            let frame = try drawn(picture, part, (400, 10))
            var (sum, moment) = (0.0, 0.0)
            for x in 0..<400 {
                sum += Double(frame[plane: 0, x: x, y: 5])
                moment += Double(frame[plane: 0, x: x, y: 5]) * (Double(x) + 0.5)
            }
            let expected = ((Double(width * 2 / 5) + 0.5) / Double(width) - part.x) / part.width * 400
            #expect(abs(moment / sum - expected) < 0.05, "step \(step): \(moment / sum) instead of \(expected)")
        }
    }
}
