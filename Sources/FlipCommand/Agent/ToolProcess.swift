import FlipAgent
import FlipBase
import FlipBatch
import FlipFiles
import FlipGeometry
import Foundation

/// A call's process: this program with a command line, so that neither a crash nor a lack of memory ends the server.
struct ToolProcess {
    /// How the process ended.
    struct Ending {
        var status: Int32 = 0
        /// What it wrote to standard output.
        var output: [UInt8] = []
        /// Its last error.
        var message: String?
        var warnings: [String] = []
    }

    private let place: ToolPlace
    private let call: AgentCall
    private let fields: FieldNames

    init(_ place: ToolPlace, _ call: AgentCall, _ fields: FieldNames) {
        (self.place, self.call, self.fields) = (place, call, fields)
    }

    /// The longest standard output, in bytes.
    private static let longest = 64 << 20

    /// A line that a process of the program writes to standard error.
    struct Event: Decodable {
        let event: String
        let message: String?
        let frames: Int?
        let total: Int?
        let fps: Double?
    }

    /// Runs the program with the arguments `words` to its end. When the call is canceled, the program is asked to end,
    /// and removes what it has written.
    func run(_ words: [String]) throws(MediaError) -> Ending {
        let output = try NamelessFile()
        let pool = JobPool(program: place.program, slots: 1, budget: place.memory)
        call.whenCancelled { [cancellation = pool.cancellation] in cancellation.cancel() }
        var ending = Ending()
        let task = JobPool.Task(id: 0, arguments: words, memory: 0, output: output.descriptor)
        try pool.run([task]) { _, event in
            switch event {
            case .line(let line): take(line, &ending)
            case .ended(let status): ending.status = status
            case .tooLarge(let bytes):
                ending.status = EX_SOFTWARE
                ending.message = "the call was stopped because it needed \(bytes >> 20) MiB of memory"
            case .started, .postponed, .tooLong: break
            }
            return .next
        }
        if ending.status > 128, ending.status != Interruption.exitCode {
            ending.message = "the call was killed by signal \(ending.status - 128)"
            ending.status = EX_SOFTWARE
        }
        ending.output = try output.bytes(atMost: Self.longest)
        return ending
    }

    private func take(_ line: String, _ ending: inout Ending) {
        guard let event = try? JSONDecoder().decode(Event.self, from: Data(line.utf8)) else {
            // What a crash or a library writes.
            return Message.write(line)
        }
        switch event.event {
        case "error": ending.message = event.message.map { fields.replacing(in: $0) }
        case "warning": ending.warnings.append(fields.replacing(in: event.message ?? ""))
        case "progress":
            let frames = event.frames ?? 0
            let total = event.total.map { " of \($0)" } ?? ""
            call.report(frames, of: event.total, "\(frames)\(total) frames, \(event.fps ?? 0) frames per second")
        default: break
        }
    }
}
