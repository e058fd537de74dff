// What does Apple add to the Objective-C module in Swift?

@_exported import ObjectiveC

extension NSObject: Equatable, Hashable {
  public static func == (one: NSObject, other: NSObject) -> Bool { fatalError() }
  public func hash(into hasher: inout Hasher) { fatalError() }
}

@frozen public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
  public init(_ value: Bool) { fatalError() }
  public init(booleanLiteral value: Bool) { fatalError() }
  public var boolValue: Bool { fatalError() }
}

public func _convertBoolToObjCBool(_ value: Bool) -> ObjCBool { fatalError() }
public func _convertObjCBoolToBool(_ value: ObjCBool) -> Bool { fatalError() }

@frozen public struct Selector: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { fatalError() }
}
