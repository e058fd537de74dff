// developer.apple.com/documentation/dispatch/dispatchqueue

open class DispatchQueue: @unchecked Sendable {
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { fatalError() }
  }
  public convenience init(label: String, attributes: Attributes = []) { fatalError() }
  public init() { fatalError() }
}
