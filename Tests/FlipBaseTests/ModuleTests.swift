import Foundation
import Testing

/// The modules import each other as docs/DESIGN.md says, and as the layers need it.
@Suite struct ModuleTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The rows of the table of modules: each module's name and what it imports.
    private static let documented: [(name: String, imports: Set<String>)] = {
        let page = (try? String(contentsOf: root.appending(path: "docs/DESIGN.md"), encoding: .utf8)) ?? ""
        let lines = page.split(separator: "\n").drop { $0 != "| module | imports | what it is for |" }
        return lines.dropFirst(2).prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            return (cells[1], Set(cells[2].split(separator: ", ").map(String.init)))
        }
    }()

    /// The modules of Sources, those without Swift code included.
    private static let modules: Set<String> = {
        Set((try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path)) ?? [])
    }()

    /// All that the sources of a module import.
    private static func imports(of module: String) throws -> Set<String> {
        let folder = root.appending(path: "Sources/\(module)")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
        var found: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let words = line.split(separator: " ").drop { $0.hasPrefix("@") || $0 == "public" || $0 == "package" }
                guard words.first == "import", let name = words.last else { continue }
                found.insert(String(name.split(separator: ".")[0]))
            }
        }
        return found
    }

    @Test func theTableHasAllModules() throws {
        let withSwift = try Self.modules.filter { try !Self.imports(of: $0).isEmpty || $0 == "FlipBase" }
        #expect(Set(Self.documented.map(\.name)).isSuperset(of: withSwift))
        #expect(Set(Self.documented.map(\.name)).isSubset(of: Self.modules))
    }

    @Test func theTableHasAllImports() throws {
        for (name, imports) in Self.documented {
            #expect(try Self.imports(of: name).intersection(Self.modules) == imports, "\(name)")
        }
    }

    /// No module imports itself by way of others, so that every import points downward.
    @Test func importsPointDownward() {
        var left = Dictionary(uniqueKeysWithValues: Self.documented.map { ($0.name, $0.imports) })
        while let lowest = left.first(where: { $0.value.allSatisfy { left[$0] == nil } })?.key { left[lowest] = nil }
        #expect(left.isEmpty, "\(left.keys.sorted()) import each other")
    }

    @Test func onlyOneModuleKnowsLibav() throws {
        #expect(try Self.modules.filter { try Self.imports(of: $0).contains("CLibav") } == ["FlipMedia"])
    }

    /// What draws pictures needs neither Foundation nor files, so that it can be taken to other systems.
    @Test(arguments: ["FlipBase", "FlipBitstream", "FlipFrame", "FlipGeometry", "FlipHost", "FlipRaster", "FlipSplice"])
    func foundationIsNotNeeded(by module: String) throws {
        #expect(try !Self.imports(of: module).contains("Foundation"))
    }
}
