import FlipBase

/// Jobs of a plan as command lines name them: numbers from 0, ranges and hashes, separated by commas.
package enum JobSelection {
    /// The numbers of the jobs that `text` names, each once, in the order of the text.
    /// - Throws: `usage` if a part of it names no job of the plan.
    package static func parse(_ text: String, in plan: JobPlan) throws(MediaError) -> [Int] {
        try parse(text, count: plan.jobs.count) { hash in plan.jobs.indices.filter { plan.jobs[$0].hash == hash } }
    }

    static func parse(_ text: String, in plan: StoredPlan) throws(MediaError) -> [Int] {
        try parse(text, count: plan.indices.count, plan.indices(of:))
    }

    private static func parse(_ text: String, count: Int, _ named: (String) -> [Int]) throws(MediaError) -> [Int] {
        var indices: [Int] = []
        var known: Set<Int> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let found = range(String(word), count, named) else {
                throw MediaError(
                    .usage,
                    "invalid job '\(text.prefix(80))' (expected a number or a range n-m in 0...\(count - 1), a job's "
                        + "hash, or several of these with commas between them)")
            }
            for index in found where known.insert(index).inserted { indices.append(index) }
        }
        return indices
    }

    private static func range(_ word: String, _ count: Int, _ named: (String) -> [Int]) -> [Int]? {
        // Jobs that make the same have one hash and places of their own.
        let isHash = word.count == 20 && word.allSatisfy { $0.isASCII && $0.isHexDigit }
        let equal = isHash ? named(word) : []
        if isHash { return equal.isEmpty ? nil : equal }
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        guard (1...2).contains(parts.count), numbers.count == parts.count, let first = numbers.first,
            let last = numbers.last, first <= last, (0..<count).contains(first), (0..<count).contains(last)
        else { return nil }
        return Array(first...last)
    }

    /// The text that names the jobs `indices`, in ascending order: `0-3,7`. It also is what Slurm's `--array` takes.
    package static func text(_ indices: some Sequence<Int>) -> String {
        var ranges: [ClosedRange<Int>] = []
        for index in indices.sorted() {
            if let last = ranges.last, index <= last.upperBound + 1 {
                ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, index)
            } else {
                ranges.append(index...index)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }
}

/// The folders that replace a plan's roots on this machine: `inputs=/mnt/b`.
package enum RootMap {
    /// - Throws: `usage` unless each of `words` is a name and a folder.
    package static func parse(_ words: [String]) throws(MediaError) -> [String: String] {
        var map: [String: String] = [:]
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[1].hasPrefix("/") else {
                throw MediaError(
                    .usage, "invalid root-map '\(word)' (expected a root's name and an absolute path: inputs=/mnt/b)")
            }
            map[String(parts[0])] = String(parts[1])
        }
        return map
    }
}
