import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// The number of threads must not change a frame.
@Suite struct ThreadTests {
    private static let formats = [
        PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2),
        PictureFormat(components: .yuv, depth: 10, chromaStepX: 2, chromaStepY: 1, chromaLocation: .center),
        PictureFormat(components: .gbr, depth: 16, isFullRange: true),
        PictureFormat(components: .gray, depth: 12),
    ]

    private static let sizes = [(131, 77), (64, 129), (255, 33), (1, 40)]
    private static let moments = [0.07, 0.49, 0.81]

    private func look(_ style: String, _ orientation: Orientation, _ direction: Direction) throws -> StyledLook {
        try StyledLook.named(style) {
            $0.orientation = orientation
            $0.direction = direction
            $0.viewpoint = Viewpoint(x: 0.3, y: 0.6)
        }
    }

    @Test(arguments: Places.some(Styles.all.map(\.name), every: 2)) func drawTheSameBytes(style: String) throws {
        for (format, size) in zip(Self.formats, Self.sizes) {
            let from = Pattern.noise.picture(format, width: size.0, height: size.1, seed: 1)
            let to = Pattern.noise.picture(format, width: size.0, height: size.1, seed: 2)
            for orientation in Orientation.allCases {
                for direction in Direction.allCases {
                    let look = try look(style, orientation, direction)
                    for progress in Self.moments {
                        let one = try drawn(look, progress: progress, from: from, to: to)
                        for threads in [2, 3, 5] {
                            let many = try drawn(look, progress: progress, from: from, to: to, threads: threads)
                            #expect(one == many, "\(look) \(format) \(size) p=\(progress), \(threads) threads")
                        }
                    }
                }
            }
        }
    }

    /// The frames above include some that have more than one job of every kind for threads to share.
    @Test(arguments: Styles.all.map(\.name)) func shareEveryKindOfJob(style: String) throws {
        for orientation in Orientation.allCases {
            var most: [String: Int] = [:]
            for (format, size) in zip(Self.formats, Self.sizes) {
                let plan = FramePlan(format: format, width: size.0, height: size.1)
                for direction in Direction.allCases {
                    for progress in Self.moments {
                        plan.plan(try look(style, orientation, direction), progress: progress)
                        let kinds = Dictionary(grouping: plan.jobs, by: Self.name)
                        most.merge(kinds.mapValues(\.count)) { max($0, $1) }
                    }
                }
            }
            let kinds =
                ["dissolve", "dip"].contains(style)
                ? ["cross-fade"]
                : style == "wipe"
                    ? ["ramp", "copy"]
                    : style == "curl"
                        ? ["bent"]
                        : orientation == .horizontal ? ["columns", "mixed columns"] : ["rows", "mixed rows"]
            for kind in kinds { #expect(most[kind, default: 0] > 1, "\(kind) of \(style)") }
        }
    }

    private static func name(_ job: Job) -> String {
        switch job.kind {
        case .flat: "flat"
        case .columns: "columns"
        case .bent: "bent"
        case .crossFade: "cross-fade"
        case .ramp: "ramp"
        case .copy: "copy"
        case .mixedColumns: "mixed columns"
        case .rows(let slices, let footprints): slices.count == footprints.count ? "rows" : "mixed rows"
        }
    }
}
