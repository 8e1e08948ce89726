import CLibav
import FlipBase
import FlipFiles

/// The time at which a recording began.
package struct RecordingDate: Sendable, Hashable {
    /// Microseconds since 1970, in UTC.
    private let microseconds: Int64

    /// Reads ISO 8601, such as "2026-05-17T14:30:00Z" or "2026-05-17 16:30:00+0200", in UTC if it names no time zone; nil for
    /// anything else.
    package init?(_ text: String) {
        // libav would take times without a date for today's, and those without a zone for the machine's own.
        let shape = text.prefix(19).map { "0"..."9" ~= $0 ? "0" : $0 }
        guard ["0000-00-00T00:00:00", "0000-00-00 00:00:00"].contains(String(shape)) else { return nil }
        let hasZone = text.dropFirst(19).contains { "Zz+-".contains($0) }
        var microseconds: Int64 = 0
        guard av_parse_time(&microseconds, hasZone ? text : text + "Z", 0) >= 0 else { return nil }
        self.microseconds = microseconds
    }

    /// The time in UTC as libav's demuxers write it.
    package var text: String {
        let fraction = (microseconds % 1_000_000 + 1_000_000) % 1_000_000
        var time = time_t((microseconds - fraction) / 1_000_000)
        var parts = tm()
        gmtime_r(&time, &parts)
        let date = [
            (parts.tm_year + 1900).padded(to: 4), (parts.tm_mon + 1).padded(to: 2), parts.tm_mday.padded(to: 2),
        ]
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0.padded(to: 2) }
        return date.joined(separator: "-") + "T" + clock.joined(separator: ":") + ".\(fraction.padded(to: 6))Z"
    }
}
