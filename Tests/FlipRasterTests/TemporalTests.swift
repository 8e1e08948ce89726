import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// A slow transition between two stills must move without flicker.
@Suite struct TemporalTests {
    private static let steps = 300
    private static let format = PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2)

    /// The mean absolute difference over all luma and chroma samples.
    private func difference(_ left: TestPicture, _ right: TestPicture) -> Double {
        var (sum, count) = (0, 0)
        for plane in left.planes.indices {
            for (a, b) in zip(left.planes[plane], right.planes[plane]) { sum += abs(Int(a) - Int(b)) }
            count += left.planes[plane].count
        }
        return Double(sum) / Double(count)
    }

    /// The differences between consecutive frames at equal steps of progress. No easing is applied, so that only the
    /// geometry moves.
    private func changes(_ look: StyledLook, _ pattern: Pattern) throws -> [Double] {
        let (width, height) = (160, 90)
        let from = pattern.picture(Self.format, width: width, height: height, seed: 11)
        let to = pattern.picture(Self.format, width: width, height: height, seed: 12)
        let renderer = TransitionRenderer(
            format: Self.format, width: width, height: height, background: .black, threads: 1)
        var before = from
        return try (1...Self.steps).map { step in
            let frame = try renderer.drawn(look, progress: Double(step) / Double(Self.steps), from: from, to: to)
            defer { before = frame }
            return difference(frame, before)
        }
    }

    /// No frame changes by more than three times the median change around it, even across p = 1/2.
    ///
    /// A page on its edge is thin, so around p = 1/2 samples change slowly.
    @Test(arguments: Places.some(Styles.all.map(\.name), every: 4)) func hasNoSpikes(style: String) throws {
        for (orientation, pattern) in [(Orientation.horizontal, Pattern.slide), (.vertical, .natural)] {
            let look = try StyledLook.named(style) { $0.orientation = orientation }
            let changes = try changes(look, pattern)
            for (index, change) in changes.enumerated() {
                let window = changes[max(0, index - 7)...min(changes.count - 1, index + 7)].sorted()
                let median = window[window.count / 2]
                #expect(
                    change <= 3 * median + 0.02,
                    "\(style) \(orientation) \(pattern) step \(index + 1): \(change), median \(median)")
            }
        }
    }

    /// The frames converge to both pictures, without a jump at the ends.
    @Test(arguments: Styles.all.map(\.name)) func approachesBothPictures(style: String) throws {
        let from = Pattern.natural.picture(Self.format, width: 96, height: 54, seed: 21)
        let to = Pattern.natural.picture(Self.format, width: 96, height: 54, seed: 22)
        let look = try StyledLook.named(style) { if $0.shadow == .crease { $0.shadow = .none } }
        var last = (first: Double.infinity, second: Double.infinity)
        for progress in [1e-2, 1e-3, 1e-4, 1e-6] {
            let first = difference(try drawn(look, progress: progress, from: from, to: to), from)
            let second = difference(try drawn(look, progress: 1 - progress, from: from, to: to), to)
            #expect(first <= last.first + 0.01 && second <= last.second + 0.01, "\(style) p=\(progress)")
            last = (first, second)
        }
        #expect(last.first <= 0.05 && last.second <= 0.05, "\(style): \(last)")
    }
}
