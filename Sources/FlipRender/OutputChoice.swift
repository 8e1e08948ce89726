import FlipMedia
import Foundation

/// Which container an output gets, and whether it can be created at all.
enum OutputChoice {
    /// By the format asked for, else by the path's extension.
    static func container(_ settings: OutputSettings) throws(MediaError) -> Container {
        let container = try named(settings)
        if settings.path == "-", !container.isStreamable {
            throw MediaError(
                .usage, "\(container.name) cannot be written to standard output (name a file, or give --format nut)")
        }
        if container.isPicture, !settings.isStill, settings.path != "-", FrameNames(settings.path) == nil {
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
                let names = Container.all.filter { !$0.isPicture }.map(\.name).joined(separator: ", ")
                throw MediaError(.usage, "unknown format '\(name)' (expected \(names), or a picture's ending)")
            }
            return container
        }
        if settings.path == "-" { throw MediaError(.usage, "standard output needs a format (give --format nut)") }
        guard let container = Container.forPath(settings.path) else {
            let endings = Container.all.map { "." + $0.extensions[0] }
            throw MediaError(
                .usage,
                "\(settings.path): no format goes by that name (name the output \(endings.joined(separator: ", ")), or "
                    + "give --format)")
        }
        return container
    }

    /// Refuses an output that can't be created, or that would replace something it must not.
    static func check(
        _ settings: OutputSettings, inputs: [String], container: Container
    ) throws(MediaError) {
        let path = settings.path
        if path == "-" { return }
        var taken = [path]
        if container.isPicture, let names = FrameNames(path) { taken = names.existing }
        let identities = Set(inputs.map(identity))
        for taken in taken {
            var isDirectory: ObjCBool = false
            guard FileManager.default.fileExists(atPath: taken, isDirectory: &isDirectory) else { continue }
            if isDirectory.boolValue {
                throw MediaError(.cannotCreate, "\(taken) is a directory (name an output file in it)")
            }
            if identities.contains(identity(taken)) {
                throw MediaError(.usage, "\(taken) is an input as well as the output (give the output another name)")
            }
            if !settings.overwrites {
                throw MediaError(.cannotCreate, "\(taken) exists already (give -y to replace it)")
            }
        }
        try checkFolder(of: path)
    }

    private static func identity(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    private static func checkFolder(of path: String) throws(MediaError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory), isDirectory.boolValue else {
            throw MediaError(.cannotCreate, "\(path): there is no folder \(folder)")
        }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw MediaError(.cannotCreate, "\(path): the folder \(folder) is not writable")
        }
    }
}
