import FlipBase
import FlipFiles
import Foundation

/// Chromium without a window, which opens one page and is told what to do with it by messages of the DevTools protocol
/// (https://chromedevtools.github.io/devtools-protocol). Its command line can print a page too, but doesn't wait for scripts.
final class HeadlessBrowser {
    /// An object of JSON.
    typealias Message = [String: Any]

    private let place: TemporaryPlace
    private let run: Work
    /// How the browser ended; nil while it runs.
    private let ending: Ending
    /// The pipes to and from the browser.
    private let (requests, answers): (Int32, Int32)
    private let path: String
    private var pending: [UInt8] = []
    private var lastRequest = 0
    /// The session of the page, which its messages name.
    private var session: String?
    /// Whether the page has been loaded since this was set to false.
    private var isLoaded = false

    private final class Ending: Sendable {
        let result = Mutex<Result<Void, MediaError>?>(nil)
    }

    /// The seconds that a document may take.
    private static let seconds = 180
    /// The largest message, such as one with a PDF.
    private static let longestMessage = 512 << 20

    /// Starts Chromium in a sandbox, where it can read the folder of the page at `path` and has no network.
    init(for path: String) throws(MediaError) {
        try HelperProgram.chromium.require(for: path)
        try HelperProgram.bubblewrap.require(for: path)
        self.path = path
        let place = try TemporaryPlace.privateFolder(named: "browser")
        self.place = place
        var isStarted = false
        defer { if !isStarted { place.remove() } }
        guard let folder = Files.realPath(place.path), let page = Files.realPath(path) else {
            throw MediaError.system(.missingInput, "find", path)
        }
        let files = URL(fileURLWithPath: page).deletingLastPathComponent().path
        guard !(NamelessFile.folder + "/").hasPrefix(files == "/" ? "/" : files + "/") else {
            throw MediaError(
                .badInput,
                "'\(path)' is a web page, which can read its folder (put it into a folder of its own, not \(files))")
        }
        guard let sandbox = Sandbox(readable: [files], folder: folder).words() else {
            throw MediaError(
                .missingCodec,
                "'\(path)' is a web page, which is opened in a sandbox alone, and this system doesn't allow that (print the page to "
                    + "PDF in a browser)")
        }
        let pipes = [folder + "/requests", folder + "/answers"]
        guard pipes.allSatisfy({ mkfifo($0, 0o600) == 0 }) else {
            throw MediaError(.io, "cannot make a pipe in \(folder): \(MediaError.systemReason)")
        }
        // Opened for both directions, a pipe doesn't wait for its other end.
        (requests, answers) = (open(pipes[0], O_RDWR | O_CLOEXEC), open(pipes[1], O_RDWR | O_CLOEXEC | O_NONBLOCK))
        guard requests >= 0, answers >= 0 else {
            let reason = MediaError.systemReason
            for pipe in [requests, answers] where pipe >= 0 { close(pipe) }
            throw MediaError(.io, "cannot open a pipe in \(folder): \(reason)")
        }
        var limits = HelperProgram.Limits(seconds: Self.seconds, memory: nil)
        limits.launcher =
            sandbox + ["sh", "-c", #"exec 3<"$1" 4>"$2"; shift 2; exec "$@" <&- >/dev/null"#, "sh"] + pipes
        let words = [
            // In bubblewrap's sandbox, Chromium can't make its own.
            "--headless", "--no-sandbox", "--remote-debugging-pipe", "--user-data-dir=" + folder + "/profile",
            "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions", "--disable-background-networking",
            "--no-first-run", "--hide-scrollbars", "about:blank",
        ]
        ending = Ending()
        run = Work("browser") { [ending, limits] in
            let result = Result { () throws(MediaError) in
                try HelperProgram.chromium.run(words, for: path, into: NamelessFile(), limits: limits)
            }
            ending.result.withLock { $0 = result }
        }
        isStarted = true
    }

    deinit {
        _ = try? send("Browser.close", in: nil)
        run.join()
        close(requests)
        close(answers)
        place.remove()
    }

    /// Opens the page at `address` and waits until it is loaded.
    func visit(_ address: String) throws(MediaError) {
        let target = try call("Target.createTarget", ["url": "about:blank"])["targetId"] ?? ""
        session = try call("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"] as? String
        try call("Page.enable")
        isLoaded = false
        if let reason = try call("Page.navigate", ["url": address])["errorText"] as? String {
            throw MediaError(.badInput, "Chromium cannot open '\(path)': \(reason)")
        }
        while !isLoaded { _ = try receive() }
    }

    /// The value of an expression of JavaScript, or what it promises.
    func evaluate(_ script: String) throws(MediaError) -> Any? {
        let answer = try call(
            "Runtime.evaluate", ["expression": script, "awaitPromise": true, "returnByValue": true])
        guard answer["exceptionDetails"] == nil else {
            throw MediaError(.badInput, "Chromium cannot read the slides of '\(path)'")
        }
        return (answer["result"] as? Message)?["value"]
    }

    /// Prints the page to a PDF, whose pages have the size that the page asks for, or else 1280x720 of CSS's pixels.
    func printed() throws(MediaError) -> NamelessFile {
        let answer = try call(
            "Page.printToPDF",
            [
                "preferCSSPageSize": true, "printBackground": true, "paperWidth": 1280.0 / 96,
                "paperHeight": 720.0 / 96, "marginTop": 0, "marginBottom": 0, "marginLeft": 0, "marginRight": 0,
            ])
        guard let text = answer["data"] as? String, let bytes = Data(base64Encoded: text) else {
            throw MediaError(.badInput, "Chromium cannot print '\(path)'")
        }
        let file = try NamelessFile()
        try file.append(Array(bytes))
        return file
    }

    // MARK: Messages

    /// Sends a request and waits for its result.
    @discardableResult
    private func call(_ method: String, _ parameters: Message = [:]) throws(MediaError) -> Message {
        let number = try send(method, parameters, in: session)
        while true {
            let message = try receive()
            guard message["id"] as? Int == number else { continue }
            if let result = message["result"] as? Message { return result }
            let reason = (message["error"] as? Message)?["message"] as? String ?? "no reason"
            throw MediaError(.badInput, "Chromium cannot show '\(path)': \(reason)")
        }
    }

    /// Sends a request.
    /// - Returns: the number by which its answer is known.
    private func send(_ method: String, _ parameters: Message = [:], in session: String?) throws(MediaError) -> Int {
        lastRequest += 1
        var message: Message = ["id": lastRequest, "method": method, "params": parameters]
        message["sessionId"] = session
        guard var bytes = try? JSONSerialization.data(withJSONObject: message) else { return lastRequest }
        bytes.append(0)
        // Requests are far smaller than what a pipe holds.
        guard bytes.withUnsafeBytes({ write(requests, $0.baseAddress, $0.count) }) == bytes.count else {
            throw MediaError(.io, "cannot write to Chromium: \(MediaError.systemReason)")
        }
        return lastRequest
    }

    /// Waits for the next message.
    /// - Throws: why the browser has ended, if it has.
    private func receive() throws(MediaError) -> Message {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var searched = 0
        while true {
            if let end = pending[searched...].firstIndex(of: 0) {
                let bytes = Data(pending[..<end])
                pending.removeFirst(end + 1)
                guard let message = try? JSONSerialization.jsonObject(with: bytes) as? Message else { return [:] }
                switch message["method"] as? String {
                case "Page.loadEventFired": isLoaded = true
                // The page waits until a dialog is answered.
                case "Page.javascriptDialogOpening":
                    _ = try send("Page.handleJavaScriptDialog", ["accept": true], in: session)
                default: break
                }
                return message
            }
            searched = pending.count
            let count = buffer.withUnsafeMutableBytes { read(answers, $0.baseAddress, $0.count) }
            if count > 0 {
                pending += buffer[..<count]
                guard pending.count <= Self.longestMessage else {
                    throw MediaError(.badInput, "'\(path)' is more than Chromium can print at once")
                }
                continue
            }
            if let result = ending.result.withLock({ $0 }) {
                try result.get()
                throw MediaError(.badInput, "Chromium cannot show '\(path)': it ended too early")
            }
            var awaited = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
            poll(&awaited, 1, 100)
        }
    }
}
