import FlipBase

/// Decides which requests are answered. Pages of other sites can make a browser send requests to this computer, and can
/// make their own name stand for its address, so each request has to name this server, and prove that it comes from a
/// page that somebody opened who has seen the address with the token.
package struct RequestGuard: Sendable {
    /// What becomes of a request.
    package enum Verdict: Equatable, Sendable {
        /// The page itself, with the cookie that admits all other requests.
        case page
        /// Something else, by its path.
        case resource(String)
        /// A message of the page, in the body.
        case message
        /// Refused with this status.
        case refused(Int)
    }

    /// The parts of a request that matter here. Headers that are there several times have several values.
    package struct Request: Sendable {
        package var method: String
        /// The path with the query, as it was sent.
        package var target: String
        package var hosts: [String]
        package var origins: [String]
        package var cookies: [String]
        /// The length of the body in bytes; nil if the head doesn't say it.
        package var length: Int?

        package init(
            method: String = "GET", target: String, hosts: [String], origins: [String] = [], cookies: [String] = [],
            length: Int? = 0
        ) {
            (self.method, self.target, self.hosts, self.origins) = (method, target, hosts, origins)
            (self.cookies, self.length) = (cookies, length)
        }
    }

    /// Where messages go.
    private static let messages = "/ask"
    /// The longest message of a page, in bytes. The page ends a recording at the longest gesture, which takes at most
    /// 60,000 samples of about 75 bytes.
    private static let longestMessage = 6 << 20

    /// The values of `Host` that name this server.
    package let hosts: Set<String>
    /// The secret in the address that is printed.
    package let token: String
    /// The secret in the cookie.
    let secret: String
    let cookieName: String

    /// - Parameters:
    ///   - port: the port that the server listens on.
    ///   - extraHost: a further name or address of this computer; nil for none.
    package init(port: Int, extraHost: String? = nil, token: String = Self.secret(), secret: String = Self.secret()) {
        let names = ["127.0.0.1", "localhost", "[::1]"] + [extraHost].compactMap(\.self)
        // Browsers leave out the port that is the default of HTTP.
        let endings = port == 80 ? [":80", ""] : [":\(port)"]
        hosts = Set(names.flatMap { name in endings.map { name.lowercased() + $0 } })
        (self.token, self.secret) = (token, secret)
        // Cookies don't know of ports, so several previews need several names.
        cookieName = "fliptransition-\(port)"
    }

    /// 256 random bits as hexadecimal digits.
    package static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in (generator.next() as UInt64).padded(to: 16, radix: 16) }.joined()
    }

    /// The value of `Set-Cookie` that admits a browser.
    package var cookie: String { "\(cookieName)=\(secret); Path=/; HttpOnly; SameSite=Strict" }

    package func verdict(_ request: Request) -> Verdict {
        guard request.hosts.count == 1, hosts.contains(request.hosts[0].lowercased()) else { return .refused(403) }
        let isOwn =
            request.origins.count == 1 && request.origins[0].lowercased() == "http://" + request.hosts[0].lowercased()
        let reads = request.method == "GET" || request.method == "HEAD"
        let isMessage = request.method == "POST" && request.target == Self.messages
        guard isOwn || reads && request.origins.isEmpty else { return .refused(403) }
        guard reads || isMessage else { return .refused(405) }
        guard let length = request.length, length <= (reads ? 0 : Self.longestMessage) else { return .refused(413) }
        let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(parts[0])
        let query = parts.count > 1 ? String(parts[1]) : ""
        if path == "/", !query.isEmpty { return Self.isEqual(query, "token=" + token) ? .page : .refused(403) }
        guard request.cookies.contains(where: isAdmitted) else { return .refused(403) }
        if isMessage { return .message }
        guard query.isEmpty else { return .refused(404) }
        return path == "/" ? .page : .resource(path)
    }

    private func isAdmitted(_ header: String) -> Bool {
        header.split(separator: ";").contains { pair in
            Self.isEqual(String(pair.drop { $0 == " " }), cookieName + "=" + secret)
        }
    }

    /// Compares in a time that doesn't depend on where two texts of the same length differ.
    private static func isEqual(_ a: String, _ b: String) -> Bool {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
