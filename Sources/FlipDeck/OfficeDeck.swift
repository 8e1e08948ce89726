import FlipMedia
import Foundation

/// Documents that LibreOffice turns into PDF.
enum OfficeDeck {
    /// Endings of their names.
    static let endings: Set<String> = ["pptx", "pptm", "ppsx", "ppt", "pps", "odp", "fodp", "key"]

    /// The document at `path` as PDF. It takes some seconds.
    static func convert(_ path: String) throws(MediaError) -> PDFDeck {
        let folder =
            NamelessFile.folder + "/fliptransition-\(getpid())-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
        guard mkdir(folder, 0o700) == 0 else {
            throw MediaError(.io, "cannot make a temporary folder in \(NamelessFile.folder)")
        }
        ConversionFolder.current.set(folder)
        defer { ConversionFolder.current.remove() }
        var limits = HelperProgram.Limits()
        limits.seconds = 300
        limits.memory = nil
        // Beside what it says, it writes its profile.
        let source = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        try HelperProgram.soffice.run(
            [
                "-env:UserInstallation=file://\(folder)/profile", "--headless", "--norestore", "--nolockcheck",
                "--convert-to", "pdf:impress_pdf_Export", "--outdir", folder, source,
            ], for: path, into: try NamelessFile(), limits: limits)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard let name = names.first(where: { $0.hasSuffix(".pdf") }) else {
            throw MediaError(.badInput, "LibreOffice cannot read '\(path)' as slides")
        }
        let file = try NamelessFile()
        try file.fill(from: "\(folder)/\(name)")
        return try PDFDeck(path: path, converted: file)
    }
}

/// The folder in which a document is being converted, which goes with the program when that is interrupted.
final class ConversionFolder: @unchecked Sendable {
    static let current = ConversionFolder()
    private let lock = NSLock()
    private var path: String?
    private var sources: [any DispatchSourceSignal] = []

    func set(_ path: String) {
        lock.withLock { self.path = path }
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [self] in
                delete()
                _exit(130)
            }
            source.resume()
            return source
        }
    }

    func remove() {
        delete()
        for source in sources { source.cancel() }
        sources = []
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    }

    private func delete() {
        lock.withLock {
            if let path { try? FileManager.default.removeItem(atPath: path) }
            path = nil
        }
    }
}
