import Foundation

/// A finished run of a program: what it wrote and what it took.
package struct Program {
    package var output: String
    package var messages: String
    package var wallSeconds: Double
    package var processorSeconds: Double
    /// The peak resident set size, in bytes.
    package var peakBytes: Int

    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Runs `arguments[0]`, found on PATH, until it exits; throws if it fails or is missing.
    @discardableResult
    package static func run(_ arguments: [String]) throws -> Program {
        let (output, messages) = (Pipe(), Pipe())
        let start = Cost.seconds(CLOCK_MONOTONIC)
        let child = try spawn(arguments, output.fileHandleForWriting, messages.fileHandleForWriting)
        try output.fileHandleForWriting.close()
        try messages.fileHandleForWriting.close()
        // Standard error is read first: what the programs write to standard output always fits into a pipe.
        let said = messages.fileHandleForReading.readDataToEndOfFile()
        let wrote = output.fileHandleForReading.readDataToEndOfFile()
        var status: Int32 = 0
        var usage = rusage()
        // `wait4` gives the peak of this child alone, not of all children.
        while wait4(child, &status, 0, &usage) < 0 && errno == EINTR {}
        let seconds = [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }
        let run = Program(
            output: String(decoding: wrote, as: UTF8.self), messages: String(decoding: said, as: UTF8.self),
            wallSeconds: Cost.seconds(CLOCK_MONOTONIC) - start, processorSeconds: seconds[0] + seconds[1],
            peakBytes: Int(usage.ru_maxrss) * memoryUnit)
        guard status == 0 else {
            throw Failure(description: "\(arguments.joined(separator: " ")): \(run.messages.suffix(500))")
        }
        return run
    }

    package static func exists(_ name: String) -> Bool { (try? run(["which", name])) != nil }

    #if os(Linux)
        private static let memoryUnit = 1024
    #else
        private static let memoryUnit = 1
    #endif

    private static func spawn(_ arguments: [String], _ output: FileHandle, _ messages: FileHandle) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output.fileDescriptor, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, messages.fileDescriptor, STDERR_FILENO)
        let words = arguments.map { strdup($0) } + [nil]
        let variables = ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var child = pid_t()
        let code = posix_spawnp(&child, arguments[0], &actions, nil, words, variables)
        guard code == 0 else {
            throw Failure(description: "cannot run \(arguments[0]): \(String(cString: strerror(code)))")
        }
        return child
    }
}
