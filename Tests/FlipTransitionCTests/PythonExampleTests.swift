import Foundation
import TestSupport
import Testing

extension LibraryTests {
    /// docs/examples/python, called with wrong arguments.
    @Suite struct PythonExampleTests {
        /// Every mistake raises a ValueError: there is no crash, no array of garbage, and no write outside the
        /// picture's memory.
        @Test(.enabled(if: Python.withNumpy != nil, "needs Python with numpy (apt-get install python3-numpy)"))
        func mistakesAreValueErrors() throws {
            let library = try InstalledLibrary.shared.get()
            let run = try Tool.run(
                try #require(Python.withNumpy), [Places.package + "/Tests/Tools/python_abuses.py"],
                environment: library.environment.merging(["MALLOC_CHECK_": "3", "MALLOC_PERTURB_": "165"]) { $1 })
            #expect(run.status == 0, "\(run.story)")
            let lines = run.text.split(separator: "\n").map(String.init)
            #expect(lines.last == "end")
            let refused = lines.prefix { !$0.hasPrefix("booleans") }
            #expect(refused.count >= 40)
            #expect(refused.filter { !$0.hasSuffix(": ValueError") } == [])
            #expect(lines.dropFirst(refused.count).dropLast().allSatisfy { $0.hasSuffix(": taken") })
        }
    }
}
