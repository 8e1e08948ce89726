import FlipTransition

/// Joins two clips with a fold, then in reverse order with a custom style, and writes a still of each.
///
///     swift run join a.mp4 b.mp4 folder
@main struct Join {
    static func main() async throws {
        guard CommandLine.arguments.count == 4 else { throw FlipError(.usage, "join <a> <b> <folder>") }
        let (a, b, folder) = (CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3])

        let fold = try Transition(Styles.fold, .mode(.cubic), .easing("cubic-out"), length: .frames(6))
        try await render(Composition([Clip(a), Clip(b)], fold), to: folder, named: "fold")

        let tray = try Transition(Tray(tilt: 30), .direction(.backward), length: .time(.milliseconds(240)))
        try await render(Composition([Clip(b), Clip(a)], tray), to: folder, named: "tray")
    }

    static func render(_ composition: Composition, to folder: String, named name: String) async throws {
        var output = Output("\(folder)/\(name).mkv")
        output.videoCodec = "ffv1"
        output.overwrites = true
        let plan = try await composition.plan(output)
        print(plan)
        let summary = try await plan.render { progress in
            if progress.frames == progress.total { print("\(name): \(progress.total) frames") }
        }
        summary.warnings.forEach { print($0) }

        var still = Output("\(folder)/\(name).png")
        still.overwrites = true
        try await composition.writeStill(still, progress: 0.4)
    }
}
