import TestSupport
import Testing

/// The Python package, installed from its wheel. The tests themselves are Tests/Python.
@Suite(.serialized, .enabled(if: Python.withPackages != nil, Comment(rawValue: Python.packagesAreMissing)))
struct PythonPackageTests {
    /// The wheel, made of the library that was built with the tests, and a folder into which pip has installed it.
    private struct Installation {
        let folder: TemporaryFolder
        let wheel: String
        var packages: String { folder / "site" }

        init() throws {
            folder = try TemporaryFolder()
            wheel = try Tool.succeed(
                Places.package + "/scripts/wheel", "--library \(Places.built("libfliptransition-python.so"))",
                "\(folder / "wheel")", timeout: 120
            ).text.trimmingCharacters(in: .whitespacesAndNewlines)
            try Tool.succeed(
                try #require(Python.withPackages), "-m pip install -q --no-index --no-deps",
                "--target \(folder / "site") \(wheel)", timeout: 120)
        }
    }

    private static let installation = Result { try Installation() }

    /// Runs a file of Tests/Python, under `wrapper` if one is given, and returns what it says. Where the Python has all that the
    /// files need, none of their cases may be left out.
    @discardableResult
    private func run(
        _ name: String, with python: String? = Python.withPackages, under wrapper: [String] = [],
        environment: [String: String] = [:], timeout: Double = 170
    ) throws -> String {
        let words = try wrapper + [#require(python), "-m", "unittest", name]
        let run = try Tool.run(
            "env", ["-C", Places.package + "/Tests/Python"] + words, timeout: timeout,
            environment: [
                "PYTHONPATH": Self.installation.get().packages, "PYTHONDONTWRITEBYTECODE": "1",
                "FLIPTRANSITION": Places.program(),
            ].merging(environment) { $1 })
        #expect(run.status == 0, "\(run.story)")
        let isComplete = python == Python.withPackages && Python.runsAllCases
        #expect(!isComplete || !run.messages.contains("skipped="), "\(run.story)")
        return run.messages + run.text
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: Places.some(
            ["test_draw", "test_bare", "test_memory", "test_program", "test_processes", "test_documents"], every: 6))
    func thePackageWorks(file: String) throws { try run(file) }

    /// Thousands of wrong pictures, options and calls are refused with the package's errors.
    @Test(.timeLimit(.minutes(5)), .enabled(if: Places.isTurn(3, of: 4), Comment(rawValue: Places.anotherTurn)))
    func mistakesAreErrors() throws {
        let said = try run("test_mistakes", environment: ["MALLOC_PERTURB_": "165", "MALLOC_CHECK_": "3"])
        // So that the cases don't all miss what is tested. Most of what is made up fits nothing.
        let counts = try #require(said.firstMatch(of: /(\d+) calls succeeded, and (\d+) were refused/))
        #expect(try #require(Int(counts.1)) > 300 && #require(Int(counts.2)) > 3000, "\(counts.0)")
    }

    @Test(
        .timeLimit(.minutes(5)), .enabled(if: Python.hasVapourSynth, "needs VapourSynth (Python 3.12 or later)"),
        .enabled(if: Places.isTurn(3, of: 4), Comment(rawValue: Places.anotherTurn)))
    func vapourSynthDrawsTheProgramsFrames() throws { try run("test_vapoursynth") }

    /// Other versions of Python that are there take the same wheel.
    @Test(.timeLimit(.minutes(5)), .enabled(if: Python.plain != nil, "needs another Python from 3.10 on"))
    func otherPythonsTakeIt() throws {
        for file in ["test_bare", "test_processes"] { try run(file, with: Python.plain) }
    }

    /// Valgrind reports no invalid access while frames of every style are drawn, and none in cases of the mistakes that
    /// are found at random. Only the latter take long, most of it for the packages that make them.
    @Test(
        .timeLimit(.minutes(10)), .enabled(if: Places.has("valgrind"), "needs valgrind (apt-get install valgrind)"),
        .enabled(if: Places.isTurn(1, of: 4), Comment(rawValue: Places.anotherTurn)),
        arguments: Places.runsSlowTests ? ["test_memory", "test_mistakes"] : ["test_memory"])
    func nothingIsTouchedWrongly(file: String) throws {
        try run(
            file,
            under: [
                "valgrind", "-q", "--error-exitcode=99", "--suppressions=\(Places.package)/Tests/Python/valgrind.supp",
            ],
            environment: ["PYTHONMALLOC": "malloc", "FLIPTRANSITION_CASES": Places.runsSlowTests ? "60" : "20"],
            timeout: 590)
    }

    /// auditwheel confirms the tag, and the wheel has the package, the library and the licenses, and nothing else.
    @Test func theWheelIsWhatItSays() throws {
        let installation = try Self.installation.get()
        let python = try #require(Python.withPackages)
        let report = try Tool.succeed(python, ["-m", "auditwheel", "show", installation.wheel], timeout: 120).text
        // What is built on Debian 12 runs from glibc 2.34 on.
        let tag = try #require(installation.wheel.firstMatch(of: /-none-(manylinux_2_\d+_x86_64)\.whl/)?.1)
        #expect(report.contains("\"\(tag)\""), "\(report)")
        if try Tool.run("getconf", ["GNU_LIBC_VERSION"]).text.contains("2.36") {
            #expect(tag == "manylinux_2_34_x86_64")
        }
        let list = "import sys, zipfile; [print(entry.filename) for entry in zipfile.ZipFile(sys.argv[1]).infolist()]"
        let names = try Tool.succeed(python, ["-c", list, installation.wheel]).text.split(separator: "\n")
            .map(String.init)
        let sources = try FileManager.default.contentsOfDirectory(
            atPath: Places.package + "/Sources/Python/fliptransition"
        ).filter { $0.hasSuffix(".py") || $0 == "py.typed" }
        let information = try #require(names.last?.replacing("/RECORD", with: ""))
        #expect(information.wholeMatch(of: /fliptransition-[0-9.]+\.dist-info/) != nil)
        #expect(
            Set(names)
                == Set(
                    (sources + ["libfliptransition.so"]).map { "fliptransition/\($0)" }
                        + ["licenses/LICENSE", "licenses/THIRD-PARTY", "METADATA", "WHEEL", "RECORD"].map {
                            "\(information)/\($0)"
                        }))
        let bytes = try #require(FileManager.default.attributesOfItem(atPath: installation.wheel)[.size] as? Int)
        #expect(bytes < 4 << 20, "\(bytes) bytes")
        // The same sources give the same bytes.
        let again = try Tool.succeed(
            Places.package + "/scripts/wheel", "--library \(Places.built("libfliptransition-python.so"))",
            "\(installation.folder / "again")", timeout: 120
        ).text.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(FileManager.default.contentsEqual(atPath: again, andPath: installation.wheel))
    }

    /// The library has the functions of the C library and the plugin's entry, and needs the system's libraries only.
    @Test func theLibraryIsBothInOne() throws {
        let library = try Places.built("libfliptransition-python.so")
        let table = try Tool.succeed("nm", ["-D", "--defined-only", library]).text
        let functions = table.matches(of: #/ T (\w+)/#).map { String($0.1) }.sorted()
        let header = try String(contentsOf: Places.package + "/Sources/CFlipTransition/fliptransition.h")
        let code = header.replacing(#/\/\*(?s:.*?)\*\//#, with: "")
        let declared = Set(code.matches(of: #/\b(fliptransition_\w+)\(/#).map { String($0.1) })
        #expect(Set(functions) == declared.union(["VapourSynthPluginInit2"]))
        let needed = try Tool.succeed("readelf", ["--dynamic", library]).text.matches(of: #/NEEDED.*\[(.*?)\]/#)
            .map { String($0.1) }
        for name in needed {
            #expect(["libc.", "libm.", "libstdc++.", "libgcc_s.", "ld-linux"].contains(where: name.hasPrefix))
        }
    }
}
