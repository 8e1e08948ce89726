/// How much of an output sample's footprint a sheet covers.
enum Coverage {
    /// The part of `footprint` that `page` covers, as a blend weight.
    static func weight(
        _ page: (lower: Double, upper: Double), _ footprint: (lower: Double, upper: Double)
    ) -> UInt16 {
        Wide.weight(overlap(page, footprint) / (footprint.upper - footprint.lower))
    }

    /// The weight with which `page` must be blended over what lies behind it if `front` is blended over both
    /// afterwards: the part that `page` covers of what `front` leaves free of the footprint.
    static func weight(
        _ page: (lower: Double, upper: Double), behind front: (lower: Double, upper: Double),
        _ footprint: (lower: Double, upper: Double)
    ) -> UInt16 {
        let free = footprint.upper - footprint.lower - overlap(front, footprint)
        if free <= 0 { return Wide.one }
        let common = (lower: max(page.lower, front.lower), upper: min(page.upper, front.upper))
        return Wide.weight((overlap(page, footprint) - overlap(common, footprint)) / free)
    }

    /// The length of the intersection of two intervals.
    private static func overlap(
        _ left: (lower: Double, upper: Double), _ right: (lower: Double, upper: Double)
    ) -> Double { max(min(left.upper, right.upper) - max(left.lower, right.lower), 0) }
}
