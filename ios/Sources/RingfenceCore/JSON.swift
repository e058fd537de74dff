// What can a body hold? A value of JSON that can be handed from one thread to another.

import Foundation

/// A value of JSON (RFC 8259). Whole numbers stay whole, so that an id of 19 digits arrives as it was given.
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
  /// Throws for what is nested deeper than any answer of the service: a thread of iOS has a small stack.
  public init(from decoder: Decoder) throws {
    guard decoder.codingPath.count < 2 * JSON.deepest else {
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
  /// So deep may a value be nested, and so many parts may it have; one that contains itself ends here.
  private static let deepest = 32
  private static let mostParts = 10_000

  /// A value of an integrator. Of lists and dictionaries, what JSON cannot hold is dropped (dates, data, objects, infinite
  /// numbers, what is nested too deep); nil when nothing is left to hold, or it has too many parts.
  public init?(any value: Any) {
    var parts = 0
    self.init(any: value, depth: 0, &parts)
    guard parts <= JSON.mostParts else { return nil }
  }

  private init?(any value: Any, depth: Int, _ parts: inout Int) {
    parts += 1
    guard depth < JSON.deepest, parts <= JSON.mostParts else { return nil }
    if let json = value as? JSON {
      self = json
    } else if let object = value as? [String: Any] {
      self = .object(object.compactMapValues { JSON(any: $0, depth: depth + 1, &parts) })
    } else if let array = value as? [Any] {
      self = .array(array.compactMap { JSON(any: $0, depth: depth + 1, &parts) })
    } else if let string = value as? String {
      self = .string(string)
    } else {
      // Numbers, booleans and NSNull: Foundation knows a boxed boolean from a boxed 1.
      guard JSONSerialization.isValidJSONObject([value]),
        let text = try? JSONSerialization.data(withJSONObject: [value]),
        let boxed = try? JSONDecoder().decode([JSON].self, from: text), let only = boxed.first
      else { return nil }
      self = only
    }
  }

  /// The same value in the types that Foundation uses: for Objective-C and React Native.
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

  /// A text with at least one character: an empty id is none.
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

  /// An object without the fields that nobody told.
  public static func told(_ fields: [String: JSON?]) -> JSON {
    .object(fields.compactMapValues { $0 })
  }

  /// An integer, where there is one.
  public static func whole(_ value: Int?) -> JSON? { value.map { .int(Int64($0)) } }
  public static func flag(_ value: Bool?) -> JSON? { value.map { .bool($0) } }
  public static func words(_ value: String?) -> JSON? { value.map { .string($0) } }
  public static func words(_ values: [String]) -> JSON { .array(values.map { .string($0) }) }
  /// A number, where it is finite.
  public static func number(_ value: Double?) -> JSON? { value.flatMap { $0.isFinite ? .double($0) : nil } }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .int(value) }
}
