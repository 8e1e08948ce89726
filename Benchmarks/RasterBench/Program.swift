import Foundation

/// A program's run: what it said and the processor time it took.
struct Program {
    var output: String
    var messages: String
    var processorSeconds: Double

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs `arguments[0]`, found on PATH, to its end; throws where it fails or is missing.
    static func run(_ arguments: [String]) throws -> Program {
        let process = Process()
        let (output, messages) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = messages
        let before = childSeconds()
        try process.run()
        // Neither writes more than a pipe holds.
        let said = messages.fileHandleForReading.readDataToEndOfFile()
        let wrote = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let run = Program(
            output: String(decoding: wrote, as: UTF8.self), messages: String(decoding: said, as: UTF8.self),
            processorSeconds: childSeconds() - before)
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(arguments.joined(separator: " ")): \(run.messages.suffix(500))")
        }
        return run
    }

    static func exists(_ name: String) -> Bool { (try? run(["which", name])) != nil }

    /// Processor time of all children that have ended.
    private static func childSeconds() -> Double {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        #else
            getrusage(RUSAGE_CHILDREN, &usage)
        #endif
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
