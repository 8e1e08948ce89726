import FlipGeometry
import RealModule

/// The planes of one layout in a frame with a bent sheet: their samples' grids, and the tables by which they are drawn.
final class BentLayout {
    let planes: Range<Int>
    let columns: Grid
    let rows: Grid

    /// The averages over the flat back, and, if the camera has stepped back, over what lies flat on the screen.
    private(set) var flatBack: FootprintTable
    private(set) var flat: FootprintTable
    let footprints: FootprintCache
    let back = Levels()
    let front = Levels()

    /// The distribution of a footprint's distances from the contact line, in luma pixels of the scene.
    private(set) var profile = FootprintProfile(1, 1)
    /// Half of their range.
    var reach: Double { profile.reach }
    /// Whether shadows change so much within a sample that rays have to draw what they fall on.
    private(set) var hasNarrowShadows = false
    /// Whether they change so much that they have to be averaged over several points of a sample.
    private(set) var hasFineShadows = false
    /// The distances from the contact line, on the scene's screen, at which the kind of drawing changes: below the
    /// first, footprints lie on flat parts of the sheet; up to the second, small windows average what is seen of the
    /// cylinder, and up to the third, large ones. Up to the fourth, footprints see the cylinder's rim.
    private(set) var limits = SIMD4<Double>()

    /// The curl table's values along rows.
    let backLines = CurlLines()
    let frontLines = CurlLines()
    /// What is seen of the back at the rim.
    let slices = RimSlices()
    /// Where page points lie on the pictures of the two sides.
    private(set) var backSide: Side
    private(set) var frontSide: Side
    /// The parts of the texture and of the paper on the back, without light.
    private(set) var onBack: (keep: Float, paper: Float) = (1, 0)
    /// The scene points of the middles of all columns and rows, relative to the viewpoint.
    let fromView = Scratch<Float>()
    let rowsFromView = Scratch<Float>()

    /// The footprint tables for one side of the sheet near the cylinder, by levels of stretch.
    final class Levels {
        /// For each entry of the curl table: the number of its level.
        fileprivate let numbers = Scratch<Int32>()
        fileprivate(set) var tables: [FootprintTable] = []
        /// For each level: the distance from the contact line up to which it is used, where its weights begin, and half
        /// the size of the box around the footprint on the page, in luma pixels.
        let ends = Scratch<Double>()
        let places = Scratch<Int32>()
        let halfExtents = Scratch<SIMD2<Float>>()
        /// The numbers of entries that have small windows, and that have any.
        fileprivate(set) var small = 0
        fileprivate(set) var drawn = 0

        var count: Int { tables.count }
    }

    /// Where page points lie on the picture of one side of the sheet, in samples.
    struct Side {
        fileprivate var scale = SIMD2<Float>(1, 1)
        fileprivate var origin = SIMD2<Double>()

        /// Where the windows around page points begin: at page point * scale + offset.
        func windows(_ taps: Int) -> Windows {
            let offset = SIMD2<Float>(origin - Double(taps - 1) / 2)
            return Windows(scaleX: scale.x, scaleY: scale.y, x: offset.x, y: offset.y)
        }
    }

    /// The windows around page points begin at page point * scale + (x, y).
    struct Windows {
        let scaleX: Float
        let scaleY: Float
        let x: Float
        let y: Float
    }

    init(planes: Range<Int>, columns: Grid, rows: Grid, footprints: FootprintCache) {
        (self.footprints, self.planes, self.columns, self.rows) = (footprints, planes, columns, rows)
        flat = FootprintTable(.init(first: SIMD2(1, 0), second: SIMD2(0, 1)), phaseBits: 5, start: 0)
        flatBack = flat
        (backSide, frontSide) = (Side(), Side())
    }

    /// The distance from the contact line of entry `number` of `table`.
    func end(_ table: CurlTable, of number: Int) -> Double { table.start + Double(number) / CurlTable.resolution }

