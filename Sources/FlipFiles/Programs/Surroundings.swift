import Foundation

/// What results depend on besides what was asked for: the programs and libraries that make them, the fonts, and the user's
/// settings of language and time. As texts that change with it; nil where that isn't known.
package enum Surroundings {
    /// This program, and every library that it has loaded.
    package static let program: String? = {
        guard let maps = contents("/proc/self/maps") else { return nil }
        var paths: Set<String> = []
        for line in maps.split(separator: "\n") where line.contains(" r-xp ") {
            if let slash = line.firstIndex(of: "/") { paths.insert(String(line[slash...])) }
        }
        return texts(paths.sorted())
    }()

    /// The program `helper`.
    /// - Parameter further: files beside it that belong to it, all of which have to be there.
    package static func text(of helper: HelperProgram, _ further: [String] = []) -> String? {
        guard let path = HelperProgram.find(helper.name).flatMap(Files.realPath) else { return nil }
        let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        return texts([path] + further.map { folder + $0 })
    }

    /// The fonts that fontconfig knows, and the files that say which of them it chooses.
    package static let fonts: String? = InstalledFonts.all.flatMap { fonts, settings in
        texts(settings).map { $0 + fonts + variables }
    }

    /// The variables of the environment by which programs choose languages, time zones and fonts.
    private static var variables: String {
        ProcessInfo.processInfo.environment.filter { name, _ in
            ["LANG", "LC_", "TZ", "FONTCONFIG_", "SAL_"].contains { name.hasPrefix($0) }
        }.map { "\($0)=\($1)\n" }.sorted().joined()
    }

    /// The contents of a file of the kernel's, which states no size and comes page by page.
    private static func contents(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var (bytes, block) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        while true {
            let count = read(descriptor, &block, block.count)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            if count < 0 { return nil }
            bytes += block[..<count]
        }
    }

    private static func texts(_ paths: [String]) -> String? {
        var text = ""
        for path in paths {
            guard let file = FileIdentity(path: path) else { return nil }
            text += "\(path) \(file.bytes) \(file.modified)\n"
        }
        return text
    }
}
