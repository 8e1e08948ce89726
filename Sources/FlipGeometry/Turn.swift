import RealModule

/// The cosine and sine of an angle, exact at multiples of 90 degrees so that flat pages lie exactly flat.
struct Turn {
    let cosine: Double
    let sine: Double

    init(degrees: Double) {
        switch degrees {
        case 0: (cosine, sine) = (1, 0)
        case 90: (cosine, sine) = (0, 1)
        case 180: (cosine, sine) = (-1, 0)
        default: (cosine, sine) = (.cos(degrees * .pi / 180), .sin(degrees * .pi / 180))
        }
    }
}