    /// The bits of the phases: more where the footprint is small, and so what is seen sharp.
    static let flatBits = 5
    static func curvedBits(_ taps: Int) -> Int { taps == FootprintTable.smallWindow ? 4 : 3 }
    /// The ratio of the stretch from one level to the next. Half of it is the error of a footprint's length.
    static let levelRatio = 1.08
    /// The cylinder's radius in samples below which its curvature can't be neglected within a footprint anywhere.
    private static let leastRadius = 6.0

    /// The greatest stretch at which a footprint on the cylinder is taken for a parallelogram. Within a sample, the
    /// square term of the map moves its mean by at most stretch^3 pitch / radius / 24 = 1/20 sample.
    private func greatestStretch(_ radius: Double, pitch: Double) -> Double {
        min(Double.root(1.2 * radius / pitch, 3), 6)
    }

    /// Plans the frame that shows `scene`.
    func plan(_ scene: BentScene, _ table: CurlTable) {
        let (geometry, zoom) = (scene.geometry, scene.zoom)
        profile = FootprintProfile(zoom * geometry.normal.x * columns.pitch, zoom * geometry.normal.y * rows.pitch)
        let kappa = 1 - 2 * geometry.radius * geometry.nearness
        flat = footprints.table(shape(scene, scale: 1, slope: 1, isBack: false), phaseBits: BentLayout.flatBits)
        flatBack = footprints.table(
            shape(scene, scale: kappa, slope: -kappa, isBack: true), phaseBits: BentLayout.flatBits)
        let pitch = max(columns.pitch, rows.pitch) * zoom
        let isTabulated = geometry.radius >= BentLayout.leastRadius * pitch
        let most = isTabulated ? greatestStretch(geometry.radius, pitch: pitch) : 0
        for (side, levels) in [(table.back, back), (table.front, front)] {
            levels.tables.removeAll(keepingCapacity: true)
            let isBack = side === table.back
            plan(levels, side, table.count, from: table.start, most: most) { scale, slope in
                shape(scene, scale: scale, slope: slope, isBack: isBack)
            }
        }
        planSides(scene)
        let flatEnd = min(geometry.joint, 0) - reach
        hasNarrowShadows = geometry.light.castsShadows && geometry.radius < pitch
        hasFineShadows = geometry.light.castsShadows && geometry.radius < 4 * pitch
        // The rays' zone has all of a narrow shadow.
        let end = hasNarrowShadows ? max(geometry.rim, geometry.light.reach) : geometry.rim
        limits = SIMD4(
            flatEnd, max(self.end(table, of: back.small), flatEnd),
            max(self.end(table, of: back.drawn), flatEnd), end + reach)
        slices.fill(scene, self, upTo: geometry.rim - limits[2] + 2 * reach, isThin: limits[2] <= limits[0])
        let slope = geometry.normal.x * columns.pitch * zoom
        backLines.fill(table, table.back, slope: slope, table.start, max(limits[2], table.start + 1))
        frontLines.fill(table, table.front, slope: slope, table.start, max(limits[2], table.start + 1))
    }

    /// Plans where page points lie on the pictures, and the values along rows.
    private func planSides(_ scene: BentScene) {
        let pitch = SIMD2(columns.pitch, rows.pitch)
        let origin = SIMD2(columns.edge(0), rows.edge(0))
        frontSide = Side(scale: SIMD2<Float>(1 / pitch), origin: -origin / pitch)
        backSide = frontSide
        if case .picture(_, let spine) = scene.back {
            let axis = scene.isVertical ? 1 : 0
            backSide.origin[axis] += 2 * spine / pitch[axis]
            backSide.scale[axis] = -backSide.scale[axis]
        }
        let ray = scene.backRay(.zero)
        onBack = (Float(ray.light.keep), Float(ray.light.paper))
        let fromView = fromView.reserve(columns.count + 8)
        for column in 0..<columns.count {
            let x = columns.edge(column) + columns.pitch / 2
            fromView[column] = Float(scene.scenePoint(SIMD2(x, 0)).x - scene.geometry.viewpoint.x)
        }
        let rowsFromView = rowsFromView.reserve(rows.count)
        for row in 0..<rows.count {
            let y = rows.edge(row) + rows.pitch / 2
            rowsFromView[row] = Float(scene.scenePoint(SIMD2(0, y)).y - scene.geometry.viewpoint.y)
        }
    }

