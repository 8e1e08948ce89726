import CLibav
import FlipBase
import FlipFiles

extension InputFile {
    /// Makes a context, guards it, and has `body` open it.
    /// - Parameter further: the files that the demuxer may open besides the one that it is given.
    static func open(
        _ path: String, allowing further: Set<String> = [], _ body: (inout Context?) -> Int32
    ) throws(MediaError) -> (Context, InputGuard) {
        var context = avformat_alloc_context()
        guard let allocated = context else { throw .outOfMemory }
        let guardian = InputGuard(allocated, allowing: further)
        let (code, log) = MediaLog.capturing { body(&context) }
        guard code >= 0, !guardian.isExhausted else {
            // avformat_open_input has already freed the context if it failed.
            avformat_close_input(&context)
            throw failure(path, code: code, log: log, isExhausted: guardian.isExhausted)
        }
        guardian.renew()
        return (allocated, guardian)
    }

    /// Opens `url`, or the context's own I/O if that is nil, and lets libav detect the format.
    static func open(_ context: inout Context?, _ url: String?) -> Int32 {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "protocol_whitelist", "file,pipe", 0)
        av_dict_set(&options, "format_whitelist", InputGuard.allowedFormats, 0)
        // Every name means one photo; "img%03d.jpg" is not a sequence of files.
        av_dict_set(&options, "pattern_type", "none", 0)
        return avformat_open_input(&context, url, nil, &options)
    }

    /// Opens a sequence of pictures.
    static func open(_ context: inout Context?, _ files: PictureFiles) -> Int32 {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "protocol_whitelist", "file", 0)
        av_dict_set(&options, "pattern_type", files.kind, 0)
        if files.kind == "sequence" { av_dict_set(&options, "start_number", "\(files.start)", 0) }
        av_dict_set(&options, "framerate", files.rate.description, 0)
        return avformat_open_input(&context, files.pattern, av_find_input_format("image2"), &options)
    }

    private static func failure(_ path: String, code: Int32, log: String?, isExhausted: Bool) -> MediaError {
        if isExhausted {
            return MediaError(
                .badInput,
                "cannot read '\(path)' as video or audio: its first \(InputLimits.probeBytes >> 20) MiB contain no stream that is recognized"
            )
        }
        if log?.hasPrefix("Format not on whitelist") == true {
            return MediaError(.badInput, "'\(path)' is a list of other files or a script, which is not followed")
        }
        // The code doesn't decide the kind of error: demuxers report an I/O error or a lack of memory if a header is
        // cut off or has impossible sizes.
        let reason = log ?? MediaError.text(of: code)
        return MediaError(.badInput, "cannot read '\(path)' as video or audio: \(reason)")
    }

    /// Whether the file holds one picture, or several without time stamps, of a known codec.
    static func isPicture(_ context: Context) -> Bool {
        String(cString: context.pointee.iformat.pointee.name).hasSuffix("_pipe") && context.pointee.nb_streams == 1
            && context.pointee.streams[0]?.pointee.codecpar.pointee.codec_id != AV_CODEC_ID_NONE
    }

    /// Probes the streams' parameters, which may decode packets, but no pictures that are too large.
    static func findStreams(_ context: Context) -> Int32 {
        var options = [OpaquePointer?](repeating: nil, count: Int(context.pointee.nb_streams))
        for index in options.indices { av_dict_set(&options[index], "max_pixels", "\(InputLimits.maxPixels)", 0) }
        defer { for index in options.indices { av_dict_free(&options[index]) } }
        return avformat_find_stream_info(context, &options)
    }

    /// What to do about a path that names no file, if it looks like something that other programs read; else empty.
    private static func hint(onMissing path: String) -> String {
        if path.contains("://") { return " (only files are read: download it first, slides as PowerPoint or PDF)" }
        if path.contains(/%(0\d+)?d/) {
            return
                " (numbered pictures are not read as one clip; fliptransition FOLDER out.mp4 --hold 1f --transition cut "
                + "shows each for a frame, or make a clip of them with ffmpeg)"
        }
        return ""
    }

    /// Throws `missingInput` if there is no readable file at `path`, and `badInput` if it is empty.
    static func checkReadable(_ path: String) throws(MediaError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let reason = MediaError.systemReason
            throw MediaError(.missingInput, "cannot read '\(path)': \(reason)\(hint(onMissing: path))")
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw MediaError(
                .missingInput,
                "'\(path)' is a folder, not a media file (fliptransition FOLDER out.mp4 shows its pictures)")
        }
        guard access(path, R_OK) == 0 else {
            throw MediaError(.missingInput, "cannot read '\(path)': \(MediaError.systemReason)")
        }
        if status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 { throw MediaError(.badInput, "'\(path)' is empty") }
    }
}
