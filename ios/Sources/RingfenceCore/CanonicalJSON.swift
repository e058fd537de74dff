// How does a value look when two programs must write the same text? (RFC 8785)

import Foundation

extension JSON {
  /// The text of the JSON Canonicalization Scheme: members sorted by the UTF-16 units of their
  /// names, no white space, numbers as ECMAScript writes them.
  var canonicalText: String {
    switch self {
    case .null: return "null"
    case .bool(let bool): return bool ? "true" : "false"
    case .int(let int): return JSON.canonical(Double(int))
    case .uint(let uint): return JSON.canonical(Double(uint))
    case .double(let double): return JSON.canonical(double)
    case .string(let string): return JSON.canonical(string)
    case .array(let array): return "[" + array.map { $0.canonicalText }.joined(separator: ",") + "]"
    case .object(let object):
      // Swift compares texts by their normal form, RFC 8785 by their units.
      let names = object.keys.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }
      let members = names.map { JSON.canonical($0) + ":" + (object[$0] ?? .null).canonicalText }
      return "{" + members.joined(separator: ",") + "}"
    }
  }

  private static func canonical(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\u{8}": text += "\\b"
      case "\t": text += "\\t"
      case "\n": text += "\\n"
      case "\u{C}": text += "\\f"
      case "\r": text += "\\r"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// Number::toString of ECMAScript. Swift finds the same shortest digits, but places the point
  /// elsewhere.
  private static func canonical(_ number: Double) -> String {
    guard number.isFinite else { return "null" }  // JSON has no such number
    guard number != 0 else { return "0" }
    let (digits, point) = decimal("\(number.magnitude)")
    let count = digits.count
    let sign = number < 0 ? "-" : ""
    if count <= point, point <= 21 { return sign + digits + String(repeating: "0", count: point - count) }
    if 0 < point, point <= 21 { return sign + digits.prefix(point) + "." + digits.dropFirst(point) }
    if -6 < point, point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    let fraction = count == 1 ? "" : "." + digits.dropFirst()
    return sign + digits.prefix(1) + fraction + "e" + (point > 0 ? "+" : "-") + "\(abs(point - 1))"
  }

  /// The digits of Swift's text without zeros at either end, and how many of them are before the
  /// point.
  private static func decimal(_ text: String) -> (digits: String, point: Int) {
    let parts = text.split(separator: "e")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let whole = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let all = whole.joined()
    let digits = all.drop { $0 == "0" }
    let point = whole[0].count - (all.count - digits.count) + exponent
    return (String(digits.reversed().drop { $0 == "0" }.reversed()), point)
  }
}
