import FlipBase
import FlipFiles
import FlipMedia
import TestSupport
import Testing

/// What is kept between runs: whole or not at all, and within its limit.
@Suite struct WorkCacheTests {
    private func files(_ folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter { !$0.hasSuffix("lock") && $0.contains("/") }.sorted()
    }

    @Test func entriesAreKeptByKindAndKey() throws {
        let folder = try TemporaryFolder()
        let first = try WorkCache(folder / "cache", limit: 1 << 20)
        let (long, short) = ([UInt8]((0..<100_000).map { UInt8($0 * 7 % 251) }), Array("short".utf8))
        first.put(.segments, "a", long)
        first.put(.pages, "a", short)
        first.put(.pages, "empty", [])
        let second = try WorkCache(folder / "cache", limit: 1 << 20)
        #expect(second.take(.segments, "a") == long && second.take(.pages, "a") == short)
        #expect(second.take(.pages, "empty") == [])
        #expect(second.take(.documents, "a") == nil && second.take(.pages, "b") == nil)
        // The last one counts.
        second.put(.pages, "a", Array("other".utf8))
        #expect(first.take(.pages, "a") == Array("other".utf8))
        var status = stat()
        #expect(stat(folder / "cache", &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    /// Keys tell apart where one part ends and the next begins.
    @Test func keysAreOfTheirParts() {
        let lists = [["ab", "c"], ["a", "bc"], ["abc"], ["a", "b", "c"], ["ab", "c", ""], ["2 ab"], ["ab1 c"]]
        #expect(Set(lists.map { WorkCache.key($0) }).count == lists.count)
        #expect(WorkCache.key(["a"]) == WorkCache.key(["a"]))
    }

    /// An entry that was cut off, lengthened, changed in any byte, or put in the place of another is none.
    @Test func damagedEntriesAreNone() throws {
        let folder = try TemporaryFolder()
        let cache = try WorkCache(folder / "cache", limit: 1 << 20)
        let bytes = [UInt8]((0..<300).map { UInt8($0 % 256) })
        cache.put(.documents, "a", bytes)
        let path = folder / "cache/documents/a"
        let whole = try Data(contentsOf: path)
        var damaged = (0..<whole.count).map { length in whole.prefix(length) }
        damaged += whole.indices.map { index in
            var copy = whole
            copy[index] ^= 1
            return copy
        }
        damaged += [whole + Data([0]), whole + whole, Data(count: whole.count)]
        for (number, data) in damaged.enumerated() {
            try data.write(to: path)
            let file = try NamelessFile()
            #expect(!cache.take(.documents, "a", into: file.descriptor), "\(number)")
            #expect(file.byteCount == 0 && lseek(file.descriptor, 0, SEEK_CUR) == 0)
            #expect(!cache.take(.documents, "a", intoFile: folder / "target"))
        }
        #expect(try !folder.names.contains("target"))
        try whole.write(to: path)
        #expect(cache.take(.documents, "a") == bytes)
        try whole.write(to: folder / "cache/documents/b")
        #expect(cache.take(.documents, "b") == nil)
    }

    /// What wasn't used for longest goes first, of all kinds together, and not while another run is at work.
    @Test func theLimitIsKept() throws {
        let folder = try TemporaryFolder()
        var cache: WorkCache? = try WorkCache(folder / "cache", limit: 5000)
        for (number, kind) in [WorkCache.Kind.segments, .pages, .documents, .segments].enumerated() {
            cache?.put(kind, "\(number)", [UInt8](repeating: UInt8(number), count: 1000))
            usleep(20_000)
        }
        try folder.makeFolder("cache/speech")
        try Data(count: 2000).write(to: folder / "cache/speech/s.wav")
        usleep(20_000)
        try Data(count: 10).write(to: folder / "cache/pages/.left.part-1-abc")
        #expect(cache?.take(.segments, "0") != nil)
        // 4 * 1064 + 2000 bytes, of which 1264 are too many: two entries.
        var other: WorkCache? = try WorkCache(folder / "cache", limit: 5000)
        cache?.trim()
        #expect(files(folder / "cache").count == 6)
        #expect(other?.take(.pages, "1") != nil)
        usleep(20_000)
        other = nil
        cache?.trim()
        #expect(files(folder / "cache") == ["pages/1", "segments/0", "speech/s.wav"])
        // What is too much for itself isn't kept, nor more than the limit in one run.
        cache?.put(.outputs, "large", [UInt8](repeating: 0, count: 3000))
        for number in 0..<10 { cache?.put(.outputs, "\(number)", [UInt8](repeating: 0, count: 900)) }
        #expect(files(folder / "cache").filter { $0.hasPrefix("outputs") } == ["outputs/0"])
        cache = nil
    }

    /// Two runs that write the same entries while others read them: each read is one of what was written, or nothing.
    @Test func writersDoNotDisturbEachOther() async throws {
        let folder = try TemporaryFolder()
        let path = folder / "cache"
        let values = (0..<4).map { [UInt8](repeating: UInt8($0), count: 200_000) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for value in values {
                group.addTask {
                    let cache = try WorkCache(path, limit: 1 << 30)
                    for round in 0..<20 {
                        cache.put(.segments, "\(round % 2)", value)
                        cache.trim()
                    }
                    return 0
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    let cache = try WorkCache(path, limit: 1 << 30)
                    var found = 0
                    for round in 0..<60 {
                        guard let bytes = cache.take(.segments, "\(round % 2)") else { continue }
                        #expect(values.contains(bytes))
                        found += 1
                    }
                    return found
                }
            }
            for try await _ in group {}
        }
        #expect(files(path) == ["segments/0", "segments/1"])
        let cache = try WorkCache(path, limit: 1 << 30)
        #expect(values.contains(try #require(cache.take(.segments, "0"))))
    }

    /// A folder into which others may write is refused, since they could put anything there.
    @Test func othersMayNotWrite() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("cache")
        #expect(chmod(folder / "cache", 0o777) == 0)
        #expect(throws: MediaError.self) { try WorkCache(folder / "cache", limit: 1000) }
        #expect(chmod(folder / "cache", 0o755) == 0)
        _ = try WorkCache(folder / "cache", limit: 1000)
    }
}
