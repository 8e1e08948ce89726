/// The numbers of a media file that tell times, in the containers whose headers are understood here.
struct TimeFile {
    /// The file, in a form in which all fields are as wide as the container allows.
    private(set) var bytes: [UInt8]
    /// In file order.
    let fields: [TimeField]
    /// What has to be computed again after a change: a checksum over `range` is stored at `place`.
    private let checksums: [(range: Range<Int>, place: TimeField)]

    init(_ file: [UInt8]) {
        if file.number(at: 0, width: 4) == Matroska.header {
            bytes = Matroska.widened(file)
            (fields, checksums) = (Matroska.fields(bytes), [])
        } else if file.has("nut/multimedia", at: 0) {
            bytes = NUT.widened(file)
            (fields, checksums) = NUT.fields(bytes)
        } else {
            bytes = file
            if file.has("OggS", at: 0) {
                (fields, checksums) = SmallFormats.ogg(bytes)
            } else {
                checksums = []
                fields =
                    if file.has("ftyp", at: 4) || file.has("moov", at: 4) || file.has("wide", at: 4) {
                        QuickTime.fields(bytes)
                    } else if file.has("RIFF", at: 0) {
                        SmallFormats.avi(bytes)
                    } else if file.has("FLV", at: 0) {
                        SmallFormats.flv(bytes)
                    } else if file.has("DKIF", at: 0) {
                        SmallFormats.ivf(bytes)
                    } else {
                        MPEGStreams.fields(bytes)
                    }
            }
        }
    }

    mutating func set(_ field: TimeField, to value: UInt64) { field.set(value, in: &bytes) }

    func value(of field: TimeField) -> UInt64 { field.value(in: bytes) }

    /// Writes the checksums anew.
    mutating func seal() {
        for (range, place) in checksums {
            place.set(0, in: &bytes)
            place.set(bytes.checksum(range), in: &bytes)
        }
    }
}
