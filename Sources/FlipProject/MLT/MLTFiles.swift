import FlipBase
import FlipFiles
import Foundation

/// Checks what a project uses before anything of it is opened: services that aren't in the allow list, and files outside
/// its folder, are refused. What is left is a document that melt can be given.
struct MLTFiles {
    /// The files that the project and those in it name.
    let files: ReferencedFiles
    /// The folder that they have to lie in.
    let root: RootFolder
    /// Whether the user has chosen `root`.
    let isGiven: Bool
    /// The folder in which the project was saved, to which its paths are relative; empty if it doesn't say.
    private var savedIn = ""
    /// The files and folders that melt may read.
    private(set) var readable: Set<String> = []
    /// Projects within the project, as melt is given them, by the names of their files.
    private(set) var nested: [(name: String, text: String)] = []
    /// The errors for files that are missing.
    private var missing: [MediaError] = []
    private var depth = 0

    private static let deepest = 8
    /// Where the programs keep what comes with them, such as pictures for wipes.
    private static let system = ["/usr/share/", "/usr/local/share/"]

    init(files: ReferencedFiles, root: RootFolder, isGiven: Bool) {
        (self.files, self.root, self.isGiven) = (files, root, isGiven)
    }

    /// Throws one error for all files that are missing, if there are any.
    func refuseMissing() throws(MediaError) {
        guard let first = missing.first else { return }
        throw MediaError(first.kind, missing.messages)
    }

    /// The document with absolute paths, the originals of proxies and nothing that melt doesn't need.
    mutating func checked(_ document: MLTNode) throws(MediaError) -> MLTNode {
        let before = savedIn
        savedIn = document.attributes["root"] ?? ""
        defer { savedIn = before }
        var result = try service(document)
        result.attributes = result.attributes.filter { ["LC_NUMERIC", "version", "title"].contains($0.key) }
        return result
    }

    private static let elements: Set<String> = [
        "mlt", "westley", "profile", "producer", "chain", "link", "playlist", "entry", "blank", "tractor", "multitrack",
        "track", "filter", "transition",
    ]

    /// The element as melt is given it.
    private mutating func service(_ node: MLTNode) throws(MediaError) -> MLTNode {
        var node = node
        if ["producer", "chain"].contains(node.name) { node = Self.withOriginal(node) }
        for (name, value) in node.properties where Self.namesService(name) && !value.isEmpty {
            // A service in another service's property may have an argument behind a colon.
            try Self.check(String(value.prefix { $0 != ":" }), of: node)
        }
        for (name, value) in node.properties {
            guard let reason = MLTServices.refusal(of: name, value, in: node.service) else { continue }
            throw node.error(
                "the property '\(name.prefix(60))' of service '\(node.service.prefix(60))' is refused: \(reason)")
        }
        if ["producer", "chain"].contains(node.name) { try producer(&node) }
        for (name, value) in node.properties where name != "resource" && name != "warp_resource" {
            if name == "xmldata" {
                try title(value, node)
            } else if Self.isPath(name, value, of: node.service) {
                node[name] = try path(value, node)
            }
        }
        if !["producer", "chain"].contains(node.name), let resource = node["resource"], !resource.isEmpty {
            node["resource"] = try path(resource, node)
        }
        var children: [MLTNode] = []
        for child in node.children where Self.elements.contains(child.name) { children.append(try service(child)) }
        node.children = children
        return node
    }

    private static func namesService(_ name: String) -> Bool {
        let last = name.split(separator: ".").last ?? ""
        return last == "mlt_service"
            || ["filter", "transition", "producer", "consumer"].contains { kind in
                last.hasPrefix(kind) && last.dropFirst(kind.count).allSatisfy(\.isNumber)
            }
    }

    private static func check(_ service: String, of node: MLTNode) throws(MediaError) {
        guard let reason = MLTServices.refusal(of: service) else { return }
        throw node.error("the service '\(service.prefix(60))' is refused: \(reason)")
    }

    /// The producer with the original of a proxy in its place.
    private static func withOriginal(_ node: MLTNode) -> MLTNode {
        var node = node
        let isKdenlives =
            node["kdenlive:proxy"].map { $0.count > 1 && node["resource"]?.hasSuffix($0) == true } ?? false
        let isShotcuts = node.flag("shotcut:proxy")
        let original = isKdenlives ? node["kdenlive:originalurl"] : isShotcuts ? node["shotcut:originalResource"] : nil
        guard let original, !original.isEmpty else { return node }
        let speed = node.service == "timewarp" ? (node["resource"] ?? "").prefix { $0 != ":" } + ":" : ""
        node["resource"] = speed + original
        if node["warp_resource"] != nil { node["warp_resource"] = original }
        // What was measured of the proxy, such as its size, isn't true of the original.
        node.removeProperties {
            $0.hasPrefix("meta.") || ["kdenlive:proxy", "shotcut:proxy", "format", "aspect_ratio"].contains($0)
        }
        if node.service == "avformat-novalidate" { node["mlt_service"] = "avformat" }
        return node
    }

