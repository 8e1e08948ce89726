import ArgumentParser
import FlipAgent
import FlipBase
import FlipBatch
import FlipFiles
import FlipGeometry
import Foundation

/// Serves agents: the subcommands as tools of the Model Context Protocol.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Offer join, deck, plan and others to agents, as tools (MCP).",
        usage: "fliptransition serve --stdio [--root dir]",
        discussion: """
            A client of the Model Context Protocol starts this command and talks to it: one JSON object a line on standard \
            input and output. Tools read and write inside of one folder, and replace files only where a call says so. \
            \(Documents.path("JSON.md")) describes the tools and how to register them.
            """,
        // It is for other programs, which start it.
        shouldDisplay: CompletionScript.needsAllCommands)

    @Flag(help: .option("Talk on standard input and output, which is the only way."))
    var stdio = false
    @Option(
        help: .option(
            "The folder in which all files have to lie, and where relative paths begin.", default: "the working folder",
            "dir"), completion: .directory)
    var root: String?
    @Option(
        name: [.customShort("j"), .long], parsing: .unconditional,
        help: .option("Videos that are made at the same time; others wait.", values: "1...64", default: "1", "n"))
    var jobs: String?
    @Flag(help: .option("Let calls run programs to speak notes, with the option speak. They can do anything."))
    var allowPrograms = false
    @OptionGroup var messages: MessageOptions

    func run() throws {
        try messages.apply()
        guard stdio else { throw OptionError("serve needs --stdio, the only way in which it talks to clients") }
        guard let slots = jobs.map({ Int($0) }) ?? 1, (1...64).contains(slots) else {
            throw OptionError("invalid jobs '\(jobs ?? "")' (expected 1...64)")
        }
        let folder = try RootFolder(root ?? ".")
        let place = try ToolPlace(folder, videos: slots)
        var settings = AgentServer.Settings(
            name: "fliptransition", version: ProductVersion.text, instructions: Self.instructions(folder))
        settings.slots = slots
        let commands = try CommandTool.all(place, allowsPrograms: allowPrograms)
        let server = try AgentServer(settings, tools: commands + [OptionsTool(commands)])
        let interruption = Interruption { [stop = server.stop] in stop() }
        withExtendedLifetime(interruption) { server.run() }
    }

    private static func instructions(_ root: RootFolder) -> String {
        """
        Joins video clips, and turns slides into videos, with transitions such as page flips, folds and cubes. Paths are \
        relative to \(root.path), and nothing outside of it can be read or written. Call styles to see the transitions and \
        their options, options for those of a tool, still or sheet to look at a transition, plan to see what would be done, \
        and join, deck or render to make a video. An existing file is replaced only with overwrite. A part of a clip is written clip.mp4#t=2.5,9 in seconds.
        """
    }
}

/// Where the calls' files lie, and what runs the calls.
struct ToolPlace: Sendable {
    let root: RootFolder
    /// The path of this program.
    let program: String
    /// The memory that one call may use, in bytes: its share of three quarters of the machine's.
    let memory: Int

    /// Makes `root` the working folder. Processes that are started from now on are confined to it, and end with this one.
    /// - Parameter videos: how many videos may be made at the same time.
    init(_ root: RootFolder, videos: Int) throws(MediaError) {
        self.root = root
        memory = MachineMemory.limit / 4 * 3 / videos
        program = RealPath(JobPlan.Program.path).path
        guard FileManager.default.changeCurrentDirectoryPath(root.path) else {
            throw MediaError(.missingInput, "cannot enter the folder '\(root.path)'")
        }
        setenv(Confinement.variable, root.path, 1)
        setenv(Interruption.following, "1", 1)
    }
}
