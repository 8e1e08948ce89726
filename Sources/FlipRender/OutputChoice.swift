import FlipBase
import FlipMedia
import FlipFiles

/// Chooses an output's container, and checks whether the output can be created.
enum OutputChoice {
    /// The container for the format asked for, or else for the path's extension.
    static func container(_ settings: OutputSettings) throws(MediaError) -> Container {
        let container = try named(settings)
        let destination = OutputPlace(settings.path)
        if destination.isStream, !container.isStreamable {
            let name = settings.path == "-" ? "standard output" : "'\(settings.path)', which is not a regular file"
            throw MediaError(
                .usage, "\(container.name) cannot be written to \(name) (name a file, or give --format nut)")
        }
        if container.isPicture, !settings.isStill, !destination.isStream, FrameNames(settings.path) == nil {
            throw MediaError(
                .usage,
                "\(settings.path): a \(container.extensions[0]) file holds one picture (name a sequence of them, such as "
                    + "out-%05d.\(container.extensions[0]))")
        }
        return container
    }

    private static func named(_ settings: OutputSettings) throws(MediaError) -> Container {
        if let name = settings.format {
            guard let container = Container.named(name) else {
                let names = Container.all.filter { !$0.isPicture }.map(\.name)
                let question = Suggestion.question(for: name, among: names + Container.all.flatMap(\.extensions))
                throw MediaError(
                    .usage,
                    "unknown format '\(name)'\(question) (expected \(names.joined(separator: ", ")), or a picture's "
                        + "file name extension)")
            }
            return container
        }
        if settings.path == "-" { throw MediaError(.usage, "standard output needs a format (give --format nut)") }
        guard let container = Container.forPath(settings.path) else {
            // Some extensions belong to both a picture format and a video format.
            var endings: [String] = []
            for ending in Container.all.map({ "." + $0.extensions[0] }) where !endings.contains(ending) {
                endings.append(ending)
            }
            throw MediaError(
                .usage,
                "\(settings.path): no container has that ending (name the output \(endings.joined(separator: ", ")), or "
                    + "give --format)")
        }
        return container
    }

    /// Throws if the output can't be created, or would replace something that it must not.
    static func check(_ settings: OutputSettings, inputs: [String], container: Container) throws(MediaError) {
        var taken = [settings.path]
        if container.isPicture, let names = FrameNames(settings.path) { taken += names.existing }
        for path in taken { try OutputPlace.check(path, overwrites: settings.overwrites, inputs: inputs) }
    }
}
