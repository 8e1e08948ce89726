import Foundation
import FlipFiles

extension RequestID {
    /// The identifier of a message of which only the beginning is known, if it stands there; nil otherwise. Clients mostly
    /// write it before the parameters, which are what makes messages long.
    init?(beginningOf message: [UInt8]) {
        var depth = 0
        var place = 0
        var isKey = false
        while place < message.count {
            let byte = message[place]
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                isKey = true
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                place += 1
            case UInt8(ascii: ","):
                isKey = true
                place += 1
            case UInt8(ascii: "\""):
                guard let end = Self.end(ofText: message, from: place) else { return nil }
                let text = message[place..<end]
                let wasKey = isKey
                isKey = false
                place = end
                guard depth == 1, wasKey, text.elementsEqual("\"id\"".utf8) else { continue }
                guard let value = Self.value(message[end...]) else { return nil }
                let object = Data("{\"id\":".utf8) + value + Data("}".utf8)
                let parsed = try? JSONText.parse(object, path: "the message", maximumCount: 4)
                self.init(parsed?["id"])
                return
            default: place += 1
            }
        }
        return nil
    }

    /// The place after the text that begins with the quotation mark at `start`; nil if it isn't complete.
    private static func end(ofText message: [UInt8], from start: Int) -> Int? {
        var place = start + 1
        while place < message.count, message[place] != UInt8(ascii: "\"") {
            place += message[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return place < message.count ? place + 1 : nil
    }

    /// The text or number after a colon; nil if it isn't complete.
    private static func value(_ rest: ArraySlice<UInt8>) -> [UInt8]? {
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let value = Array(rest[(colon + 1)...].drop { [9, 13, 32].contains($0) })
        if value.first == UInt8(ascii: "\"") { return end(ofText: value, from: 0).map { Array(value[..<$0]) } }
        let ends = [UInt8(ascii: ","), UInt8(ascii: "}")]
        return value.firstIndex(where: ends.contains).map { Array(value[..<$0]) }
    }
}
