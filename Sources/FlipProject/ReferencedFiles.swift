import FlipBase
import FlipFiles
import FlipRender
import Foundation

/// Resolves and records the files that a project or a timeline names: relative to its folder, and within a root if
/// there is one.
package final class ReferencedFiles {
    /// The first location that names each file, by the file's path.
    package private(set) var locations: [String: TextLocation] = [:]
    /// The folder that relative paths are seen from, with its slash; empty for the working directory.
    let folder: String
    /// The folder that all files have to lie in; nil for no restriction.
    let root: RootFolder?

    /// - Parameters:
    ///   - path: the path of the file that names them; with "-" names are relative to the working directory.
    ///   - root: the folder that all of them have to lie in; nil for no restriction.
    package init(of path: String, root: RootFolder? = nil) {
        folder = Files.split(path).folder
        self.root = root
    }

    /// The path of the file `name`. Throws if it doesn't exist or lies outside the root.
    package func path(of name: String, at location: TextLocation) throws(MediaError) -> String {
        let path = name.hasPrefix("/") ? name : folder + name
        try admit(path, at: location)
        return path
    }

    /// Records the file at `path`. Throws if it doesn't exist or lies outside the root.
    func admit(_ path: String, at location: TextLocation) throws(MediaError) {
        if let refusal = root?.refusal(of: path) { throw location.error(refusal) }
        guard FileManager.default.fileExists(atPath: path) else {
            throw location.error("there is no file '\(path)'", kind: .missingInput)
        }
        if locations[path] == nil { locations[path] = location }
    }

    /// Throws if the output would replace one of the files.
    package func check(output: String) throws(MediaError) {
        let own = OutputPlace.identity(output)
        for (path, location) in locations.sorted(by: { $0.value.line < $1.value.line })
        where OutputPlace.identity(path) == own {
            throw location.error("'\(path)' is the output as well (give the output another name)", kind: .usage)
        }
    }

    /// The path that `url` stands for, which is a `file:` URL or a plain path. Errors name the clip by `title`.
    func path(ofURL url: String, _ title: String, at location: TextLocation) throws(MediaError) -> String {
        if let scheme = ReferencedFiles.scheme(of: url), scheme != "file" {
            throw location.error("the media of \(title) is at \(scheme):, and only files are read (fetch it first)")
        }
        var name = url
        var isURL = false
        if url.lowercased().hasPrefix("file:") {
            isURL = true
            name = String(url.dropFirst(5))
            if name.hasPrefix("//") {
                let rest = name.dropFirst(2)
                let host = rest.prefix { $0 != "/" }
                guard host.isEmpty || host == "localhost" else {
                    throw location.error(
                        "the media of \(title) is on the host '\(host)', and only local files are read")
                }
                name = String(rest.dropFirst(host.count))
            }
        }
        // A plain path may contain percent signs itself, so it's tried as it is first.
        let plain = name.hasPrefix("/") ? name : folder + name
        if isURL || !FileManager.default.fileExists(atPath: plain), let decoded = name.removingPercentEncoding {
            name = decoded
        }
        return try path(of: name, at: location)
    }

    /// The scheme of a URL, such as "http" of "http://..."; nil for paths, including Windows paths.
    private static func scheme(of url: String) -> String? {
        guard let colon = url.firstIndex(of: ":") else { return nil }
        let scheme = url[..<colon]
        let isScheme =
            scheme.count > 1 && scheme.first!.isLetter
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        return isScheme ? scheme.lowercased() : nil
    }
}
