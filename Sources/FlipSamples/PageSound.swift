import FlipBase
import FlipFiles

/// The program's own sounds of a page that turns and lands. They follow its movement: a slow turn is quiet. They are mono, with 16
/// bits a sample.
package struct PageSound {
    /// What turns.
    package enum Kind: String, Sendable, CaseIterable {
        /// A page of firm paper, which slaps.
        case page
        /// A large, soft leaf, which rustles.
        case leaf
        /// A cover, which thuds.
        case board
    }

    package static let sampleRate = 48000
    /// The index of the sample at which the page lands.
    package let landing: Int
    private let kind: Kind
    /// The page's speed in each block of its turn, in turns a second, as a part of `fullSpeed`.
    private let speeds: [Double]

    /// The number of samples during which the speed stays the same: 10 ms.
    private static let block = 480
    /// What follows the landing: 0.25 s.
    private static let tail = 12000
    /// The speed, in turns a second, at which a page is as loud as it becomes: that of the middle of a turn of 0.6 s that is eased
    /// at both of its ends.
    private static let fullSpeed = 3.0

    /// The sound of a turn that takes `seconds`, in which `progress` is a function of the time, both 0...1.
    package init(_ kind: Kind, seconds: Double, progress: (Double) -> Double) {
        self.kind = kind
        let landing = max(Int((seconds * Double(Self.sampleRate)).rounded()), 1)
        self.landing = landing
        let blocks = (landing + Self.block - 1) / Self.block
        let places = (0...blocks).map { progress(min(Double($0 * Self.block) / Double(landing), 1)) }
        let time = Double(Self.block) / Double(Self.sampleRate)
        speeds = zip(places, places.dropFirst()).map { min(abs($1 - $0) / time / Self.fullSpeed, 1) }
    }

    /// How loud each part of the sound is: the rustling, the thud, the knock and the slap.
    private var levels: (rustle: Double, thud: Double, knock: Double, slap: Double) {
        switch kind {
        case .page: (0.30, 0.35, 0.25, 0.72)
        case .leaf: (0.34, 0.24, 0.25, 0.25)
        case .board: (0.12, 0.55, 0.30, 0.30)
        }
    }

    /// How loud the landing is, 0...1: by the greatest speed in the second half of the turn.
    private var impact: Double { 0.1 + 0.9 * (speeds.suffix((speeds.count + 1) / 2).max() ?? 0) }

    /// The samples, -32767...32767.
    ///
    /// While the page turns, band-passed noise is as loud and as bright as the page is fast, and its level flutters as paper does.
    /// Where the page lands there are a thud, a knock and a slap, which decay.
    package var samples: [Int16] {
        var noise = Noise(state: 5)
        var swish = BandPass()
        var flutter = (level: 0.0, target: 0.0)
        var (speed, decay) = (0.0, 1.0)
        var impact = Impact(levels)
        let (rustle, strength) = (levels.rustle, self.impact)
        return (0..<landing + Self.tail).map { index in
            let white = noise.next()
            // The speed is approached within 6 ms.
            let block = min(index / Self.block, speeds.count - 1)
            speed += 0.0035 * (speeds[block] - speed)
            let paper = swish.filter(white, tuning: 0.12 + 0.33 * speed)
            // A new level every 20 ms, approached within 5 ms.
            if index % 960 == 0 { flutter.target = 0.35 + 0.65 * noise.fraction }
            flutter.level += 0.004 * (flutter.target - flutter.level)
            var sample = rustle * speed * decay * flutter.level * paper
            if index >= landing {
                sample += strength * impact.next(white)
                decay *= 0.98
            }
            return Int16((sample * 32767).rounded())
        }
    }

    /// The sound as a WAV file (RIFF, one `fmt ` and one `data` chunk).
    package var wav: [UInt8] {
        let samples = samples
        let size = 2 * samples.count
        let word = { (value: Int) in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let half = { (value: Int) in Array(word(value).prefix(2)) }
        let head = Array("RIFF".utf8) + word(36 + size) + Array("WAVEfmt ".utf8) + word(16)
        let format = half(1) + half(1) + word(Self.sampleRate) + word(2 * Self.sampleRate) + half(2) + half(16)
        var bytes = head + format + Array("data".utf8) + word(size)
        bytes.reserveCapacity(bytes.count + size)
        for sample in samples {
            bytes.append(UInt8(truncatingIfNeeded: sample))
            bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
        }
        return bytes
    }

    /// A temporary file with the sound.
    package func file() throws(MediaError) -> NamelessFile {
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
        private let levels: (rustle: Double, thud: Double, knock: Double, slap: Double)

        init(_ levels: (rustle: Double, thud: Double, knock: Double, slap: Double)) { self.levels = levels }

        mutating func next(_ white: Double) -> Double {
            slap += 0.35 * (white - slap)
            let sample =
                levels.thud * thud.next() + levels.knock * knock.next() + levels.slap * decay * (1 - decay) * slap
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
