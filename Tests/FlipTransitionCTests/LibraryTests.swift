import Foundation
import TestSupport
import Testing

/// libfliptransition as C programs see it.
@Suite(
    .serialized, .enabled(if: InstalledLibrary.compiler != nil, Comment(rawValue: InstalledLibrary.isMissing)))
enum LibraryTests {
    static let calls = Result {
        try InstalledLibrary.shared.get().compile(Places.package + "/Tests/Tools/library_calls.c")
    }

    /// Runs Tests/Tools/library_calls.c, under `wrapper` where there is one.
    @discardableResult
    static func call(_ arguments: [String], under wrapper: [String] = [], timeout: Double = 120) throws -> ToolRun {
        let words = try wrapper + [calls.get()] + arguments
        return try Tool.succeed(
            words[0], Array(words.dropFirst()), timeout: timeout,
            environment: InstalledLibrary.shared.get().environment)
    }

    @Suite struct InterfaceTests {
        /// What the header declares and what the library exports are the same.
        @Test func headerAndSymbolsAgree() throws {
            let library = try InstalledLibrary.shared.get()
            let header = try String(contentsOfFile: library.header, encoding: .utf8)
            let code = header.replacing(#/\/\*(?s:.*?)\*\//#, with: "")
            let declared = Set(code.matches(of: #/\b(fliptransition_\w+)\(/#).map { String($0.1) })
            let table = try Tool.succeed(
                "readelf", ["--dyn-syms", "--wide", library.libraries + "/libfliptransition.so"])
            let exported = table.text.split(separator: "\n").map { $0.split(separator: " ") }
                .filter { $0.count == 8 && ["GLOBAL", "WEAK"].contains($0[4]) && $0[6] != "UND" }.map { String($0[7]) }
            #expect(declared.count == 10 && Set(exported) == declared, "\(exported)")
        }

        /// It needs nothing of Swift, and programs that were linked with it ask for the name that stays.
        @Test func standsByItself() throws {
            let library = try InstalledLibrary.shared.get()
            let dynamic = try Tool.succeed("readelf", ["--dynamic", library.libraries + "/libfliptransition.so"]).text
            let needed = dynamic.matches(of: #/NEEDED.*\[(.*?)\]/#).map { String($0.1) }
            #expect(!needed.isEmpty)
            for name in needed {
                #expect(
                    ["libc.", "libm.", "libstdc++.", "libgcc_s.", "ld-linux"].contains(where: name.hasPrefix), "\(name)"
                )
            }
            #expect(dynamic.contains("soname: [libfliptransition.so.0]") && dynamic.contains("NODELETE"))
        }

        @Test func theHeaderIsCAndCPlusPlus() throws {
            let compiler = try #require(InstalledLibrary.compiler)
            let header = try InstalledLibrary.shared.get().header
            for language in [["-x", "c", "-std=c99", "-pedantic"], ["-x", "c++", "-std=c++11"]] {
                try Tool.succeed(compiler, language + ["-Wall", "-Wextra", "-Werror", "-fsyntax-only", header])
            }
        }

        @Test func versionAndStylesAreTheProgrammes() throws {
            let lines = try LibraryTests.call(["versions"]).text.split(separator: "\n").map(String.init)
            let program = try Places.program()
            let version = try Tool.succeed(program, ["--version"]).text.trimmingCharacters(in: .whitespacesAndNewlines)
            let rows = try JSONSerialization.jsonObject(with: Tool.succeed(program, ["styles", "--json"]).output)
            let styles = try #require(rows as? [[String: Any]]).map { $0["name"] as? String }
            #expect(lines.first == version && lines.dropFirst().map { $0 } == styles)
        }

        @Test func everyMistakeHasItsSentence() throws { try LibraryTests.call(["errors"]) }

        @Test func threadsShareHandlesAndHaveTheirOwn() throws { try LibraryTests.call(["threads"]) }
    }

    @Suite(.enabled(if: LibraryTests.valgrind, "needs valgrind (apt-get install valgrind)")) struct MemoryTests {
        /// Valgrind sees no invalid access and nothing lost, and 2000 handles leave behind what 20 do: the runtime's tables, and
        /// what its threads have.
        @Test(.timeLimit(.minutes(5))) func handlesLeaveNothingBehind() throws {
            let left = try [20, 2000].map { count in
                let run = try LibraryTests.call(
                    ["cycles", "\(count)"],
                    under: [
                        "valgrind", "--leak-check=full", "--errors-for-leak-kinds=definite", "--error-exitcode=99",
                    ],
                    timeout: 280)
                let bytes = try #require(run.messages.firstMatch(of: #/in use at exit: ([\d,]+) bytes/#)?.1)
                return try #require(Int(bytes.replacing(",", with: "")))
            }
            #expect(left[1] - left[0] < 1980 * 16, "\(left)")
        }

        @Test(.timeLimit(.minutes(2))) func mistakesTouchNothing() throws {
            try LibraryTests.call(["errors"], under: ["valgrind", "--error-exitcode=99"])
        }
    }

    static let valgrind = (try? Tool.run("valgrind", ["--version"]))?.status == 0
}
