import FlipGeometry

/// Words of other programs, and of the first guess, that this one doesn't have, and what to type in their place.
enum ForeignWords {
    /// Throws if one of `words` is such an option, or the first one such a command.
    static func check(_ words: [String]) throws(OptionError) {
        if let first = words.first, commands.contains(first) {
            throw OptionError("there is no command '\(first)' (fliptransition in1.mp4 in2.mp4 out.mp4 joins clips)")
        }
        for word in words.prefix(while: { $0 != "--" }) where word.hasPrefix("-") {
            let name = String(word.prefix { $0 != "=" })
            if let (_, hint) = options.first(where: { $0.names.contains(name) }) {
                throw OptionError("there is no option '\(name)' (\(hint))")
            }
        }
    }

    private static let commands: Set = [
        "merge", "concat", "concatenate", "make", "create", "convert", "combine", "append",
    ]

    private static let options: [(names: Set<String>, hint: String)] = [
        (["--pages", "--page"], "pages of a document are named after it, as in deck.pdf#page=2-5"),
        (["--voice"], "the command of --speak names the voice, as in --speak 'espeak-ng -v en -w {out} -f {in}'"),
        (["--otio"], "fliptransition export in1.mp4 in2.mp4 film.otio writes a timeline"),
        (["--write-project"], "fliptransition export slides.pdf talk.yaml writes a project"),
        (["--write-timings"], "fliptransition export slides.pdf timings.txt writes the times of slides"),
        (["--out", "--outfile", "--output-file"], "the last file is the output, or give -o FILE"),
        (["--input", "--inputs", "--clips"], "name the clips one after the other, and then the output"),
        (
            ["--effect", "--transitions", "--transition-name", "--type", "-mixer", "-filter_complex", "-lavfi", "-vf"],
            "--style names the transition, and fliptransition styles lists all"
        ),
        (["--time", "--length", "--transition-duration", "-d", "-mix"], "--duration 0.6 is how long transitions last"),
        (["--codec", "--vcodec", "--encoder"], "--video-codec libx265 names the video encoder"),
        (["--quality", "-q:v", "--cq"], "--crf 20 is the quality, lower is better"),
        (["--resolution", "--width", "--height", "--scale"], "--size 1080p or --size 1280x720 is the frame size"),
        (["--framerate", "--rate", "--frame-rate", "-framerate"], "--fps 30 is the frame rate"),
        (["--mute", "--no-sound", "--silent"], "--no-audio leaves out the sound"),
        (["--gpu", "--hwaccel", "-hwaccel"], "--video-codec h264_nvenc or h264_vaapi encodes on a GPU"),
        (["-ss", "-to", "-t"], "give it before an input that an output follows, or write clip.mp4#t=2.5,9"),
        (["--trim", "--from", "--start"], "a part of a clip is written clip.mp4#t=2.5,9"),
        (["--copy", "--lossless", "--smart"], "--render auto copies what is outside the transitions"),
        (["--fade", "--crossfade"], "--style fade fades from clip to clip, --fade-in and --fade-out at the ends"),
        (["--force", "--replace"], "-y replaces an existing output"),
        (["--margin", "--edit"], "auto-editor's timeline of cuts is an input: fliptransition cuts.json out.mp4"),
        (["-consumer", "-producer"], "fliptransition in1.mp4 in2.mp4 out.mp4 names the output as the last file"),
        (["-shortest", "-map", "-movflags", "-f:v"], "that is decided by the inputs and the output's name"),
        (["--max-size", "--filesize", "--file-size", "-fs"], "--target-size 10M is the size of the file"),
    ]
}
