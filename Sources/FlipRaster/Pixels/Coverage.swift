/// The part of an output sample's footprint that a panel covers.
enum Coverage {
    /// The part of the footprint `lower...upper` that `page` covers, as a weight.
    static func weight(
        _ page: (lower: Double, upper: Double), _ footprint: (lower: Double, upper: Double)
    ) -> UInt16 {
        Wide.weight(overlap(page, footprint) / (footprint.upper - footprint.lower))
    }

    /// The weight with which `page` has to be blended over what lies behind it, where `front` is blended over both
    /// afterwards: what `front` leaves free is shared between `page` and what lies behind as their own parts of it are.
    static func weight(
        _ page: (lower: Double, upper: Double), behind front: (lower: Double, upper: Double),
        _ footprint: (lower: Double, upper: Double)
    ) -> UInt16 {
        let free = footprint.upper - footprint.lower - overlap(front, footprint)
        if free <= 0 { return Wide.one }
        let common = (lower: max(page.lower, front.lower), upper: min(page.upper, front.upper))
        return Wide.weight((overlap(page, footprint) - overlap(common, footprint)) / free)
    }

    /// The length of what two intervals have in common.
    private static func overlap(
        _ left: (lower: Double, upper: Double), _ right: (lower: Double, upper: Double)
    ) -> Double { max(min(left.upper, right.upper) - max(left.lower, right.lower), 0) }
}
