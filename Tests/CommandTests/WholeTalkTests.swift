import TestSupport
import Testing

extension CommandTests {
    /// Whole talks and albums, each by one command.
    @Suite(.serialized) struct WholeTalkTests {
        let folder = TemporaryFolder.make()

        /// Speaks for 1.5 s, of which a tone is heard from 0.25 to 1.25 s.
        private static let voice =
            #"ffmpeg -nostdin -v error -f lavfi -i 'aevalsrc=0.5*sin(2*PI*500*t)*between(t\,0.25\,1.25):s=48000:d=1.5' {out}"#

        /// Notes as captions, recorded narration, a film, and speech for what isn't recorded.
        @Test(
            .enabled(if: Places.has("soffice"), "needs LibreOffice: scripts/setup --tests installs it"),
            arguments: Places.some(["PowerPoint", "LibreOffice"], every: 2))
        func aTalkHasAllThatItsSlidesHave(writer: String) throws {
            var deck = try DeckFiles.talk(in: folder)
            if writer == "LibreOffice" {
                try Tool.succeed(
                    "soffice", "-env:UserInstallation=file://\(folder / "profile") --headless --convert-to pptx",
                    "--outdir \(folder / "again") \(deck)", timeout: 120)
                deck = folder / "again/talk.pptx"
            }
            let out = folder / "out.mkv"
            try succeed(
                "deck \(deck) \(out) --captions-from notes --speak \(Self.voice) --speech-cache \(folder / "cache")",
                "--transition cut --size 320x180 --crf 4 --preset ultrafast --audio-codec pcm_s16le")
            // Slide 1 stays for its narration, 2 s; slide 2 for its film, 2 s; and slide 3 for its speech, 1.5 s.
            #expect(abs(try Judge.video(out).frameCount - 138) <= 1)
            // Where nothing is heard: around the tones of the narration, of the speech for slide 2, of its film, and of the
            // speech for slide 3.
            let edges: [Double] = [0, 0.5, 1.5, 2.25, 3.25, 3.5, 3.8, 4.25, 5.25, 5.5]
            let silences = try NoteSlides.silences(out, seconds: 0.2)
            #expect(silences.count == 5, "\(silences)")
            for (silence, place) in zip(silences, stride(from: 0, to: edges.count, by: 2)) {
                let (start, end) = (edges[place], edges[place + 1])
                #expect(abs(silence.start - start) < 0.06 && abs(silence.end - end) < 0.06, "\(silences)")
            }
            let captions = try NoteSlides.captions(out)
            #expect(captions.map(\.text) == DeckFiles.talkNotes)
            #expect(zip(captions, [0, 2, 4]).allSatisfy { abs($0.start - Double($1)) < 0.06 }, "\(captions)")
            let starts = try Judge.chapters(out).map(\.start)
            #expect(starts.count == 3 && zip(starts, [0, 2, 4]).allSatisfy { abs($0 - $1) < 0.045 }, "\(starts)")
            // Luma in the middle rises by 4 from frame to frame while the film plays, and the slide is around it.
            let middle = try Judge.frames(out, filter: "crop=8:8:156:86,scale=1:1", format: "gray")
            let film = (55..<95).map { Int(middle[$0 + 1]) - Int(middle[$0]) }
            #expect(film.count(where: { (2...6).contains($0) }) == film.count, "\(film)")
            let corner = try Judge.frames(out, filter: "crop=8:8:8:8,scale=1:1", format: "rgb24")
            let colors = [25, 75, 125].map { frame in (0..<3).map { Int(corner[3 * frame + $0]) } }
            #expect(
                zip(colors, [[255, 0, 0], [0, 255, 0], [0, 0, 255]]).allSatisfy {
                    zip($0, $1).allSatisfy { abs($0 - $1) < 12 }
                }, "\(colors)")
        }

        /// A folder of pictures as phones and cameras take them becomes an album of all of them, each upright.
        @Test(.needsMedia, .enabled(if: Places.has("heif-convert"), "needs heif-convert (libheif-examples)"))
        func anAlbumHasAllPicturesUpright() throws {
            // What each picture looks like upright: converted by libheif, decoded by ffmpeg, or the photo that isn't turned.
            try Tool.succeed("heif-convert", [medium("heic-phone-photo.heic"), folder / "phone.png"])
            let album = try TemporaryFolder()
            let pictures = [
                ("1.heic", "heic-phone-photo.heic", folder / "phone.png"),
                ("2.avif", "avif-768x512-kodak.avif", try medium("avif-768x512-kodak.avif")),
                ("3.webp", "webp-lossy-600x315-mountain.webp", try medium("webp-lossy-600x315-mountain.webp")),
                ("4.jpg", "jpeg-exif-orientation-6.jpg", try medium("jpeg-exif-orientation-1.jpg")),
                ("5.jpg", "jpeg-exif-orientation-3.jpg", try medium("jpeg-exif-orientation-1.jpg")),
            ]
            for (name, file, _) in pictures {
                try album.add(medium(file), as: name)
            }
            let out = folder / "album.mkv"
            let run = try succeed(
                "deck \(album.path) \(out) --hold 10f --transition cut --size 320x240 --crf 4 --preset ultrafast")
            #expect(warnings(run).isEmpty, "\(run.messages)")
            #expect(try Judge.video(out).frameCount == 10 * pictures.count)
            let fit = "scale=320:240:force_original_aspect_ratio=decrease:flags=area,pad=320:240:(ow-iw)/2:(oh-ih)/2"
            for (index, picture) in pictures.enumerated() {
                let shown = try Judge.frames(out, filter: "select=eq(n\\,\(10 * index + 5))", format: "gray")
                let meant = try Judge.frames(picture.2, filter: "select=eq(n\\,0),\(fit)", format: "gray")
                try #require(shown.count == meant.count)
                let error = zip(shown, meant).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
                let noise = 10 * log10(255 * 255 * Double(shown.count) / error)
                #expect(noise > 24, "\(picture.0): \(noise) dB")
            }
        }
    }
}
