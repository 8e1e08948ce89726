/// How much of an output sample's footprint a sheet covers.
enum Coverage {
    /// The part of `footprint` that `page` covers, as a blend weight.
    static func weight(_ page: (lower: Double, upper: Double), _ footprint: (lower: Double, upper: Double)) -> UInt16 {
        Wide.weight(part(page, footprint))
    }

    /// The part of `footprint` that `page` covers, 0...1.
    static func part(_ page: (lower: Double, upper: Double), _ footprint: (lower: Double, upper: Double)) -> Double {
        min(overlap(page, footprint) / (footprint.upper - footprint.lower), 1)
    }

    /// The weight with which `page` must be blended over what lies behind it if `front` is blended over both
    /// afterwards: the part that `page` covers of what `front` leaves free of the footprint.
    static func weight(
        _ page: (lower: Double, upper: Double), behind front: (lower: Double, upper: Double),
        _ footprint: (lower: Double, upper: Double)
    ) -> UInt16 { Wide.weight(part(page, behind: front, footprint)) }

    /// The same, 0...1.
    static func part(
        _ page: (lower: Double, upper: Double), behind front: (lower: Double, upper: Double),
        _ footprint: (lower: Double, upper: Double)
    ) -> Double {
        let free = footprint.upper - footprint.lower - overlap(front, footprint)
        if free <= 0 { return 1 }
        let common = (lower: max(page.lower, front.lower), upper: min(page.upper, front.upper))
        return min(max((overlap(page, footprint) - overlap(common, footprint)) / free, 0), 1)
    }

    /// The length of the intersection of two intervals.
    private static func overlap(
        _ left: (lower: Double, upper: Double), _ right: (lower: Double, upper: Double)
    ) -> Double { max(min(left.upper, right.upper) - max(left.lower, right.lower), 0) }
}
