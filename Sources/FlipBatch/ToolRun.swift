import FlipBase
import FlipFiles
import Foundation

/// Another program that is run to its end for the few lines that it prints.
enum ToolRun {
    /// - Parameter seconds: how long the program may take.
    /// - Returns: the exit status (128 plus the signal's number if one ended it), standard output and standard error.
    static func run(
        _ name: String, _ arguments: [String], seconds: Int = 60
    ) throws(MediaError) -> (status: Int32, output: String, messages: String) {
        guard let path = HelperProgram.find(name) else {
            throw MediaError(.missingCodec, "the program \(name) isn't in PATH (is Slurm installed here?)")
        }
        let (output, messages) = (try NamelessFile(), try NamelessFile())
        var launch = Launch(path, words: [name] + arguments)
        launch.output = output.descriptor
        launch.messages = messages.descriptor
        launch.hasOwnGroup = true
        let child: Child
        do throws(Launch.Failure) {
            child = try launch.start()
        } catch {
            throw MediaError(.io, "cannot start \(name): \(error.reason)")
        }
        guard let ending = child.wait(until: .now + .seconds(seconds)) else {
            child.killGroup()
            throw MediaError(.io, "\(name) gave no answer within \(seconds) s")
        }
        // squeue prints a line of some 60 bytes for each element.
        let text = { (file: NamelessFile) throws(MediaError) in
            String(decoding: try file.bytes(atMost: 256 << 20), as: UTF8.self)
        }
        return (ending.status, try text(output), try text(messages))
    }
}
