import FlipGeometry

/// The page of options' section on easings.
enum EasingTable {
    static var text: String {
        let rows = Easing.named.map { name, easing in
            [OptionsPage.code(name), meaning(of: easing)] + [0.25, 0.5, 0.75].map { percent(easing($0)) }
        }
        let functions = [
            [
                "`cubic-bezier(x1,y1,x2,y2)`", "a Bézier curve from (0, 0) to (1, 1) with these control points",
                "`x1` and `x2`: 0...1",
            ],
            ["`steps(n)`", "`n` equal jumps, each at the end of its step", "`n`: 1...100000"],
            [
                "`steps(n,jump)`", "the same, with jumps at the start, at the end, at neither or at both ends",
                "`jump`: `jump-start`, `jump-end`, `jump-none` (`n` at least 2), `jump-both`, `start`, `end`",
            ],
            [
                "`linear(a,b,...)`", "straight lines between points, each a progress and at most two times",
                "as in `linear(0, 0.25 75%, 1)`; points without times are spaced evenly",
            ],
        ]
        return """
            ## Easings

            `--easing` takes one of these names or functions, as CSS has them (CSS Easing Functions Level 2). The last three \
            columns are the
            progress after a quarter, half and three quarters of the time. Progress beyond 0 and 1 is cut off there.

            \(OptionsPage.table(["name", "curve", "25 %", "50 %", "75 %"], rows))

            \(OptionsPage.table(["function", "curve", "values"], functions))

            Functions need quotes in a shell: `--easing "cubic-bezier(0.4,0,0.2,1)"`.
            """
    }

    /// How the curve is defined.
    private static func meaning(of easing: Easing) -> String {
        switch easing {
        case .linear: return "constant speed"
        case .cubicBezier(let x1, let y1, let x2, let y2):
            return
                "`cubic-bezier(\([x1, y1, x2, y2].map { "\($0)".replacing(".0", with: "") }.joined(separator: ",")))`"
        case .steps(let count, let jump): return "`steps(\(count),\(jump.rawValue))`"
        case .stops: return OptionsPage.code(easing.name)
        case .halves(let first, let second):
            return "`\(first.name)` for the first half of time and progress, `\(second.name)` for the second"
        case .penner(let curve, let side):
            let place: String
            switch side {
            case .in: place = "at the start"
            case .out: place = "at the end"
            case .inOut: place = "at both ends"
            }
            return "Penner's `\(curve.rawValue)`, \(place)"
        }
    }

    private static func percent(_ progress: Double) -> String { "\(Int((progress * 100).rounded())) %" }
}
