import FlipBase
import FlipFiles
import FlipProject
import Foundation

/// Reads the requests of a batch: a YAML file with `defaults` and `jobs`, lines of JSON, or a folder of decks.
package struct BatchManifest {
    private let commands: [CommandSchema]
    /// The options `name=value` of the command line, which override those of a manifest.
    private let overrides: [(name: String, value: String)]
    /// The errors that were found while reading.
    package private(set) var errors: [MediaError] = []

    /// The largest number of jobs in a batch.
    package static let maximumJobs = 100_000

    /// - Parameters:
    ///   - commands: the subcommands that jobs can name.
    ///   - overrides: options `name=value` for every job whose subcommand has the option.
    /// - Throws: `usage` if an override is invalid.
    package init(commands: [CommandSchema], overrides: [String] = []) throws(MediaError) {
        self.commands = commands
        self.overrides = try overrides.map { text throws(MediaError) in
            guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
                throw MediaError(.usage, "invalid set '\(text)' (expected option=value, as in --set hold=3)")
            }
            let name = String(text[..<sign])
            // The value isn't repeated, since it may be a secret.
            if let reason = CommandSchema.refused[name] {
                throw MediaError(.usage, "invalid set '\(name)': '\(name)' \(reason)")
            }
            guard commands.contains(where: { $0.options[name] != nil }), !CommandSchema.reserved.contains(name) else {
                let question = Suggestion.question(for: name, among: commands.flatMap(\.options.keys).sorted())
                throw MediaError(.usage, "invalid set '\(text)': jobs have no option '\(name)'\(question)")
            }
            let value = String(text[text.index(after: sign)...])
            let isFlag = commands.contains { $0.options[name]?.isFlag == true }
            guard !isFlag || ["true", "false"].contains(value) else {
                throw MediaError(.usage, "invalid set '\(text)' (expected \(name)=true or \(name)=false)")
            }
            return (name, value)
        }
    }

    /// Runs `body`. If it throws, the error is added to `errors` and the result is nil.
    private mutating func collecting<Value>(_ body: (inout Self) throws(MediaError) -> Value) -> Value? {
        do throws(MediaError) {
            return try body(&self)
        } catch {
            errors.append(error)
            return nil
        }
    }

    // MARK: Manifest formats

    /// The valid jobs of the YAML manifest `data`, which errors call `path`. The errors of the others are added to
    /// `errors`.
    /// - Throws: if no list of jobs can be read at all.
    package mutating func requests(yaml data: Data, path: String) throws(MediaError) -> [JobRequest] {
        let document = try YAMLDocument.parse(data, path: path).map(["defaults", "jobs"])
        let defaults = try entries(of: document["defaults"])
        let jobs = try document.required("jobs")
        let list = try jobs.list()
        guard !list.isEmpty else { throw jobs.error("there is no job") }
        guard list.count <= Self.maximumJobs else { throw jobs.error("more than \(Self.maximumJobs) jobs") }
        let requests = list.compactMap { request($0, defaults) }
        // Each default has to be an option of at least one job.
        for entry in defaults
        where !requests.isEmpty && !requests.contains(where: { $0.command.options[entry.key] != nil }) {
            errors.append(entry.location.error("unknown key '\(entry.key.prefix(80))': no job here has that option"))
        }
        return requests
    }

    /// The valid jobs of a manifest with one JSON object per line. The errors of the others are added to `errors`.
    package mutating func requests(jsonLines data: Data, path: String) throws(MediaError) -> [JobRequest] {
        var requests: [JobRequest] = []
        var count = 0
        for (index, line) in data.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
            if line.allSatisfy({ [9, 13, 32].contains($0) }) { continue }
            count += 1
            guard count <= Self.maximumJobs else {
                throw MediaError(.badInput, "\(path):\(index + 1):1: more than \(Self.maximumJobs) jobs")
            }
            let value = collecting { _ throws(MediaError) in
                try YAMLValue.json(Data(line), path: path, line: index + 1)
            }
            if let request = value.flatMap({ request($0, []) }) { requests.append(request) }
        }
        guard count > 0 else { throw MediaError(.badInput, "\(path):1:1: there is no job") }
        return requests
    }

    /// A job for each deck in a folder: each document, and each subfolder as a deck of pictures.
    /// - Parameters:
    ///   - documents: the file extensions of documents that are decks.
    ///   - ending: the file extension of the outputs.
    ///   - isRecursive: whether subfolders with documents or further folders in them are folders of decks, too, whose outputs
    ///   get folders of the same names.
    package func requests(
        folder: String, documents: [String], outputs: String, ending: String, isRecursive: Bool = false
    ) throws(MediaError) -> [JobRequest] {
        guard let deck = commands.first(where: { $0.name == "deck" }) else {
            throw MediaError(.usage, "a folder is taken as a folder of decks, which this program doesn't render")
        }
        let decks = try decks(in: folder, "", documents, RealPath(outputs), isRecursive)
        let stems = Dictionary(grouping: decks) { stem($0, in: folder) }
        let requests = decks.map { name in
            let path = "\(folder)/\(name)"
            let location = TextLocation(path: path, line: 1, column: 1)
            // `talk.pdf` and `talk.pptx` side by side keep their extensions, so that each has an output of its own.
            let stem = stem(name, in: folder)
            let title = stems[stem]?.count == 1 ? stem : name
            return JobRequest(
                command: deck, inputs: [(path, location)], output: "\(outputs)/\(title).\(ending)",
                outputLocation: location, settings: overrides(for: deck, location), location: location)
        }
        guard !requests.isEmpty else {
            throw MediaError(
                .badInput, "there is no deck in '\(folder)' (\(documents.joined(separator: ", ")), or a folder)")
        }
        return requests
    }

    /// The paths, below `folder`, of the decks in its subfolder `place`, which is empty or ends with a slash.
    private func decks(
        in folder: String, _ place: String, _ documents: [String], _ outputs: RealPath, _ isRecursive: Bool
    ) throws(MediaError) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + place) else {
            throw MediaError(.missingInput, "cannot read the folder '\(folder)'")
        }
        var decks: [String] = []
        for name in names.sorted() where !name.hasPrefix(".") {
            let path = "\(folder)/\(place)\(name)"
            guard let isFolder = Files.isFolder(path) else { continue }
            if !isFolder {
                if isDocument(name, documents) { decks.append(place + name) }
            } else if !outputs.isInside(RealPath(path).path) {
                // A folder that contains the outputs of an earlier run is not a deck.
                let further = isRecursive && holdsDecks(path, documents)
                decks +=
                    further ? try self.decks(in: folder, "\(place)\(name)/", documents, outputs, true) : [place + name]
            }
        }
        return decks
    }

    private func isDocument(_ name: String, _ documents: [String]) -> Bool {
        documents.contains(URL(fileURLWithPath: name).pathExtension.lowercased())
    }

    /// Whether the folder at `path` has documents or folders in it, and so is no deck of pictures itself.
    private func holdsDecks(_ path: String, _ documents: [String]) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.contains { name in
            guard !name.hasPrefix("."), let isFolder = Files.isFolder("\(path)/\(name)") else { return false }
            return isFolder || isDocument(name, documents)
        }
    }

    /// The name of the output for the deck `name`, without an extension.
    private func stem(_ name: String, in folder: String) -> String {
        let ending = (name as NSString).pathExtension
        return ending.isEmpty || Files.isFolder("\(folder)/\(name)") == true
            ? name : String(name.dropLast(ending.count + 1))
    }

    // MARK: Jobs

    private typealias Entry = (key: String, location: TextLocation, value: YAMLValue)

    private mutating func entries(of value: YAMLValue?) throws(MediaError) -> [Entry] {
        guard let value else { return [] }
        guard case .map(let entries) = value.content else { throw value.error("expected a map, not \(value.kind)") }
        return entries.filter { entry in
            collecting { manifest throws(MediaError) in try manifest.checkReserved(entry) } != nil
        }
    }

    private func checkReserved(_ entry: Entry) throws(MediaError) {
        if CommandSchema.reserved.contains(entry.key) {
            throw entry.location.error("'\(entry.key)' is an option of the batch and not of its jobs")
        }
        if let reason = CommandSchema.refused[entry.key] { throw entry.location.error("'\(entry.key)' \(reason)") }
    }

    /// The job that `value` describes, without invalid options; nil if its inputs or output are invalid. All errors are
    /// added to `errors`.
    private mutating func request(_ value: YAMLValue, _ defaults: [Entry]) -> JobRequest? {
        guard case .map(let entries) = value.content else {
            let names = commands.map(\.name).joined(separator: ", ")
            errors.append(
                value.error("expected a job, which is a map with output and one of \(names), not \(value.kind)"))
            return nil
        }
        let found = collecting { manifest throws(MediaError) in try manifest.source(in: entries, of: value) }
        let output = entries.first { $0.key == "output" }
        if output == nil { errors.append(value.error("'output' is missing")) }
        guard let (source, command) = found else { return nil }
        let own = entries.filter { $0.key != "output" && $0.key != source.key }
        let inherited = defaults.filter { entry in
            command.options[entry.key] != nil && !own.contains { $0.key == entry.key }
        }
        let settings = settings(own, inherited, command) + overrides(for: command, value.location)
        let inputs = collecting { manifest throws(MediaError) in try manifest.inputs(source) }
        let name = output.flatMap { entry in
            collecting { manifest throws(MediaError) in try manifest.word(entry.value) }
        }
        guard let inputs, let output, let name else { return nil }
        return JobRequest(
            command: command, inputs: inputs, output: name, outputLocation: output.value.location, settings: settings,
            location: value.location)
    }

    /// The entry that names a job's inputs, and the subcommand that is its key.
    private func source(
        in entries: [Entry], of value: YAMLValue
    ) throws(MediaError) -> (entry: Entry, command: CommandSchema) {
        let named = entries.filter { entry in commands.contains { $0.name == entry.key } }
        // `render` is a subcommand, but next to `join` it is an option of that.
        let sources = named.filter { entry in
            !commands.contains { command in
                command.name != entry.key && command.options[entry.key] != nil
                    && named.contains { $0.key == command.name }
            }
        }
        guard let source = sources.first, let command = commands.first(where: { $0.name == source.key }) else {
            throw value.error("a job needs one of \(commands.map(\.name).joined(separator: ", "))")
        }
        if sources.count > 1 { throw sources[1].location.error("a job has only one of \(names(of: sources))") }
        return (source, command)
    }

    private func names(of entries: [Entry]) -> String { entries.map(\.key).joined(separator: ", ") }

    /// The options of a job. Those that the command line overrides are only checked.
    private mutating func settings(
        _ own: [Entry], _ inherited: [Entry], _ command: CommandSchema
    ) -> [JobRequest.Setting] {
        var settings: [JobRequest.Setting] = []
        for entry in inherited + own {
            let found = collecting { manifest throws(MediaError) in
                try manifest.checkReserved(entry)
                if command.options[entry.key] == nil {
                    throw entry.location.error(
                        "unknown key '\(entry.key.prefix(80))': '\(command.name)' has no such option"
                            + Suggestion.question(for: entry.key, among: command.options.keys.sorted()))
                }
                return try manifest.settings(entry, command)
            }
            if !overrides.contains(where: { $0.name == entry.key }) { settings += found ?? [] }
        }
        return settings
    }

    /// The command line's options for jobs of `command`. Of several values for one option the last one counts, unless
    /// the option is repeating.
    private func overrides(for command: CommandSchema, _ location: TextLocation) -> [JobRequest.Setting] {
        overrides.enumerated().compactMap { index, override in
            let (name, value) = override
            let isLast = !overrides[(index + 1)...].contains { $0.name == name }
            guard isLast || command.options[name]?.isRepeating == true else { return nil }
            guard let option = command.options[name] else { return nil }
            if option.isFlag {
                return value == "true" ? .init(name: name, value: nil, location: location, isOverride: true) : nil
            }
            return .init(name: name, value: value, location: location, isOverride: true)
        }
    }

    private func settings(_ entry: Entry, _ command: CommandSchema) throws(MediaError) -> [JobRequest.Setting] {
        guard let option = command.options[entry.key] else { return [] }
        if entry.value.kind == "nothing" { return [] }
        if option.isFlag {
            return try entry.value.flag() ? [.init(name: entry.key, value: nil, location: entry.location)] : []
        }
        guard case .list(let items) = entry.value.content else {
            return [.init(name: entry.key, value: try word(entry.value), location: entry.value.location)]
        }
        guard option.isRepeating else { throw entry.value.error("'\(entry.key)' takes one value, not a list") }
        return try items.map { item throws(MediaError) in
            .init(name: entry.key, value: try word(item), location: item.location)
        }
    }

    private func inputs(_ source: Entry) throws(MediaError) -> [(word: String, location: TextLocation)] {
        guard case .list(let items) = source.value.content else {
            return [(try word(source.value), source.value.location)]
        }
        guard !items.isEmpty else { throw source.value.error("'\(source.key)' names nothing") }
        return try items.map { item throws(MediaError) in (try word(item), item.location) }
    }

    /// The value as a word of a command line.
    private func word(_ value: YAMLValue) throws(MediaError) -> String {
        let text = try value.text()
        if text.contains("\0") { throw value.error("there is a zero byte in the text") }
        return text
    }
}
