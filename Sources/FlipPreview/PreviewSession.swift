import FlipBase
import FlipGeometry
import FlipGesture
import FlipRender
import Foundation

/// One page that is open: what its pointers have done, and what it has asked for. The newest request wins: while a
/// picture is being drawn, only the last request for a further one is kept. All calls come from one queue.
final class PreviewSession: @unchecked Sendable {
    /// Sends an answer: a header and the bytes that follow it. There is no header if a newer request has won.
    typealias Reply = @Sendable (PreviewHeader?, [UInt8]) -> Void

    private let service: PreviewService
    private let queue: DispatchQueue
    private var model: GestureModel?
    /// What the model was made for.
    private var modelKey: ModelKey?
    private var isDrawing = false
    private var waiting: (request: PreviewRequest, reply: Reply)?
    private var isFilming = false

    private struct ModelKey: Equatable {
        let seam: Int
        let look: LookChoice
        let shown: Double
        let milliseconds: Double
    }

    /// - Parameter queue: where all calls come from.
    init(_ service: PreviewService, _ queue: DispatchQueue) { (self.service, self.queue) = (service, queue) }

    /// Calls `reply` once with the answer to a request, from any thread.
    func receive(_ request: PreviewRequest, _ reply: @escaping Reply) {
        guard service.info.seams.indices.contains(request.seam) else {
            return reply(PreviewHeader(error: "there is no such join"), [])
        }
        do {
            switch request.kind {
            case .frame: try frame(request, reply)
            case .describe: reply(try service.description(request), [])
            case .film: try film(request, reply)
            case .trace: reply(service.trace(request), [])
            case .save:
                let (header, bytes) = try service.save(request)
                reply(header, bytes)
            }
        } catch {
            reply(PreviewHeader(error: "\(error)"), [])
        }
    }

    // MARK: Pictures

    private func frame(_ request: PreviewRequest, _ reply: @escaping Reply) throws {
        if request.aside == true {
            let position = GesturePosition(progress: min(max(request.progress ?? 0, 0), 1))
            return draw(request, try service.look(request), position, isMoving: false, reply)
        }
        // What pointers did counts, even where the picture of it is skipped.
        try follow(request)
        guard isDrawing else { return try draw(request, reply) }
        waiting?.reply(nil, [])
        waiting = (request, reply)
    }

    /// Tells the model what happened.
    private func follow(_ request: PreviewRequest) throws(OptionError) {
        let look = try service.look(request)
        let shown = min(max(request.shown ?? 960, 16), 16384)
        let milliseconds = service.milliseconds(request)
        let key = ModelKey(seam: request.seam, look: request.look, shown: shown, milliseconds: milliseconds)
        if modelKey != key || request.restart == true || model == nil {
            let shownProgress = min(max(request.shownProgress ?? 0, 0), 1)
            let now = request.restart == true ? 0 : model?.position(at: request.now ?? 0).progress ?? shownProgress
            let info = service.info
            let setting = GestureSetting(
                look, width: shown, aspect: Double(info.width) / Double(info.height), duration: milliseconds)
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

    private func draw(_ request: PreviewRequest, _ reply: @escaping Reply) throws(OptionError) {
        let look = try service.look(request)
        let now = request.now ?? 0
        let position = model?.position(at: now) ?? GesturePosition(progress: 0)
        let isMoving = model?.isMoving(at: now) ?? false
        isDrawing = true
        draw(request, look, position, isMoving: isMoving) { [self] in
            reply($0, $1)
            queue.async { [self] in drawNext() }
        }
    }

    private func drawNext() {
        isDrawing = false
        guard let (request, reply) = waiting else { return }
        waiting = nil
        do {
            try draw(request, reply)
        } catch {
            reply(PreviewHeader(error: error.description), [])
        }
    }

    private func draw(
        _ request: PreviewRequest, _ look: StyledLook, _ position: GesturePosition, isMoving: Bool,
        _ reply: @escaping Reply
    ) {
        let isExact = request.exact == true && !isMoving
        // What moves is drawn without motion blur, and what rests as a film shows it.
        let spec = isExact && look.look.shutter > 0 ? try? service.spec(request) : nil
        let job = PreviewStudio.Job(
            join: request.seam, look: look, position: position, spec: spec,
            width: min(max(request.width ?? 640, 16), 16384),
            format: isExact ? .png : .jpg)
        let header = PreviewHeader(
            progress: position.progress, bump: position.bump, isMoving: isMoving, isExact: isExact)
        service.studio.draw(job) { Self.answer(header, $0, reply) }
    }

    /// Answers with what came of the work, or with what went wrong.
    private static func answer(_ header: PreviewHeader, _ result: Result<[UInt8], any Error>, _ reply: Reply) {
        switch result {
        case .success(let bytes): reply(header, bytes)
        case .failure(let error): reply(PreviewHeader(error: "\(error)"), [])
        }
    }

    // MARK: Films

    private func film(_ request: PreviewRequest, _ reply: @escaping Reply) throws {
        guard !isFilming else { return reply(PreviewHeader(error: "a film is being made already"), []) }
        let spec = try service.spec(request)
        isFilming = true
        service.studio.film(request.seam, spec, width: min(request.width ?? 960, 1920)) { [self] result in
            queue.async { [self] in isFilming = false }
            Self.answer(PreviewHeader(), result.map(Array.init), reply)
        }
    }
}
