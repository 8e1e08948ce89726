import FlipBase
import FlipGeometry
import FlipGesture
import FlipRender
import Foundation

/// One page that is open: what its pointers have done, and what it has asked for. The newest request wins: while a
/// picture is being drawn, only the last request for a further one is kept. All calls come from one thread.
final class PreviewSession {
    /// Sends an answer: a header and the bytes that follow it.
    typealias Send = (PreviewHeader, [UInt8]) -> Void

    private let service: PreviewService
    private let send: Send
    /// Runs its argument in the session's thread, from any other.
    private let back: @Sendable (@escaping @Sendable () -> Void) -> Void
    private var model: GestureModel?
    /// What the model was made for.
    private var modelKey: ModelKey?
    private var isDrawing = false
    private var waiting: PreviewRequest?
    private var isFilming = false

    private struct ModelKey: Equatable {
        let seam: Int
        let look: LookChoice
        let shown: Double
        let milliseconds: Double
    }

    init(
        _ service: PreviewService, back: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        send: @escaping Send
    ) {
        self.service = service
        self.back = back
        self.send = send
    }

    /// Reads a message. Throws if it is none, and the connection is to be closed.
    func receive(_ data: Data) throws {
        let request = try JSONDecoder().decode(PreviewRequest.self, from: data)
        guard service.info.seams.indices.contains(request.seam) else {
            return fail(request, "there is no such join")
        }
        do {
            switch request.kind {
            case .frame: try frame(request)
            case .describe: send(try service.description(request), [])
            case .film: try film(request)
            case .trace: send(service.trace(request), [])
            case .save:
                let (header, bytes) = try service.save(request)
                send(header, bytes)
            }
        } catch {
            fail(request, "\(error)")
        }
    }

    private func fail(_ request: PreviewRequest, _ message: String) {
        send(PreviewHeader(number: request.number, kind: request.kind.rawValue, error: message), [])
    }

    // MARK: Pictures

    private func frame(_ request: PreviewRequest) throws {
        // What pointers did counts, even where the picture of it is skipped.
        if request.aside != true { try follow(request) }
        if isDrawing {
            waiting = request
        } else {
            try draw(request)
        }
    }

    /// Tells the model what happened.
    private func follow(_ request: PreviewRequest) throws(OptionError) {
        let look = try request.look.look()
        let shown = min(max(request.shown ?? 960, 16), 16384)
        let milliseconds = service.milliseconds(request)
        let key = ModelKey(seam: request.seam, look: request.look, shown: shown, milliseconds: milliseconds)
        if modelKey != key || request.restart == true || model == nil {
            let now = request.restart == true ? 0 : model?.position(at: request.now ?? 0).progress ?? 0
            let info = service.info
            let setting = GestureSetting(
                look, width: shown, aspect: Double(info.width) / Double(info.height),
                duration: milliseconds)
            model = GestureModel(setting, at: now)
            modelKey = key
        }
        if let time = request.time { model?.jump(to: try service.spec(request).progress(at: time)) }
        if let progress = request.progress { model?.jump(to: min(max(progress, 0), 1)) }
        for entry in request.samples ?? [] { model?.add(entry.sample) }
        switch request.command {
        case "complete": model?.complete(at: request.now ?? 0)
        case "cancel": model?.cancel(at: request.now ?? 0)
        default: break
        }
    }

    private func draw(_ request: PreviewRequest) throws(OptionError) {
        let look = try request.look.look()
        let now = request.now ?? 0
        var position = model?.position(at: now) ?? GesturePosition(progress: 0)
        var isMoving = model?.isMoving(at: now) ?? false
        if request.aside == true {
            position = GesturePosition(progress: min(max(request.progress ?? 0, 0), 1))
            isMoving = false
        }
        let isExact = request.exact == true && !isMoving
        let job = PreviewStudio.Job(
            join: request.seam, look: look, position: position, width: min(max(request.width ?? 640, 16), 16384),
            format: isExact ? .png : .jpg)
        isDrawing = true
        let header = PreviewHeader(
            number: request.number, kind: request.kind.rawValue, progress: position.progress, bump: position.bump,
            isMoving: isMoving, isExact: isExact)
        let link = Link(self)
        service.studio.draw(job) { [back] result in
            back { link.session?.wasDrawn(header, result) }
        }
    }

    private func wasDrawn(_ header: PreviewHeader, _ result: Result<[UInt8], any Error>) {
        isDrawing = false
        switch result {
        case .success(let bytes): send(header, bytes)
        case .failure(let error):
            send(PreviewHeader(number: header.number, kind: header.kind, error: "\(error)"), [])
        }
        guard let next = waiting else { return }
        waiting = nil
        do {
            try draw(next)
        } catch {
            fail(next, error.description)
        }
    }

    // MARK: Films

    private func film(_ request: PreviewRequest) throws {
        guard !isFilming else { return fail(request, "a film is being made already") }
        let spec = try service.spec(request)
        isFilming = true
        let number = request.number
        let link = Link(self)
        service.studio.film(request.seam, spec, width: min(request.width ?? 960, 1920)) { [back] result in
            back { link.session?.wasFilmed(number, result) }
        }
    }

    private func wasFilmed(_ number: Int, _ result: Result<Data, any Error>) {
        isFilming = false
        var header = PreviewHeader(number: number, kind: PreviewRequest.Kind.film.rawValue)
        switch result {
        case .success(let data): send(header, Array(data))
        case .failure(let error):
            header.error = "\(error)"
            send(header, [])
        }
    }
}

/// Leads back to a session from another thread; it is only followed in the session's own.
private final class Link: @unchecked Sendable {
    weak var session: PreviewSession?

    init(_ session: PreviewSession) { self.session = session }
}
