/// The values of one side of the curl table in the order in which the samples of a row meet them: value k of a phase
/// belongs to the distance that is k samples from the first one. So a row reads consecutive values, with one fraction
/// by which it interpolates between two phases.
package final class CurlLines {
    /// The values that are kept.
    enum Value: Int, CaseIterable { case scale, shift, keep, shadow, gloss }

    /// The values of a row from one of its samples on. Those of the phases before it, of its own, and after it are
    /// `stride` apart.
    package struct Row {
        let values: UnsafePointer<Float>
        let stride: Int
        let part: Float
        let bend: Float

        package init(_ values: UnsafePointer<Float>, stride: Int, part: Float) {
            (self.values, self.stride, self.part) = (values, stride, part)
            bend = part * (part - 1) / 4
        }

        /// The value of sample `index`, on the straight line between two phases.
        @inline(__always)
        package subscript(index: Int) -> Float {
            let (low, high) = (values[index], values[stride &+ index])
            return low + (high - low) * part
        }

        /// The value of sample `index`, on the parabola that fits four phases best (Bessel's formula).
        @inline(__always)
        package func smooth(_ index: Int) -> Float {
            let (low, high) = (values[index], values[stride &+ index])
            let (before, after) = (values[index &- stride], values[2 &* stride &+ index])
            return low + (high - low) * part + ((before - low) + (after - high)) * bend
        }
    }

    /// Phases per luma pixel. A parabola is off by at most a 125th of the third derivative times the cube of the distance
    /// between phases: the shift by about a hundred-thousandth of a pixel, as much as a Float is. So a frame has the same
    /// windows as its transposed frame, whose phases are at other distances.
    private static let resolution = 8.0
    /// The least distance from one sample to the next that lines are made for. Rows along which the distance changes
    /// less are put together sample by sample.
    private static let leastSlope = 1.0 / 64

    private let buffer = Scratch<Float>()
    /// The distance of value 0 of phase 0, and the distance from one value to the next.
    private var first = 0.0
    private var slope = 1.0
    private var phases = 1
    /// The values per phase, and the values per kind of value.
    private var stride = 0
    private var size = 0

    /// Whether each value follows the one before by the slope of the row.
    var isDirect: Bool { abs(slope) > CurlLines.leastSlope }

    /// Takes the values of `side` at the distances `low...high` for rows along which the distance from the contact line
    /// changes by `slope` from sample to sample.
    func fill(_ table: CurlTable, _ side: CurlTable.Side, slope rowSlope: Double, _ low: Double, _ high: Double) {
        slope = abs(rowSlope) > CurlLines.leastSlope ? rowSlope : CurlLines.leastSlope
        phases = max(Int((abs(slope) * CurlLines.resolution).rounded(.up)), 1)
        first = slope > 0 ? low : high
        stride = Int((high - low) / abs(slope)) + 3
        size = stride * (phases + 3)
        let values = buffer.reserve(size * Value.allCases.count + 8)
        // The phases before the first one and after the last belong to the sample before or after.
        for phase in -1...(phases + 1) {
            for index in 0..<stride {
                let entry = table.cubic(side, first + slope * (Double(index) + Double(phase) / Double(phases)))
                let place = values + ((phase + 1) * stride + index)
                place[0] = entry[0]
                place[size] = entry[1]
                place[2 * size] = entry[2]
                place[3 * size] = entry[3]
                place[4 * size] = entry[4]
            }
        }
    }

    /// Where the values of a row begin whose first sample is at distance `d`.
    struct Place {
        fileprivate let offset: Int
        fileprivate let stride: Int
        fileprivate let size: Int
        fileprivate let part: Float
    }

    @inline(__always)
    func place(_ d: Double) -> Place {
        let position = max((d - first) / slope, 0)
        let index = min(Int(position), stride - 1)
        let phase = (position - Double(index)) * Double(phases)
        let number = min(Int(phase), phases - 1)
        return Place(
            offset: (number + 1) * stride + index, stride: stride, size: size, part: Float(phase - Double(number)))
    }

    /// A row's values from `place` on.
    @inline(__always)
    func row(_ value: Value, _ place: Place) -> Row {
        let start = UnsafePointer(buffer.start) + (value.rawValue * place.size + place.offset)
        return Row(start, stride: place.stride, part: place.part)
    }
}
