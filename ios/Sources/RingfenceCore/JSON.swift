// What can a body contain? A JSON value that can be passed between threads.

import Foundation

/// A JSON value (RFC 8259). Integers stay integers, so that an id with 19 digits is not rounded.
public enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  case double(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])
}

extension JSON: Codable {
  /// Throws for deeper nesting than the service ever returns, because iOS threads have a small
  /// stack.
  public init(from decoder: Decoder) throws {
    guard decoder.codingPath.count < 2 * JSON.maxDepth else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "Nested too deep"))
    }
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let int = try? value.decode(Int64.self) {
      self = .int(int)
    } else if let uint = try? value.decode(UInt64.self) {
      self = .uint(uint)
    } else if let double = try? value.decode(Double.self) {
      self = .double(double)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([JSON].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  public func encode(to encoder: Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .int(let int): try value.encode(int)
    case .uint(let uint): try value.encode(uint)
    case .double(let double): try value.encode(double)
    case .string(let string): try value.encode(string)
    case .array(let array): try value.encode(array)
    case .object(let object): try value.encode(object)
    }
  }
}

extension JSON {
  /// Limits on nesting and on the number of parts. They also stop a value that contains itself.
  private static let maxDepth = 32
  private static let maxParts = 10_000

  /// A value from the app. In lists and dictionaries, values that JSON cannot represent are dropped
  /// (dates, data, objects, infinite numbers, too deep nesting). nil if the value itself cannot be
  /// represented or has too many parts.
  public init?(any value: Any) {
    var parts = 0
    self.init(any: value, depth: 0, &parts)
    guard parts <= JSON.maxParts else { return nil }
  }

  private init?(any value: Any, depth: Int, _ parts: inout Int) {
    parts += 1
    guard depth < JSON.maxDepth, parts <= JSON.maxParts else { return nil }
    if let json = value as? JSON {
      self = json
    } else if let object = value as? [String: Any] {
      self = .object(object.compactMapValues { JSON(any: $0, depth: depth + 1, &parts) })
    } else if let array = value as? [Any] {
      self = .array(array.compactMap { JSON(any: $0, depth: depth + 1, &parts) })
    } else if let string = value as? String {
      self = .string(string)
    } else {
      // Numbers, booleans and NSNull. JSONSerialization distinguishes a boxed boolean from a boxed
      // 1.
      guard JSONSerialization.isValidJSONObject([value]),
        let text = try? JSONSerialization.data(withJSONObject: [value]),
        let boxed = try? JSONDecoder().decode([JSON].self, from: text), let only = boxed.first
      else { return nil }
      self = only
    }
  }

  /// The same value in Foundation types, for Objective-C and React Native.
  public var any: Any {
    switch self {
    case .null: return NSNull()
    case .bool(let bool): return bool
    case .int(let int): return NSNumber(value: int)
    case .uint(let uint): return NSNumber(value: uint)
    case .double(let double): return double
    case .string(let string): return string
    case .array(let array): return array.map { $0.any }
    case .object(let object): return object.mapValues { $0.any }
    }
  }

  public subscript(name: String) -> JSON? {
    guard case .object(let object) = self else { return nil }
    return object[name]
  }

  public var string: String? {
    guard case .string(let string) = self else { return nil }
    return string
  }

  /// A text with at least one character. An empty id counts as missing.
  public var text: String? {
    string.flatMap { $0.isEmpty ? nil : $0 }
  }

  public var bool: Bool? {
    guard case .bool(let bool) = self else { return nil }
    return bool
  }

  public var int: Int? {
    guard case .int(let int) = self else { return nil }
    return Int(int)
  }

  /// The object with this field. Any other value is unchanged.
  func setting(_ name: String, _ value: JSON) -> JSON {
    guard case .object(var fields) = self else { return self }
    fields[name] = value
    return .object(fields)
  }

  /// An object without the fields that are nil.
  public static func withoutNil(_ fields: [String: JSON?]) -> JSON {
    .object(fields.compactMapValues { $0 })
  }

  /// An integer, or nil.
  public static func whole(_ value: Int?) -> JSON? { value.map { .int(Int64($0)) } }
  public static func flag(_ value: Bool?) -> JSON? { value.map { .bool($0) } }
  public static func words(_ value: String?) -> JSON? { value.map { .string($0) } }
  public static func words(_ values: [String]) -> JSON { .array(values.map { .string($0) }) }
  /// A number, or nil if it is nil or not finite.
  public static func number(_ value: Double?) -> JSON? { value.flatMap { $0.isFinite ? .double($0) : nil } }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .int(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Of two equal names the last one counts.
  public init(dictionaryLiteral fields: (String, JSON)...) { self = .object(Dictionary(fields) { $1 }) }
}
