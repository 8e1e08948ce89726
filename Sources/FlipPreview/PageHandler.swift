import FlipGesture
import Foundation

/// Answers the requests that are let through, all of them in one queue, from which the studio takes what it draws.
final class PageHandler: @unchecked Sendable {
    typealias Reply = @Sendable (HTTPAnswer) -> Void

    let guardian: RequestGuard
    private let service: PreviewService
    private let queue = DispatchQueue(label: "pages")
    /// The pages that are open, the one that asked last at the end. Only touched in the queue.
    private var sessions: [(page: String, session: PreviewSession)] = []

    /// The most pages whose hands are remembered. One that was forgotten begins anew, where its last picture was.
    private static let mostSessions = 8

    init(_ service: PreviewService, _ guardian: RequestGuard) { (self.service, self.guardian) = (service, guardian) }

    /// Calls `reply` once with the answer, from any thread.
    func answer(_ verdict: RequestGuard.Verdict, _ body: Data, _ reply: @escaping Reply) {
        queue.async { [self] in
            switch verdict {
            case .page: reply(HTTPAnswer(PageFiles.page, "text/html; charset=utf-8", cookie: guardian.cookie))
            case .resource(let path): resource(path, reply)
            case .message: message(body, reply)
            case .refused(let status): reply(HTTPAnswer(refusal: status))
            }
        }
    }

    private func message(_ body: Data, _ reply: @escaping Reply) {
        guard let request = try? JSONDecoder().decode(PreviewRequest.self, from: body) else {
            return reply(HTTPAnswer(refusal: 400))
        }
        session(of: String(request.page.prefix(64))).receive(request) { reply(HTTPAnswer($0, $1)) }
    }

    private func session(of page: String) -> PreviewSession {
        let index = sessions.firstIndex { $0.page == page }
        let session = index.map { sessions.remove(at: $0).session } ?? PreviewSession(service, queue)
        sessions.append((page, session))
        if sessions.count > Self.mostSessions { sessions.removeFirst() }
        return session
    }

    private func resource(_ path: String, _ reply: @escaping Reply) {
        if let file = PageFiles.files[path] { return reply(HTTPAnswer(file.bytes, file.type)) }
        switch path {
        case "/catalogue.json": return reply(HTTPAnswer(Array(service.catalogue), "application/json"))
        case "/info.json":
            let data = (try? JSONEncoder().encode(service.info)) ?? Data()
            return reply(HTTPAnswer(Array(data), "application/json"))
        default: break
        }
        guard let job = cell(path) else { return reply(HTTPAnswer(refusal: 404)) }
        service.studio.draw(job) { result in
            switch result {
            case .success(let bytes): reply(HTTPAnswer(bytes, "image/jpeg"))
            case .failure: reply(HTTPAnswer(refusal: 500))
            }
        }
    }

    /// The width of a picture of the contact sheet.
    private static let cellWidth = 320
    /// The number of pictures of each look.
    private static let cells = 1...5

    /// The picture of the contact sheet at `/cell/SEAM/LOOK/STEP`, all of them numbers; nil if there is none.
    private func cell(_ path: String) -> PreviewStudio.Job? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[1] == "cell", let seam = Int(parts[2]), let number = Int(parts[3]),
            let step = Int(parts[4]), service.info.seams.indices.contains(seam),
            service.info.sheet.indices.contains(number), Self.cells.contains(step),
            let look = try? service.info.sheet[number].look.look()
        else { return nil }
        return PreviewStudio.Job(
            join: seam, look: look,
            position: GesturePosition(progress: look.look.easing(Double(step) / Double(Self.cells.upperBound + 1))),
            width: Self.cellWidth, format: .jpg)
    }
}
