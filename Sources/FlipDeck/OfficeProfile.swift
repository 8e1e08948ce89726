import FlipBase
import Foundation

/// LibreOffice's settings for conversions: macros don't run, and files that a document links on the network aren't
/// fetched.
enum OfficeProfile {
    static func place(in folder: String) -> URL { URL(fileURLWithPath: folder + "/profile", isDirectory: true) }

    static func write(in folder: String) throws(MediaError) {
        let user = folder + "/profile/user"
        do {
            try FileManager.default.createDirectory(atPath: user, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: user + "/registrymodifications.xcu"))
        } catch {
            throw MediaError(.io, "cannot write LibreOffice's settings to \(folder)")
        }
    }

    /// The settings by group, name and value. The proxy is a port on which nothing listens, because LibreOffice has no
    /// switch to turn the network off and a headless conversion can't ask whether a link is trusted.
    private static let settings: [(group: String, name: String, value: String)] = [
        ("Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
        ("Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
        ("Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
        ("Inet/Settings", "ooInetProxyType", "2"), ("Inet/Settings", "ooInetNoProxy", ""),
        ("Inet/Settings", "ooInetHTTPProxyName", "127.0.0.1"), ("Inet/Settings", "ooInetHTTPProxyPort", "1"),
        ("Inet/Settings", "ooInetHTTPSProxyName", "127.0.0.1"), ("Inet/Settings", "ooInetHTTPSProxyPort", "1"),
        ("Inet/Settings", "ooInetFTPProxyName", "127.0.0.1"), ("Inet/Settings", "ooInetFTPProxyPort", "1"),
    ]

    /// The file with the settings.
    static var text: String {
        let items = settings.map { setting in
            """
            <item oor:path="/org.openoffice.\(setting.group)"><prop oor:name="\(setting.name)" oor:op="fuse">\
            <value>\(setting.value)</value></prop></item>
            """
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
            \(items.joined(separator: "\n"))
            </oor:items>
            """
    }
}
