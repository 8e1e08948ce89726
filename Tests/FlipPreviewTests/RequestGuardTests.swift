import FlipPreview
import Testing

@Suite struct RequestGuardTests {
    private func verdict(_ port: Int, host: String, origin: String? = nil) -> RequestGuard.Verdict {
        let guardian = RequestGuard(port: port)
        return guardian.verdict(
            RequestGuard.Request(
                target: "/?token=" + guardian.token, hosts: [host], origins: [origin].compactMap(\.self)))
    }

    /// Browsers leave out the port of `http://localhost:80` (RFC 9110, 4.2.1 and 7.2).
    @Test(arguments: ["127.0.0.1", "localhost", "[::1]", "LOCALHOST:80"])
    func theDefaultPortMayBeLeftOut(host: String) {
        #expect(verdict(80, host: host) == .page)
        #expect(verdict(80, host: host, origin: "http://" + host) == .page)
        #expect(verdict(80, host: host, origin: "http://evil.example") == .refused(403))
    }

    @Test func otherPortsHaveToBeNamed() {
        for host in ["127.0.0.1", "localhost", "[::1]", "localhost:80", "evil.example:8080", ""] {
            #expect(verdict(8080, host: host) == .refused(403), "\(host)")
        }
        #expect(verdict(8080, host: "localhost:8080") == .page)
        #expect(verdict(80, host: "evil.example") == .refused(403))
    }
}
