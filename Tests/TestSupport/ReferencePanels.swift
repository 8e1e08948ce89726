import FlipGeometry

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The panels of EFFECTS 10, each as the two points at which the definition puts a page's ends.
extension ReferenceScene {
    /// The surface of the texture from `first` to `second` of a picture, whose ends lie at two points.
    private static func panel(
        isOutgoing: Bool, _ first: Double, _ second: Double, from start: (m: Double, z: Double),
        to end: (m: Double, z: Double), shade: Double, isOnTop: Bool = false
    ) -> Surface {
        let length = second - first
        return Surface(
            isOutgoing: isOutgoing, length: length, hinge: start,
            step: ((end.m - start.m) / length, (end.z - start.z) / length), textureHinge: first, textureStep: 1,
            isOnTop: isOnTop, shade: { _ in shade })
    }

    private static func strength(_ look: Look) -> Double { look.shadow == .solid ? 1 : 0 }

    static func cube(_ look: Look, _ p: Double, _ width: Double, inside: Bool) -> ReferenceScene {
        let (h, f) = (width / 2, p * .pi / 2)
        let sign = inside ? -1.0 : 1
        let dark = (inside ? 0.4 : 0.5) * strength(look)
        let a = { (u: Double) in (m: h + u * cos(f) - h * sin(f), z: sign * (-h + u * sin(f) + h * cos(f))) }
        let b = { (u: Double) in (m: h + u * sin(f) + h * cos(f), z: sign * (-h - u * cos(f) + h * sin(f))) }
        return ReferenceScene(
            [
                panel(isOutgoing: true, 0, width, from: a(-h), to: a(h), shade: dark * (1 - cos(f))),
                panel(isOutgoing: false, 0, width, from: b(-h), to: b(h), shade: dark * (1 - sin(f))),
            ], pageLength: width)
    }

    static func swing(_ look: Look, _ p: Double, _ width: Double) -> ReferenceScene {
        let f = p * .pi / 2
        return ReferenceScene(
            [
                panel(
                    isOutgoing: true, 0, width, from: (0, 0), to: (width * cos(f), width * sin(f)),
                    shade: 0.3 * sin(f) * strength(look), isOnTop: true),
                panel(isOutgoing: false, 0, width, from: (0, 0), to: (width, 0), shade: 0.5 * cos(f) * strength(look)),
            ], pageLength: width)
    }

    static func doors(_ look: Look, _ p: Double, _ width: Double) -> ReferenceScene {
        let (h, f) = (width / 2, p * .pi / 2)
        let ajar = 0.3 * sin(f) * strength(look)
        let depth = -0.5 * width * (1 - p)
        return ReferenceScene(
            [
                panel(isOutgoing: true, 0, h, from: (0, 0), to: (h * cos(f), h * sin(f)), shade: ajar, isOnTop: true),
                panel(
                    isOutgoing: true, h, width, from: (width - h * cos(f), h * sin(f)), to: (width, 0), shade: ajar,
                    isOnTop: true),
                panel(
                    isOutgoing: false, 0, width, from: (0, depth), to: (width, depth),
                    shade: 0.4 * (1 - p) * strength(look)),
            ], pageLength: h)
    }

    static func blinds(_ look: Look, _ p: Double, _ width: Double) -> ReferenceScene {
        let (n, g) = (look.strips, look.stagger)
        let slats = (0..<n).map { i in
            let r = Double(n - 1 - i)
            let f = .pi * min(max(p * (1 + g) - g * r / Double(n - 1), 0), 1)
            let (first, second) = (width * Double(i) / Double(n), width * Double(i + 1) / Double(n))
            let center = (first + second) / 2
            // The face is seen as long as the slat's direction is lower than that in which the camera stands above its axis.
            let viewpoint = look.orientation == .horizontal ? look.viewpoint.x : look.viewpoint.y
            let camera = (look.direction == .backward ? 1 - viewpoint : viewpoint) * width
            let isOutgoing =
                f < (look.perspective == 0 ? .pi / 2 : atan2(look.perspective * width / 2, camera - center))
            let point = { (v: Double) in
                isOutgoing ? (m: center + v * cos(f), z: v * sin(f)) : (m: center - v * cos(f), z: -v * sin(f))
            }
            return panel(
                isOutgoing: isOutgoing, first, second, from: point(first - center), to: point(second - center),
                shade: 0.5 * sin(f) * strength(look))
        }
        return ReferenceScene(slats, pageLength: width / 2)
    }
}