    // MARK: Producers

    private mutating func producer(_ node: inout MLTNode) throws(MediaError) {
        guard var resource = node["resource"], !resource.isEmpty else { return }
        var service = node.service
        if service.isEmpty || service == "loader" {
            let prefix = String(resource.prefix { $0 != ":" })
            if prefix.count < resource.count, prefix.allSatisfy({ $0.isLetter || "-_".contains($0) }), prefix.count > 1
            {
                if Self.schemes.contains(prefix.lowercased()) { throw Self.network(resource, node) }
                try Self.check(prefix, of: node)
                service = prefix
                resource = String(resource.dropFirst(prefix.count + 1))
                (node["mlt_service"], node["resource"]) = (prefix, resource)
            } else if Self.projects.contains(Self.ending(resource)) {
                service = "xml"
                node["mlt_service"] = service
            } else if Self.scripts.contains(Self.ending(resource)) {
                throw node.error("'\(resource.prefix(120))' is refused: it is a script or a page")
            }
        }
        if MLTServices.withoutFiles.contains(service) || service.hasPrefix("frei0r.") {
            if resource.hasPrefix("/") { node["resource"] = try path(resource, node) }
            return
        }
        if service == "timewarp" || service == "framebuffer" {
            let speed = service == "timewarp" ? String(resource.prefix { $0 != ":" }) : ""
            // Editors in some countries have written a comma.
            let name = speed.isEmpty ? resource : String(resource.dropFirst(speed.count + 1))
            guard speed.isEmpty || Double(speed.replacing(",", with: ".")) != nil else {
                throw node.error("the speed '\(speed.prefix(40))' is no number")
            }
            let found = try path(name, node)
            node["resource"] = speed.isEmpty ? found : speed + ":" + found
            if node["warp_resource"] != nil { node["warp_resource"] = found }
            return
        }
        let found = try path(resource, node)
        node["resource"] = found
        if service == "xml" || service == "xml-nogl" { node["resource"] = try project(found, node) }
    }

    private static let schemes: Set<String> = [
        "http", "https", "ftp", "rtmp", "rtsp", "rtp", "udp", "tcp", "smb", "srt", "mms", "pipe", "fd", "data",
        "concat", "subfile",
        "crypto", "cache", "async", "gopher", "tls", "sftp", "ipfs", "hls",
    ]
    private static let projects: Set<String> = [
        "mlt", "xml", "kdenlive", "westley", "flb", "graphics", "jfx", "jef", "kino", "story",
    ]
    private static let scripts: Set<String> = ["melt", "inigo", "qml", "js", "htm", "html", "swf", "sh", "py", "mvcp"]

    /// Whether MLT would read a file of this name as a project or a script.
    private static func isDocument(_ name: String) -> Bool {
        [name, String(name.prefix { $0 != "?" })].map(ending).contains { projects.contains($0) || scripts.contains($0) }
    }

    private static func ending(_ path: String) -> String {
        path.split(separator: "/").last?.split(separator: ".").last?.lowercased() ?? ""
    }

    private static func network(_ resource: String, _ node: MLTNode) -> MediaError {
        node.error("'\(resource.prefix(120))' is refused: only local files are read (fetch it first)")
    }

