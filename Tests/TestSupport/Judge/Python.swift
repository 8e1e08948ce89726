import Foundation

/// Python interpreters with the packages that tests need: that of FLIPTRANSITION_PYTHON, the one that `scripts/test`
/// installs, or `python3`.
package enum Python {
    /// The paths of Pythons that may have what is looked for, in the environment that `scripts/test` calls `name`.
    private static func candidates(_ name: String) -> [String] {
        let environment = ProcessInfo.processInfo.environment
        let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "") + "/.cache"
        let own = environment["FLIPTRANSITION_PYTHON"]
        return [own, cache + "/fliptransition/\(name)/bin/python3", "python3"].compactMap(\.self)
    }

    /// The path of a Python that has `opentimelineio`; nil if there is none.
    package static let withTimelines = candidates("python").first { path in
        (try? Tool.run(path, ["-c", "import opentimelineio"], timeout: 60))?.status == 0
    }

    /// Whether `withTimelines` also has the adapters for Final Cut Pro's XML.
    package static let hasAdapters: Bool = {
        let words = "import opentimelineio.adapters as a; a.from_name('fcp_xml'); a.from_name('fcpx_xml')"
        guard let python = withTimelines else { return false }
        return (try? Tool.run(python, ["-c", words], timeout: 60))?.status == 0
    }()

    /// Why tests that need the adapters are skipped.
    package static let adaptersAreMissing =
        "needs Python with otio-fcp-adapter and otio-fcpx-xml-adapter (scripts/test installs them)"

    /// Whether tests of adapters run. If slow tests are on, they fail instead of being skipped when the adapters are
    /// missing.
    package static var runsAdapters: Bool { hasAdapters || Places.runsSlowTests }

    /// Converts the timeline at `path` into the file `other`, as otioconvert does.
    package static func convert(_ path: String, to other: String) throws {
        guard let python = withTimelines else { throw ToolError(isMissing) }
        let words =
            "import sys, opentimelineio.adapters as a; a.write_to_file(a.read_from_file(sys.argv[1]), sys.argv[2])"
        try Tool.succeed(python, ["-c", words, path, other])
    }

    /// The path of a Python that has `mcp`, the official client of the Model Context Protocol; nil if there is none.
    package static let withAgents = candidates("agents").first { path in
        (try? Tool.run(path, ["-c", "from mcp import Client"], timeout: 60))?.status == 0
    }

    /// Why tests that need `mcp` are skipped.
    package static let agentsAreMissing = "needs Python with mcp 2 (scripts/test installs it; or FLIPTRANSITION_PYTHON)"

    /// The folder of reveal.js, which a package of Python brings; nil if there is none.
    package static let revealFolder: String? = {
        let words = "import importlib.util as u; print(u.find_spec('sphinx_revealjs').submodule_search_locations[0])"
        for path in candidates("reveal") {
            guard let run = try? Tool.run(path, ["-c", words], timeout: 60), run.status == 0 else { continue }
            return run.text.trimmingCharacters(in: .whitespacesAndNewlines) + "/_static/revealjs"
        }
        return nil
    }()

    /// Why tests that need reveal.js are skipped.
    package static let revealIsMissing = "needs Python with sphinx-revealjs (scripts/test installs it)"

    /// The path of a Python that has `jsonschema`; nil if there is none.
    package static let withSchemas: String? = ["python3", "/usr/bin/python3"].first { path in
        (try? Tool.run(path, ["-c", "from jsonschema import Draft202012Validator"], timeout: 60))?.status == 0
    }

    /// Why tests that need `jsonschema` are skipped.
    package static let schemasAreMissing = "needs Python with jsonschema (Debian's python3-jsonschema)"

    /// The path of a Python that has GStreamer's bindings; nil if there is none.
    package static let withGStreamer: String? = ["/usr/bin/python3", "python3"].first { path in
        let program = "import gi; gi.require_version('GstController', '1.0'); from gi.repository import GstController"
        return (try? Tool.run(path, ["-c", program], timeout: 60))?.status == 0
    }

    /// Why tests of GStreamer's bindings are skipped.
    package static let gstreamerIsMissing = "needs Debian's python3-gi and gir1.2-gst-plugins-base-1.0"

    /// Why tests that need `opentimelineio` are skipped.
    package static let isMissing =
        "needs Python with opentimelineio (scripts/test installs it; or FLIPTRANSITION_PYTHON)"

    /// Whether tests of timelines run. If slow tests are on, they fail instead of being skipped when `opentimelineio`
    /// is missing.
    package static var runsTimelines: Bool { withTimelines != nil || Places.runsSlowTests }

    /// Runs Tests/Tools/otio_cases.py and returns its standard output.
    package static func timelines(_ arguments: [String]) throws -> Data {
        guard let python = withTimelines else { throw ToolError(isMissing) }
        return try Tool.succeed(python, [Places.package + "/Tests/Tools/otio_cases.py"] + arguments).output
    }

    /// The path of the Python that has what the Python package is tested with; nil if `scripts/python` hasn't made it.
    package static let withPackages: String? = {
        let path = (try? Tool.run(Places.package + "/scripts/python", ["--if-present"]))?.text ?? ""
        let trimmed = path.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }()

    /// Why tests of the Python package are skipped.
    package static let packagesAreMissing = "needs Python with NumPy and others (scripts/python installs them)"

    /// Whether `withPackages` also has VapourSynth, which needs Python 3.12.
    package static let hasVapourSynth: Bool = {
        guard let python = withPackages else { return false }
        return (try? Tool.run(python, ["-c", "import vapoursynth"], timeout: 60))?.status == 0
    }()

    /// Whether `withPackages` can run every case of the package's tests: VapourSynth, subinterpreters (Python 3.13) and vspipe, which
    /// needs Python as a shared library.
    package static let runsAllCases: Bool = {
        guard hasVapourSynth, let python = withPackages else { return false }
        let words = """
            import os, sys, sysconfig as s
            library = os.path.join(s.get_config_var("LIBDIR"), s.get_config_var("INSTSONAME"))
            sys.exit(sys.version_info < (3, 13) or not (s.get_config_var("Py_ENABLE_SHARED") and os.path.exists(library)))
            """
        return (try? Tool.run(python, ["-c", words], timeout: 60))?.status == 0
    }()

    /// The path of a Python from 3.10 on that is not `withPackages`; nil if there is none.
    package static let plain: String? = ["/usr/bin/python3", "python3"].first { path in
        (try? Tool.run(path, ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"], timeout: 60))?.status == 0
    }
}
