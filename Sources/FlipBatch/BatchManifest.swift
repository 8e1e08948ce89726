import FlipMedia
import FlipProject
import Foundation

/// Reads what a batch is asked to make: a YAML file with `defaults` and `jobs`, lines of JSON, or a folder of decks.
package struct BatchManifest {
    private let commands: [CommandSchema]
    /// `name=value` of the command line, stronger than a manifest's defaults.
    private let overrides: [(name: String, value: String)]

    /// More jobs are no batch.
    package static let maximumJobs = 100_000
    /// Endings of documents that are decks.
    private static let deckEndings = ["pdf", "pptx", "ppt", "odp", "key"]

    /// - Parameters:
    ///   - commands: subcommands, by whose names jobs say what to make.
    ///   - overrides: `name=value`, which every job gets whose subcommand knows the name.
    /// - Throws: `usage` where an override is none.
    package init(commands: [CommandSchema], overrides: [String] = []) throws(MediaError) {
        self.commands = commands
        self.overrides = try overrides.map { text throws(MediaError) in
            guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
                throw MediaError(.usage, "invalid set '\(text)' (expected option=value, as in --set hold=3)")
            }
            let name = String(text[..<sign])
            guard commands.contains(where: { $0.options[name] != nil }), !CommandSchema.reserved.contains(name) else {
                throw MediaError(.usage, "invalid set '\(text)': '\(name)' is no option of a job")
            }
            return (name, String(text[text.index(after: sign)...]))
        }
    }

    // MARK: Forms

    /// The jobs of the manifest `data`, which errors call `path`.
    package func requests(yaml data: Data, path: String) throws(MediaError) -> [JobRequest] {
        let document = try YAMLDocument.parse(data, path: path).map(["defaults", "jobs"])
        let defaults = try entries(of: document["defaults"])
        let jobs = try document.required("jobs")
        let requests = try jobs.list().map { job throws(MediaError) in try request(job, defaults) }
        guard !requests.isEmpty else { throw jobs.error("there is no job") }
        guard requests.count <= Self.maximumJobs else { throw jobs.error("more than \(Self.maximumJobs) jobs") }
        // A default has to mean something to somebody.
        for entry in defaults where !requests.contains(where: { $0.command.options[entry.key] != nil }) {
            throw entry.place.error("unknown key '\(entry.key.prefix(80))': no job here has that option")
        }
        return requests
    }

    /// The jobs of lines of JSON, one a line.
    package func requests(jsonLines data: Data, path: String) throws(MediaError) -> [JobRequest] {
        var requests: [JobRequest] = []
        for (index, line) in data.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
            if line.allSatisfy({ [9, 13, 32].contains($0) }) { continue }
            let value = try YAMLDocument.parse(Data(line), path: path, firstLine: index + 1)
            guard requests.count < Self.maximumJobs else { throw value.error("more than \(Self.maximumJobs) jobs") }
            requests.append(try request(value, []))
        }
        guard !requests.isEmpty else { throw MediaError(.badInput, "\(path):1:1: there is no job") }
        return requests
    }

    /// A job for each deck in a folder: documents, and folders within it, each a deck of pictures.
    /// - Parameter ending: of the outputs' names.
    package func requests(folder: String, outputs: String, ending: String) throws(MediaError) -> [JobRequest] {
        guard let deck = commands.first(where: { $0.name == "deck" }) else {
            throw MediaError(.usage, "a folder is taken as a folder of decks, which this program doesn't render")
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw MediaError(.missingInput, "cannot read the folder '\(folder)'")
        }
        let requests = names.sorted().compactMap { name -> JobRequest? in
            let path = "\(folder)/\(name)"
            let url = URL(fileURLWithPath: path)
            var isFolder: ObjCBool = false
            guard !name.hasPrefix("."), FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
                isFolder.boolValue || Self.deckEndings.contains(url.pathExtension.lowercased())
            else { return nil }
            let place = YAMLPlace(path: path, line: 1, column: 1)
            let stem = isFolder.boolValue ? name : url.deletingPathExtension().lastPathComponent
            return JobRequest(
                command: deck, inputs: [(path, place)], output: "\(outputs)/\(stem).\(ending)", outputPlace: place,
                settings: overrides(for: deck, place), place: place)
        }
        guard !requests.isEmpty else {
            throw MediaError(
                .badInput, "there is no deck in '\(folder)' (\(Self.deckEndings.joined(separator: ", ")), or a folder)")
        }
        return requests
    }

    // MARK: Jobs

    private typealias Entry = (key: String, place: YAMLPlace, value: YAMLValue)

    private func entries(of value: YAMLValue?) throws(MediaError) -> [Entry] {
        guard let value else { return [] }
        guard case .map(let entries) = value.content else { throw value.error("expected a map, not \(value.kind)") }
        for entry in entries { try checkReserved(entry) }
        return entries
    }

    private func checkReserved(_ entry: Entry) throws(MediaError) {
        if CommandSchema.reserved.contains(entry.key) {
            throw entry.place.error("'\(entry.key)' is an option of the batch and not of its jobs")
        }
    }

    private func request(_ value: YAMLValue, _ defaults: [Entry]) throws(MediaError) -> JobRequest {
        let names = commands.map(\.name).joined(separator: ", ")
        guard case .map(let entries) = value.content else {
            throw value.error("expected a job, which is a map with output and one of \(names), not \(value.kind)")
        }
        let named = entries.filter { entry in commands.contains { $0.name == entry.key } }
        // `render` beside `join` is an option of it.
        let sources = named.filter { entry in
            !commands.contains { command in
                command.name != entry.key && command.options[entry.key] != nil
                    && named.contains { $0.key == command.name }
            }
        }
        guard let source = sources.first, let command = commands.first(where: { $0.name == source.key }) else {
            throw value.error("a job needs one of \(names)")
        }
        if sources.count > 1 { throw sources[1].place.error("a job has only one of \(names)") }
        guard let output = entries.first(where: { $0.key == "output" }) else {
            throw value.error("'output' is missing")
        }
        let own = entries.filter { $0.key != "output" && $0.key != source.key }
        for entry in own {
            try checkReserved(entry)
            if command.options[entry.key] == nil {
                throw entry.place.error("unknown key '\(entry.key.prefix(80))': '\(command.name)' has no such option")
            }
        }
        let inherited = defaults.filter { entry in
            command.options[entry.key] != nil
                && !own.contains { $0.key == entry.key } && !overrides.contains { $0.name == entry.key }
        }
        var settings: [JobRequest.Setting] = []
        for entry in inherited + own { settings += try self.settings(entry, command) }
        let stated = overrides(for: command, value.place).filter { setting in
            !own.contains { $0.key == setting.name }
        }
        return JobRequest(
            command: command, inputs: try inputs(source), output: try word(output.value),
            outputPlace: output.value.place, settings: settings + stated, place: value.place)
    }

    private func overrides(for command: CommandSchema, _ place: YAMLPlace) -> [JobRequest.Setting] {
        overrides.compactMap { name, value in
            guard let option = command.options[name] else { return nil }
            if option.isFlag { return value == "true" ? .init(name: name, value: nil, place: place) : nil }
            return .init(name: name, value: value, place: place)
        }
    }

    private func settings(_ entry: Entry, _ command: CommandSchema) throws(MediaError) -> [JobRequest.Setting] {
        guard let option = command.options[entry.key] else { return [] }
        if entry.value.kind == "nothing" { return [] }
        if option.isFlag {
            return try entry.value.flag() ? [.init(name: entry.key, value: nil, place: entry.place)] : []
        }
        guard case .list(let items) = entry.value.content else {
            return [.init(name: entry.key, value: try word(entry.value), place: entry.value.place)]
        }
        guard option.isRepeating else { throw entry.value.error("'\(entry.key)' takes one value, not a list") }
        return try items.map { item throws(MediaError) in
            .init(name: entry.key, value: try word(item), place: item.place)
        }
    }

    private func inputs(_ source: Entry) throws(MediaError) -> [(word: String, place: YAMLPlace)] {
        guard case .list(let items) = source.value.content else {
            return [(try word(source.value), source.value.place)]
        }
        guard !items.isEmpty else { throw source.value.error("'\(source.key)' names nothing") }
        return try items.map { item throws(MediaError) in (try word(item), item.place) }
    }

    /// Text for the command line.
    private func word(_ value: YAMLValue) throws(MediaError) -> String {
        let text = try value.text()
        if text.contains("\0") { throw value.error("there is a zero byte in the text") }
        return text
    }
}
