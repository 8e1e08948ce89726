import Foundation

/// The built C library in a temporary folder, laid out like an installation, and a C compiler that finds it with
/// pkg-config.
package final class InstalledLibrary: Sendable {
    private let folder: TemporaryFolder
    /// The path of the folder with libfliptransition.so.0.
    package var libraries: String { folder / "lib" }
    package let header = Places.package + "/Sources/CFlipTransition/fliptransition.h"

    package static let shared: Result<InstalledLibrary, any Error> = Result {
        atexit {
            if let own = try? InstalledLibrary.shared.get() {
                try? FileManager.default.removeItem(atPath: own.folder.path)
            }
        }
        return try InstalledLibrary()
    }

    /// The name of the C compiler; nil if there is none.
    package static let compiler: String? = ["cc", "gcc", "clang"].first { compiler in
        (try? Tool.run(compiler, ["--version"]))?.status == 0
    }

    package static let isMissing = "needs a C compiler (apt-get install gcc)"

    private init() throws {
        folder = try TemporaryFolder()
        let files = FileManager.default
        let prefix = folder.path
        for name in ["include", "lib/pkgconfig"] {
            try files.createDirectory(atPath: folder / name, withIntermediateDirectories: true)
        }
        try files.copyItem(
            atPath: Places.built("libfliptransition-c.so"), toPath: folder / "lib/libfliptransition.so.0")
        try files.createSymbolicLink(
            atPath: folder / "lib/libfliptransition.so", withDestinationPath: "libfliptransition.so.0")
        try files.copyItem(atPath: header, toPath: folder / "include/fliptransition.h")
        let template = Places.package + "/Sources/CFlipTransition/fliptransition.pc.in"
        try String(contentsOf: template)
            .replacingOccurrences(of: "@PREFIX@", with: prefix)
            .replacingOccurrences(of: "@LIBDIR@", with: "${prefix}/lib")
            .replacingOccurrences(of: "@VERSION@", with: "0.0.0")
            .write(to: folder / "lib/pkgconfig/fliptransition.pc")
    }

    /// The environment variables that a program needs to run with the library.
    package var environment: [String: String] {
        ["LD_LIBRARY_PATH": libraries, "FLIPTRANSITION_LIBRARY": libraries + "/libfliptransition.so.0"]
    }

    /// Compiles the C program at `source`, treating every warning as an error, and returns the program's path.
    package func compile(_ source: String) throws -> String {
        guard let compiler = InstalledLibrary.compiler else { throw ToolError(InstalledLibrary.isMissing) }
        let flags = try Tool.succeed(
            "pkg-config", "--cflags --libs fliptransition", environment: ["PKG_CONFIG_PATH": folder / "lib/pkgconfig"])
        let program = folder / (URL(fileURLWithPath: source).deletingPathExtension().lastPathComponent)
        try Tool.succeed(
            compiler, "-std=c11 -D_GNU_SOURCE -g -O1 -Wall -Wextra -Werror -pthread \(source)",
            "-o \(program) \(flags.text.split(whereSeparator: \.isWhitespace).map(String.init))")
        return program
    }
}
