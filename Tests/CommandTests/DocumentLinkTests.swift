import TestSupport
import Testing

extension CommandTests {
    /// The pages of docs/ are found, and so is everything that they link, in the repository and where they are installed.
    @Suite struct DocumentLinkTests {
        private static let docs = Places.package + "/docs"

        /// The Markdown files of docs/, relative to it.
        private static func pages() throws -> [String] {
            let all = try #require(FileManager.default.subpaths(atPath: docs))
            return all.filter { $0.hasSuffix(".md") && !$0.contains(".build/") }.sorted()
        }

        private static func text(_ path: String) throws -> String { try String(contentsOf: path) }

        /// What the page at `path` links within the documentation: paths, and the headings in them.
        private func links(in path: String) throws -> [(path: String, heading: String)] {
            try Self.text(path).matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.filter { !$0.contains("://") }.map {
                let parts = $0.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
                let target = parts[0].isEmpty ? path : folder.appendingPathComponent(parts[0]).standardized.path
                return (target, parts.count > 1 ? parts[1] : "")
            }
        }

        /// The names by which the headings of a page are linked: in lower case, with dashes for spaces and without other
        /// punctuation.
        private func headings(of path: String) throws -> Set<String> {
            let lines = try Self.text(path).split(separator: "\n").filter { $0.hasPrefix("#") }
            return Set(
                lines.map { line in
                    line.drop { $0 == "#" }.dropFirst().lowercased().replacing(" ", with: "-")
                        .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
                })
        }

        @Test func everyPageIsInTheIndex() throws {
            let index = Self.docs + "/README.md"
            let linked = try Set(links(in: index).map(\.path))
            for page in try Self.pages() where page != "README.md" {
                #expect(linked.contains(Self.docs + "/" + page), "docs/README.md doesn't link \(page)")
            }
        }

        @Test func noLinkIsDead() throws {
            let pages =
                try Self.pages().map { Self.docs + "/" + $0 }
                + ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Benchmarks/README.md"].map {
                    Places.package + "/" + $0
                }
            for page in pages {
                for (target, heading) in try links(in: page) {
                    #expect(FileManager.default.fileExists(atPath: target), "\(page) links \(target)")
                    guard !heading.isEmpty, FileManager.default.fileExists(atPath: target) else { continue }
                    #expect(try headings(of: target).contains(heading), "\(page) links \(target)#\(heading)")
                }
            }
        }

        /// Pages are installed without the rest of the repository, so that they may link each other and nothing else.
        @Test func pagesLinkNothingOutside() throws {
            for page in try Self.pages() {
                for (target, _) in try links(in: Self.docs + "/" + page) {
                    #expect(target.hasPrefix(Self.docs + "/"), "\(page) links \(target)")
                }
            }
        }

        /// Whatever `scripts/stage` installs as documentation is what help points to.
        @Test func thePagesAreInstalled() throws {
            let list = try Self.text(Places.package + "/scripts/installed").split(separator: "\n")
                .map { $0.split(separator: " ").map(String.init) }
            #expect(list.contains(["fliptransition", "folder", "docs", "share/doc/fliptransition"]))
        }

        @Test func optionsInTheIndexAreTaken() throws {
            let page = try Self.text(Self.docs + "/README.md")
            let options = page.matches(of: /--([a-z][a-z-]+)/).map { String($0.1) }
            let known = Set(try HelpTests.commands().flatMap { $0.arguments ?? [] }.flatMap(\.longNames)).union([
                "help-all"
            ])
            #expect(options.count > 8)
            // Headings of pages are linked with dashes, too.
            for option in options where !["json"].contains(option) { #expect(known.contains(option), "--\(option)") }
        }
    }
}