    /// The table for what rays at distance `d` see of a side near the cylinder; nil if there is none.
    func table(_ d: Double, _ table: CurlTable, isBack: Bool) -> FootprintTable? {
        let entry = Int((d - table.start) * CurlTable.resolution)
        let levels = isBack ? back : front
        guard entry >= 0, entry < levels.drawn else { return nil }
        return levels.tables[Int(levels.numbers.start[entry])]
    }

    /// The footprint of a sample on a side of the sheet where the map has this scale and, along the normal, this slope.
    private func shape(_ scene: BentScene, scale: Double, slope: Double, isBack: Bool) -> FootprintTable.Shape {
        let normal = scene.geometry.normal
        let pitch = SIMD2(columns.pitch, rows.pitch)
        func mapped(_ step: SIMD2<Double>) -> SIMD2<Double> {
            var result = scene.zoom * (step * scale + normal * ((slope - scale) * (normal * step).sum()))
            if isBack, case .picture = scene.back {
                if scene.isVertical { result.y = -result.y } else { result.x = -result.x }
            }
            return result / pitch
        }
        return FootprintTable.Shape(first: mapped(SIMD2(pitch.x, 0)), second: mapped(SIMD2(0, pitch.y)))
    }

    /// How much longer than broad a luma pixel is on the page, at an entry.
    private static func stretch(_ side: CurlTable.Side, _ entry: Int) -> Double {
        Double(abs(side.slopes.start[entry]) / side.entries.start[entry][0])
    }

    /// The stretch as a whole power of `levelRatio`.
    private static func level(_ side: CurlTable.Side, _ entry: Int) -> Int {
        Int((Double.log(max(stretch(side, entry), 1)) / Double.log(levelRatio)).rounded())
    }

    /// Groups the entries of a side by their stretch, and makes a table for each group.
    private func plan(
        _ levels: Levels, _ side: CurlTable.Side, _ count: Int, from start: Double, most: Double,
        shape: (_ scale: Double, _ slope: Double) -> FootprintTable.Shape
    ) {
        let (places, extents) = (levels.places.reserve(count), levels.halfExtents.reserve(count))
        let (numbers, ends) = (levels.numbers.reserve(count), levels.ends.reserve(count))
        levels.small = 0
        levels.drawn = 0
        var index = 0
        while index < count {
            let level = BentLayout.level(side, index)
            if BentLayout.stretch(side, index) > most { break }
            var end = index + 1
            while end < count, BentLayout.level(side, end) == level, BentLayout.stretch(side, end) <= most { end += 1 }
            // Scales and stretches of few kinds, so that the frames of a transition share their tables.
            let scale = (Double(side.entries.start[(index + end) / 2][0]) * 64).rounded() / 64
            let slope = scale * Double.pow(BentLayout.levelRatio, Double(level))
            let shape = FootprintCache.rounded(shape(scale, side.slopes.start[index] < 0 ? -slope : slope))
            guard let taps = shape.taps else { break }
            let table = footprints.table(shape, phaseBits: BentLayout.curvedBits(taps))
            let number = levels.count
            levels.tables.append(table)
            places[number] = Int32(table.start)
            extents[number] =
                SIMD2<Float>(table.shape.halfExtent * SIMD2(columns.pitch, rows.pitch)) * Float(BentLayout.levelRatio)
            ends[number] = start + Double(end) / CurlTable.resolution
            for entry in index..<end { numbers[entry] = Int32(number) }
            if taps == FootprintTable.smallWindow && levels.small == index { levels.small = end }
            levels.drawn = end
            index = end
        }
    }
}
