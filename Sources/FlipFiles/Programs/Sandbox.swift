import FlipBase

/// A sandbox for a program that reads untrusted documents. The program sees only the system files that it needs, the
/// document and a working folder, and has no network. Bubblewrap builds the sandbox, which not every system has or
/// allows.
package struct Sandbox: Sendable {
    /// Files and folders that may be read.
    package var readable: [String]
    /// A folder that may be written to.
    package var folder: String

    package init(readable: [String], folder: String) { (self.readable, self.folder) = (readable, folder) }

    /// The paths that programs need to run and to find fonts. Those that don't exist are left out.
    private static let system = [
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store", "/gnu/store", "/etc/alternatives",
        "/etc/chromium", "/etc/chromium.d",
        "/etc/fonts", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/libreoffice", "/etc/localtime",
        "/var/cache/fontconfig", "/var/lib/libreoffice", "/var/spool/libreoffice",
    ]
    /// Where users keep their own fonts, relative to the home folder.
    private static let fonts = [".fonts", ".local/share/fonts", ".config/fontconfig"]

    /// The names of users, which some programs look up.
    package static let users = "/etc/passwd"

    /// The command that starts a program in the sandbox, to which the program's own command line is appended; nil where
    /// that isn't possible here.
    package func words() -> [String]? {
        guard let folder = Files.realPath(folder) else { return nil }
        var words = [HelperProgram.bubblewrap.name, "--unshare-all", "--die-with-parent", "--new-session"]
        var visible = Self.system
        if let home = getenv("HOME").map({ String(cString: $0) }), home.hasPrefix("/") {
            visible += Self.fonts.map { home + "/" + $0 }
        }
        words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
        for path in visible { words += ["--ro-bind-try", path, path] }
        for path in readable {
            guard let real = Files.realPath(path) else { return nil }
            // The program knows the file by its own name, which may lead through links.
            words += ["--ro-bind", real, path]
        }
        words += ["--bind", folder, folder, "--setenv", "HOME", folder]
        words += ["--chdir", folder, "--"]
        return Self.works(words) ? words : nil
    }

    /// Whether `words` can run a program that does nothing: containers and hardened systems may forbid it.
    private static func works(_ words: [String]) -> Bool {
        guard HelperProgram.bubblewrap.isInstalled else { return false }
        let launch = Launch("/bin/sh", words: ["sh", "-c", "exec \"$@\"", "sh"] + words + ["true"])
        return (try? launch.start())?.wait() == .exited(0)
    }
}
