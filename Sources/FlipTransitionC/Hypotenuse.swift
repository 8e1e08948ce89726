// swift-numerics refers to libm's `hypot` and `hypotf`, which nothing here calls. They have a newer version since glibc
// 2.35, so the library would not load on systems with glibc 2.34. Therefore it has functions of its own, which it doesn't
// export.

/// The length of the hypotenuse, without overflow on the way.
@c(hypot) public func hypotenuse(_ x: Double, _ y: Double) -> Double { length(x, y) }

/// The length of the hypotenuse, without overflow on the way.
@c(hypotf) public func hypotenuse(_ x: Float, _ y: Float) -> Float { length(x, y) }

private func length<Number: FloatingPoint>(_ x: Number, _ y: Number) -> Number {
    if x.isInfinite || y.isInfinite { return .infinity }
    if x.isNaN || y.isNaN { return .nan }
    let (less, greater) = (Number.minimum(x.magnitude, y.magnitude), Number.maximum(x.magnitude, y.magnitude))
    guard greater > 0 else { return 0 }
    let ratio = less / greater
    return greater * (1 + ratio * ratio).squareRoot()
}
