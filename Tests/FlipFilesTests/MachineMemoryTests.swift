import FlipFiles
import TestSupport
import Testing

/// The memory that a control group leaves.
@Suite struct MachineMemoryTests {
    private func tree(_ limits: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (group, text) in limits {
            try folder.makeFolder(group)
            try (text + "\n").write(to: folder / "\(group)/memory.max")
        }
        return folder
    }

    @Test func theLowestLimitCounts() throws {
        let root = try tree([".": "max", "a": "5000", "a/b": "max", "c": "9000", "c/d": "100"])
        func limit(_ groups: String, physical: Int = 8000) -> Int {
            MachineMemory.limit(physical: physical, groups: groups, root: root.path)
        }
        #expect(limit("0::/a/b\n") == 5000, "a group is limited by those around it")
        #expect(limit("4:memory:/c/d\n0::/c/d\n") == 100)
        #expect(limit("0::/c\n") == 8000, "no group has more than the machine")
        #expect(limit("0::/\n") == 8000 && limit("") == 8000 && limit("0::/none/at/all\n") == 8000)
        let container = try tree([".": "300"])
        #expect(MachineMemory.limit(physical: 8000, groups: "0::/../host/path\n", root: container.path) == 300)
    }
}
