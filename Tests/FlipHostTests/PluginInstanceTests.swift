import CFrei0r
import FlipFrei0r
import FlipGeometry
import FlipHost
import TestSupport
import Testing

/// What both plugins have in common. CommandTests loads them as hosts do.
@Suite struct PluginInstanceTests {
    @Test func theVersionIsTheProducts() {
        let info = PluginInfo.info(.mixer, name: "name", explanation: "words")
        #expect(ProductVersion.text.hasPrefix("\(info.major_version).\(info.minor_version)."))
        #expect(info.parameter_count == Int32(HostParameter.all.count))
    }

    /// A stack of two pictures, possibly with a spare row, is written down to its last row.
    @Test(arguments: [8, 9]) func stacksAreWrittenToTheirLastRow(rows: Int) throws {
        let width = 16
        var random = SplitMix64(seed: 1)
        let pair = (0..<width * rows).map { _ in UInt32(truncatingIfNeeded: random.next()) | 0xFF00_0000 }
        let result = GuardedSamples<UInt32>(count: width * rows)
        let instance = try #require(
            PluginInstance(width: width, height: rows / 2, spareRows: rows % 2, clockUnit: 0.001))
        instance.drawStack(0, pair, into: result.start)
        // Progress is 0 by default, so the upper half is the first picture and the whole frame is unchanged.
        #expect(result.numbers == pair && result.isIntact)
    }
}