    /// A project within the project, as the name of the copy that melt is given.
    private mutating func project(_ path: String, _ node: MLTNode) throws(MediaError) -> String {
        guard FileManager.default.fileExists(atPath: path) else { return path }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw node.error("projects are nested more than \(Self.deepest) deep") }
        let own = try checked(try MLTNode.read(path: path))
        let name = "nested-\(nested.count).mlt"
        nested.append((name, own.xml))
        readable.remove(path)
        return name
    }

    /// The pictures of a title of Kdenlive's.
    private mutating func title(_ text: String, _ node: MLTNode) throws(MediaError) {
        guard text.contains("url="), let data = text.data(using: .utf8) else { return }
        let title = try MLTNode.parse(data, path: node.location.path)
        var left = [title]
        while let element = left.popLast() {
            left += element.children
            // Others are embedded in the title.
            guard let url = element.attributes["url"], !url.isEmpty, element.attributes["base64"] == nil else {
                continue
            }
            _ = try path(url, node)
        }
    }

    // MARK: Paths

    /// Properties that name files.
    private static let names: Set<String> = [
        "av.file", "av.filename", "av.fontfile", "av.fontsdir", "av.model", "av.psfile", "av.textfile", "bg_img_path",
        "file",
        "filename", "luma", "luma.resource", "composite.luma", "producer.resource", "filter.resource",
        "transition.resource",
        "resource", "src", "warp_resource", "modelsfolder", "stats_file", "analysis_file", "gps.file",
    ]
    /// Properties whose values are read by people, or by nobody.
    private static let words: Set<String> = [
        "text", "markup", "html", "title", "description", "comment", "argument", "name",
    ]
    private static let ignored = ["meta.", "kdenlive:", "shotcut:", "kdenlive.", "flowblade"]

    private static func isPath(_ name: String, _ value: String, of service: String) -> Bool {
        if !value.isEmpty, MLTServices.fileOptions[service]?.contains(name) ?? false { return true }
        if value.isEmpty || ignored.contains(where: { name.hasPrefix($0) }) { return false }
        if names.contains(name), !words.contains(name) { return Double(value) == nil }
        if words.contains(name) { return false }
        return value.hasPrefix("/") || value.hasPrefix("~/") || value.contains("://") || value.hasPrefix("../")
            || value.contains("/../")
    }

    /// The path of the file that `name` stands for. Pictures for wipes that come with MLT keep their names.
    private mutating func path(_ name: String, _ node: MLTNode) throws(MediaError) -> String {
        if name.hasPrefix("%"), name.dropFirst().allSatisfy({ $0.isLetter || $0.isNumber || "._-".contains($0) }),
            name.dropFirst().contains(".")
        {
            return name
        }
        let plain = name.hasPrefix("file://") ? String(name.dropFirst(7)) : name
        let scheme = plain.prefix { $0.isLetter || $0.isNumber || "+.-".contains($0) }
        if scheme.count > 1, plain.dropFirst(scheme.count).first == ":" { throw Self.network(name, node) }
        if node.service != "xml", node.service != "xml-nogl", Self.isDocument(plain) {
            throw node.error("'\(name.prefix(120))' is refused: projects and scripts can't be used there")
        }
        // Numbered pictures have a number's form in their names, or options behind them; all in a folder are ".all.png".
        let file =
            plain.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init) ?? plain
        let last = file.split(separator: "/").last ?? ""
        let isSequence = last.contains("%") || last.hasPrefix(".all.")
        let options = plain.dropFirst(file.count)
        for candidate in candidates(file) {
            let subject = isSequence ? Self.folder(of: candidate) : candidate
            guard FileManager.default.fileExists(atPath: subject) else { continue }
            try admit(subject, node)
            return candidate + options
        }
        let wanted = candidates(file).first ?? file
        try checkPlace(wanted, node)
        missing.append(node.error("there is no file '\(wanted)'", kind: .missingInput))
        return wanted
    }

    private static func folder(of path: String) -> String {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folder.isEmpty ? "/" : folder
    }

    /// Where a file may be: where the project says, or beside the project, which may have been moved with its files.
    private func candidates(_ name: String) -> [String] {
        let here = absolutePath(files.folder.isEmpty ? "." : files.folder)
        let folder = here.hasSuffix("/") ? here : here + "/"
        if !name.hasPrefix("/") {
            let saved = savedIn.isEmpty || !savedIn.hasPrefix("/") ? [] : [savedIn + "/" + name]
            return [folder + name] + saved
        }
        let isMoved = savedIn.hasPrefix("/") && name.hasPrefix(savedIn + "/")
        return [name] + (isMoved ? [folder + name.dropFirst(savedIn.count + 1)] : [])
    }

    private mutating func admit(_ path: String, _ node: MLTNode) throws(MediaError) {
        try checkPlace(path, node)
        readable.insert(path)
        if !Self.isSystem(path) { try files.admit(path, at: node.location) }
    }

    private static func isSystem(_ path: String) -> Bool {
        let real = RealPath(path).path
        return system.contains { real.hasPrefix($0) }
    }

    private func checkPlace(_ path: String, _ node: MLTNode) throws(MediaError) {
        if Self.isSystem(path) { return }
        try Confinement.check(path)
        if root.contains(path) { return }
        throw node.error(
            isGiven
                ? "'\(path)' is outside \(root.path) (--root)"
                : "'\(path)' is outside the project's folder (--root FOLDER lets files elsewhere in FOLDER be read)")
    }
}
