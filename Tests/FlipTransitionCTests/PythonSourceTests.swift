import TestSupport
import Testing

extension LibraryTests {
    /// The Python package without its wheel.
    @Suite struct PythonSourceTests {
        /// The package's folder takes the library that is installed for C, and what is wrong is refused.
        @Test(.enabled(if: Python.plain != nil, "needs Python from 3.10 on")) func thePackageTakesTheLibraryOfC() throws
        {
            let library = try InstalledLibrary.shared.get()
            let python = try #require(Python.plain)
            let environment = try [
                "PYTHONPATH": Places.package + "/Sources/Python", "PYTHONDONTWRITEBYTECODE": "1",
                "FLIPTRANSITION": Places.program(), "MALLOC_CHECK_": "3", "MALLOC_PERTURB_": "165",
            ]
            let run = try Tool.run(
                "env", "-C \(Places.package + "/Tests/Python") \(python) -m unittest test_bare", timeout: 170,
                environment: library.environment.merging(environment) { $1 })
            #expect(run.status == 0, "\(run.story)")
        }
    }
}
