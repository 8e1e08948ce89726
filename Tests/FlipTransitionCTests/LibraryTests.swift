import TestSupport
import Testing

/// libfliptransition as C programs see it.
@Suite(.serialized, .enabled(if: InstalledLibrary.compiler != nil, Comment(rawValue: InstalledLibrary.isMissing)))
enum LibraryTests {
    static let calls = Result {
        try InstalledLibrary.shared.get().compile(Places.package + "/Tests/Tools/library_calls.c")
    }

    /// Runs Tests/Tools/library_calls.c, under `wrapper` if one is given.
    @discardableResult
    static func call(_ arguments: [String], under wrapper: [String] = [], timeout: Double = 120) throws -> ToolRun {
        let words = try wrapper + [calls.get()] + arguments
        return try Tool.succeed(
            words[0], Array(words.dropFirst()), timeout: timeout,
            environment: InstalledLibrary.shared.get().environment)
    }

    @Suite struct InterfaceTests {
        /// The library exports exactly the functions that the header declares.
        @Test func headerAndSymbolsAgree() throws {
            let library = try InstalledLibrary.shared.get()
            let header = try String(contentsOf: library.header)
            let code = header.replacing(#/\/\*(?s:.*?)\*\//#, with: "")
            let declared = Set(code.matches(of: #/\b(fliptransition_\w+)\(/#).map { String($0.1) })
            let table = try Tool.succeed("readelf", "--dyn-syms --wide \(library.libraries + "/libfliptransition.so")")
            var exported: Set<String> = []
            for line in table.text.split(separator: "\n") {
                let words = line.split(separator: " ").map(String.init)
                guard words.count == 8, words[4] == "GLOBAL" || words[4] == "WEAK", words[6] != "UND" else { continue }
                exported.insert(words[7])
            }
            #expect(declared.count == 14 && exported == declared, "\(exported)")
        }

        /// The library does not depend on Swift's libraries, and programs linked with it refer to a stable SONAME.
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

        @Test func versionAndStylesAreThePrograms() throws {
            let lines = try LibraryTests.call(["versions"]).text.split(separator: "\n").map(String.init)
            let program = try Places.program()
            let version = try Tool.succeed(program, ["--version"]).text.split(separator: "\n").first.map(String.init)
            let rows = try JSONSerialization.jsonObject(with: Tool.succeed(program, ["styles", "--json"]).output)
            let styles = try #require(rows as? [[String: Any]]).map { $0["name"] as? String }
            #expect(lines.first == version && lines.dropFirst().map { $0 } == styles)
        }

        /// The library's catalog has the program's objects, without the fields that name the program.
        @Test func theCatalogIsThePrograms() throws {
            let printed = try JSONSerialization.jsonObject(
                with: Tool.succeed(Places.program(), ["styles", "--json"]).output)
            let rows = try #require(printed as? [[String: Any]]).map { row in
                row.filter { !["schema", "program"].contains($0.key) }
            }
            let library = try JSONSerialization.jsonObject(with: LibraryTests.call(["styles"]).output)
            #expect(rows.count > 10 && NSArray(array: rows).isEqual(library))
        }

        @Test func everyMistakeHasItsSentence() throws { try LibraryTests.call(["errors"]) }

        @Test func threadsShareHandlesAndHaveTheirOwn() throws { try LibraryTests.call(["threads"]) }

        /// Handles with more threads in total than any thread pool has draw concurrently, and end their threads when
        /// they are freed.
        @Test func manyHandlesHaveThreads() throws { try LibraryTests.call(["crews"]) }

        /// Pictures in one buffer are drawn if they don't share a byte, and refused if they do.
        @Test func picturesMayLieSideBySide() throws { try LibraryTests.call(["neighbors"]) }
    }

    @Suite(.serialized) struct MemoryTests {
        /// After 2000 handles, no more memory is left on the heap than after 200, except for what the runtime's threads
        /// cache. A handle takes thousands of bytes.
        @Test(.enabled(if: Places.isTurn(0, of: 2), Comment(rawValue: Places.anotherTurn)))
        func handlesLeaveNothingBehind() throws {
            let growth = try #require(Int(LibraryTests.call(["cycles", "2000"]).text.dropLast()))
            #expect(growth < 1800 * 64, "\(growth) bytes")
        }

        /// Valgrind reports no invalid access and no definite leak.
        @Test(
            .timeLimit(.minutes(60)), .enabled(if: Places.isTurn(1, of: 3), Comment(rawValue: Places.anotherTurn)),
            .enabled(if: LibraryTests.valgrind, "needs valgrind (apt-get install valgrind)"),
            arguments: Places.some([["cycles", "60"], ["errors"]], every: 2))
        func nothingIsLostOrTouchedWrongly(arguments: [String]) throws {
            try LibraryTests.call(
                arguments,
                under: ["valgrind", "--leak-check=full", "--errors-for-leak-kinds=definite", "--error-exitcode=99"],
                timeout: 170)
        }
    }

    static let valgrind = (try? Tool.run("valgrind", ["--version"]))?.status == 0
}
