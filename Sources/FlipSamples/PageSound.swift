import FlipBase
import FlipFiles

/// The program's own sound of a page that turns and lands. It is computed with additions, multiplications and one
/// division only, so it is the same on every machine: mono, 16 bits, 65 kB as a WAV file.
package enum PageSound {
    package static let sampleRate = 48000
    /// The number of samples: 0.65 s.
    package static let count = 31200
    /// The index of the sample at which the page lands, 0.4 s from the start: the loudest one.
    package static let landing = 19200

    /// The samples, -32767...32767.
    ///
    /// While the page turns, band-passed noise swells and its band rises; its level flutters as paper does. Where the
    /// page lands there are a thud, a knock and a slap, which decay.
    package static var samples: [Int16] {
        var noise = Noise(state: 5)
        var swish = BandPass()
        var flutter = (level: 0.0, target: 0.0)
        var swishDecay = 1.0
        var impact = Impact()
        return (0..<count).map { index in
            let white = noise.next()
            let turned = min(Double(index) / Double(landing), 1)
            let rustle = swish.filter(white, tuning: 0.12 + 0.38 * turned * turned)
            // A new level every 20 ms, approached within 5 ms.
            if index % 960 == 0 { flutter.target = 0.35 + 0.65 * noise.fraction }
            flutter.level += 0.004 * (flutter.target - flutter.level)
            var sample = 0.5 * turned * turned * (1 - 0.55 * turned) * swishDecay * flutter.level * rustle
            if index >= landing {
                sample += impact.next(white)
                swishDecay *= 0.9992
            }
            return Int16((sample * 32767).rounded())
        }
    }

    /// The sound as a WAV file (RIFF, one `fmt ` and one `data` chunk).
    package static var wav: [UInt8] {
        let size = 2 * count
        let word = { (value: Int) in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let half = { (value: Int) in Array(word(value).prefix(2)) }
        let head = Array("RIFF".utf8) + word(36 + size) + Array("WAVEfmt ".utf8) + word(16)
        let format = half(1) + half(1) + word(sampleRate) + word(2 * sampleRate) + half(2) + half(16)
        return head + format + Array("data".utf8) + word(size) + samples.flatMap { half(Int($0)) }
    }

    /// A temporary file with the sound.
    package static func file() throws(MediaError) -> NamelessFile {
        let file = try NamelessFile()
        try file.append(wav)
        return file
    }

    /// Noise from a linear congruential generator (Knuth and Lewis, "ranqd1").
    private struct Noise {
        var state: UInt32

        /// The next sample, -1..<1.
        mutating func next() -> Double {
            state = state &* 1_664_525 &+ 1_013_904_223
            return Double(state) / 2_147_483_648 - 1
        }

        /// The latest sample's upper bits as a number 0..<1.
        var fraction: Double { Double(state >> 8) / 16_777_216 }
    }

    /// A state-variable filter (Chamberlin), of which the band is used.
    private struct BandPass {
        private var low = 0.0
        private var band = 0.0

        /// - Parameter tuning: 2 sin(pi f / 48000) for a band around f Hz; 0.12 is 0.9 kHz, 0.5 is 3.9 kHz.
        mutating func filter(_ input: Double, tuning: Double) -> Double {
            low += tuning * band
            band += tuning * (input - low - 0.7 * band)
            return band
        }
    }

    /// A page landing: a thud of 125 Hz and a knock of 410 Hz, which begin at their peaks, and a slap of noise.
    private struct Impact {
        private var thud = Ringing(cosine: 0.9988251529563642, sine: 0.016344697029768623)
        private var knock = Ringing(cosine: 0.9959631375143123, sine: 0.05350360016376598)
        private var slap = 0.0
        private var decay = 1.0

        mutating func next(_ white: Double) -> Double {
            slap += 0.35 * (white - slap)
            let sample = 0.35 * thud.next() + 0.25 * knock.next() + 0.72 * decay * (1 - decay) * slap
            // 9 ms to 1 / e.
            decay *= 0.9976878623
            return sample
        }
    }

    /// A damped cosine: a point that turns and shrinks at each sample. Its factor is exp(-1 / (48000 t)) at the angle
    /// 2 pi f / 48000, with a decay time t of 20 ms (thud) and 8 ms (knock).
    private struct Ringing {
        let cosine: Double
        let sine: Double
        private var (x, y) = (1.0, 0.0)

        init(cosine: Double, sine: Double) { (self.cosine, self.sine) = (cosine, sine) }

        mutating func next() -> Double {
            defer { (x, y) = (x * cosine - y * sine, x * sine + y * cosine) }
            return x
        }
    }
}
