import Foundation

/// An ffmpeg to compare with.
package struct FFmpeg: Sendable {
    /// The program's path, or its name on PATH.
    package let program: String
    /// Its version, such as "9.0.2".
    package let version: String

    /// That of the system; nil if there is none.
    package static let system = FFmpeg("ffmpeg")
    /// A further one, which `scripts/bench --ffmpeg PATH` names; nil for none.
    package static let other = ProcessInfo.processInfo.environment["FLIPTRANSITION_BENCH_FFMPEG"].flatMap { FFmpeg($0) }

    private init?(_ program: String) {
        guard let run = try? Program.run([program, "-version"]),
            // "ffmpeg version n9.0.2-17-g2a571b6068 Copyright ...", "ffmpeg version 5.1.8-0+deb12u1 Copyright ..."
            let word = run.output.split(separator: " ").dropFirst(2).first
        else { return nil }
        self.program = program
        version = String(word.drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "." })
    }
}
