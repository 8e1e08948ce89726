import FlipFiles
import Foundation

/// A page in a file that only this user can read, which leads the browser to an address. The command line of a program can
/// be read by every user of the computer, so an address with a secret in it must not be an argument of the browser.
struct RedirectPage {
    private let folder: String

    /// Opens `address` with the desktop's browser, or warns that it can't.
    /// - Returns: the page, which is to be removed when the address is no longer valid; nil if there is none.
    static func open(_ address: String) -> RedirectPage? {
        #if os(macOS)
            let name = "open"
        #else
            let name = "xdg-open"
        #endif
        guard let program = HelperProgram.find(name) else {
            Message.warning("the browser can't be opened, since \(name) is missing (open the address yourself)")
            return nil
        }
        guard let page = RedirectPage(to: address) else {
            Message.warning("the browser can't be opened without a temporary file (open the address yourself)")
            return nil
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [page.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            Message.warning("the browser can't be opened, since \(name) can't be run (open the address yourself)")
        }
        return page
    }

    /// Nil if the file can't be written.
    init?(to address: String) {
        var template = Array("\(NamelessFile.folder)/fliptransition-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let html = """
            <!doctype html>
            <meta charset="utf-8">
            <meta http-equiv="refresh" content="0; url=\(address)">
            <title>Transitions</title>
            <p>The preview is at <a href="\(address)">this address</a>.</p>

            """
        let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let isWritten = descriptor >= 0 && Array(html.utf8).withUnsafeBytes { Files.write($0, to: descriptor) }
        if descriptor >= 0 { close(descriptor) }
        guard isWritten else {
            remove()
            return nil
        }
    }

    private var path: String { folder + "/preview.html" }

    func remove() {
        unlink(path)
        rmdir(folder)
    }
}
