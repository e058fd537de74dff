// Which Swift part of Foundation does the SDK use? developer.apple.com/documentation/foundation

@_exported import Darwin
@_exported import Foundation
@_exported import ObjectiveC

public typealias TimeInterval = Double

extension String: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSString { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ x: NSString, result: inout String?) { fatalError() }
  public static func _conditionallyBridgeFromObjectiveC(_ x: NSString, result: inout String?) -> Bool { fatalError() }
  public static func _unconditionallyBridgeFromObjectiveC(_ x: NSString?) -> String { fatalError() }
}
extension Dictionary: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSDictionary { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ x: NSDictionary, result: inout [Key: Value]?) { fatalError() }
  public static func _conditionallyBridgeFromObjectiveC(_ x: NSDictionary, result: inout [Key: Value]?) -> Bool { fatalError() }
  public static func _unconditionallyBridgeFromObjectiveC(_ x: NSDictionary?) -> [Key: Value] { fatalError() }
}
extension Array: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSArray { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ x: NSArray, result: inout [Element]?) { fatalError() }
  public static func _conditionallyBridgeFromObjectiveC(_ x: NSArray, result: inout [Element]?) -> Bool { fatalError() }
  public static func _unconditionallyBridgeFromObjectiveC(_ x: NSArray?) -> [Element] { fatalError() }
}
extension Set: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSSet { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ x: NSSet, result: inout Set?) { fatalError() }
  public static func _conditionallyBridgeFromObjectiveC(_ x: NSSet, result: inout Set?) -> Bool { fatalError() }
  public static func _unconditionallyBridgeFromObjectiveC(_ x: NSSet?) -> Set { fatalError() }
}
extension Int: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout Int?) { fatalError() }
  public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout Int?) -> Bool { fatalError() }
  public static func _unconditionallyBridgeFromObjectiveC(_ x: NSNumber?) -> Int { fatalError() }
}
extension UInt: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout UInt?) { fatalError() }
  public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout UInt?) -> Bool { fatalError() }
  public static func _unconditionallyBridgeFromObjectiveC(_ x: NSNumber?) -> UInt { fatalError() }
}
extension Double: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout Double?) { fatalError() }
  public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout Double?) -> Bool { fatalError() }
  public static func _unconditionallyBridgeFromObjectiveC(_ x: NSNumber?) -> Double { fatalError() }
}
extension Bool: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout Bool?) { fatalError() }
  public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout Bool?) -> Bool { fatalError() }
  public static func _unconditionallyBridgeFromObjectiveC(_ x: NSNumber?) -> Bool { fatalError() }
}

public struct UUID: Sendable, Hashable {
  public init() { fatalError() }
  public var uuidString: String { fatalError() }
}
extension UUID: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSUUID { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ x: NSUUID, result: inout UUID?) { fatalError() }
  public static func _conditionallyBridgeFromObjectiveC(_ x: NSUUID, result: inout UUID?) -> Bool { fatalError() }
  public static func _unconditionallyBridgeFromObjectiveC(_ x: NSUUID?) -> UUID { fatalError() }
}

public struct Data: Sendable, Hashable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  public init() { fatalError() }
  public init<Bytes: Sequence>(_ bytes: Bytes) where Bytes.Element == UInt8 { fatalError() }
  public init(count: Int) { fatalError() }
  public var startIndex: Int { fatalError() }
  public var endIndex: Int { fatalError() }
  public subscript(index: Int) -> UInt8 { get { fatalError() } set { fatalError() } }
  public subscript(bounds: Range<Int>) -> Data { get { fatalError() } set { fatalError() } }
  public mutating func replaceSubrange<Bytes: Collection>(_ range: Range<Int>, with bytes: Bytes)
  where Bytes.Element == UInt8 { fatalError() }
  public mutating func append(_ other: Data) { fatalError() }
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    fatalError()
  }
  public struct Base64EncodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
  }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
    public static let atomic = WritingOptions(rawValue: 1)
  }
  public func write(to url: URL, options: WritingOptions = []) throws { fatalError() }
  public func base64EncodedString(options: Base64EncodingOptions = []) -> String { fatalError() }
}
extension Data: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSData { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ x: NSData, result: inout Data?) { fatalError() }
  public static func _conditionallyBridgeFromObjectiveC(_ x: NSData, result: inout Data?) -> Bool { fatalError() }
  public static func _unconditionallyBridgeFromObjectiveC(_ x: NSData?) -> Data { fatalError() }
}

public struct Date: Sendable, Hashable {
  public init() { fatalError() }
  public var timeIntervalSince1970: TimeInterval { fatalError() }
  public var timeIntervalSinceNow: TimeInterval { fatalError() }
}
extension Date: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSDate { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ x: NSDate, result: inout Date?) { fatalError() }
  public static func _conditionallyBridgeFromObjectiveC(_ x: NSDate, result: inout Date?) -> Bool { fatalError() }
  public static func _unconditionallyBridgeFromObjectiveC(_ x: NSDate?) -> Date { fatalError() }
}

public struct URL: Sendable, Hashable {
  public init?(string: String) { fatalError() }
  public init?(string: String, relativeTo url: URL?) { fatalError() }
  public init(fileURLWithPath path: String) { fatalError() }
  public var absoluteURL: URL { fatalError() }
  public var absoluteString: String { fatalError() }
  public var scheme: String? { fatalError() }
  public var lastPathComponent: String { fatalError() }
  public var path: String { fatalError() }
  public func appendingPathComponent(_ component: String) -> URL { fatalError() }
  public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues { fatalError() }
  public mutating func setResourceValues(_ values: URLResourceValues) throws { fatalError() }
}
public struct URLComponents: Sendable, Hashable {
  public init?(url: URL, resolvingAgainstBaseURL resolve: Bool) { fatalError() }
  public var scheme: String? { get { fatalError() } set { fatalError() } }
  public var user: String? { get { fatalError() } set { fatalError() } }
  public var password: String? { get { fatalError() } set { fatalError() } }
  public var host: String? { get { fatalError() } set { fatalError() } }
  public var port: Int? { get { fatalError() } set { fatalError() } }
  public var percentEncodedPath: String { get { fatalError() } set { fatalError() } }
  public var percentEncodedQuery: String? { get { fatalError() } set { fatalError() } }
  public var queryItems: [URLQueryItem]? { get { fatalError() } set { fatalError() } }
}
public struct URLQueryItem: Sendable, Hashable {
  public var name: String { get { fatalError() } set { fatalError() } }
  public var value: String? { get { fatalError() } set { fatalError() } }
}
public struct URLResourceKey: Hashable, Sendable {
  public static let volumeCreationDateKey = URLResourceKey()
}
public struct URLResourceValues {
  public init() { fatalError() }
  public var volumeCreationDate: Date? { fatalError() }
  public var isExcludedFromBackup: Bool? { get { fatalError() } set { fatalError() } }
}
extension FileManager {
  public enum SearchPathDirectory: UInt { case applicationSupportDirectory = 14 }
  public struct SearchPathDomainMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
    public static let userDomainMask = SearchPathDomainMask(rawValue: 1)
  }
  public func urls(for directory: SearchPathDirectory, in domainMask: SearchPathDomainMask) -> [URL] { fatalError() }
  public func removeItem(at url: URL) throws { fatalError() }
  public func createDirectory(
    at url: URL, withIntermediateDirectories create: Bool, attributes: [FileAttributeKey: Any]? = nil
  ) throws { fatalError() }
}
extension URL: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSURL { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ x: NSURL, result: inout URL?) { fatalError() }
  public static func _conditionallyBridgeFromObjectiveC(_ x: NSURL, result: inout URL?) -> Bool { fatalError() }
  public static func _unconditionallyBridgeFromObjectiveC(_ x: NSURL?) -> URL { fatalError() }
}

public struct CharacterSet: Sendable {
  public static var alphanumerics: CharacterSet { fatalError() }
  public init(charactersIn range: ClosedRange<Unicode.Scalar>) { fatalError() }
  public init(charactersIn string: String) { fatalError() }
  public func subtracting(_ other: CharacterSet) -> CharacterSet { fatalError() }
}

extension StringProtocol {
  public func addingPercentEncoding(withAllowedCharacters allowed: CharacterSet) -> String? { fatalError() }
  public func contains<Other: StringProtocol>(_ other: Other) -> Bool { fatalError() }
  public func range<Other: StringProtocol>(of other: Other) -> Range<Index>? { fatalError() }
}

extension String {
  public init(format: String, _ arguments: CVarArg...) { fatalError() }
  public struct Encoding: Sendable { public static let utf8 = Encoding(), ascii = Encoding(), isoLatin1 = Encoding() }
  public init?(data: Data, encoding: Encoding) { fatalError() }
}

public struct Locale: Sendable, Hashable {
  public static var current: Locale { fatalError() }
  public static var preferredLanguages: [String] { fatalError() }
  public var identifier: String { fatalError() }
}

public struct TimeZone: Sendable, Hashable {
  public static var current: TimeZone { fatalError() }
  public var identifier: String { fatalError() }
  public func secondsFromGMT(for date: Date = Date()) -> Int { fatalError() }
}

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
}

public protocol CustomNSError: Error {
  static var errorDomain: String { get }
  var errorCode: Int { get }
  var errorUserInfo: [String: Any] { get }
}

public let NSLocalizedDescriptionKey = ""

extension NSError: Error {}

extension Error {
  public var localizedDescription: String { fatalError() }
}

public func NSLog(_ format: String, _ arguments: CVarArg...) { fatalError() }

extension String: CVarArg { public var _cVarArgEncoding: [Int] { fatalError() } }

open class JSONEncoder {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
    public static let sortedKeys = OutputFormatting(rawValue: 2)
  }
  public init() { fatalError() }
  open var outputFormatting: OutputFormatting { get { fatalError() } set { fatalError() } }
  open func encode<Value: Encodable>(_ value: Value) throws -> Data { fatalError() }
}

open class JSONDecoder {
  public init() { fatalError() }
  open func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { fatalError() }
}

public class JSONSerialization: NSObject {
  public class func isValidJSONObject(_ object: Any) -> Bool { fatalError() }
  public class func data(withJSONObject object: Any) throws -> Data { fatalError() }
}

public struct URLError: Error, Sendable {
  public struct Code: Sendable { public static var badServerResponse: Code { fatalError() }
    public static var badURL: Code { fatalError() } }
  public init(_ code: Code) { fatalError() }
}

public struct URLRequest: Sendable, Hashable {
  public init(url: URL) { fatalError() }
  public var httpMethod: String? { get { fatalError() } set { fatalError() } }
  public var httpBody: Data? { get { fatalError() } set { fatalError() } }
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) { fatalError() }
  public enum CachePolicy: Sendable { case useProtocolCachePolicy, reloadIgnoringLocalCacheData }
}

open class URLResponse: NSObject, @unchecked Sendable {}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {
  open var statusCode: Int { fatalError() }
  open var allHeaderFields: [AnyHashable: Any] { fatalError() }
}

open class URLCache: NSObject, @unchecked Sendable {}
open class OperationQueue: NSObject, @unchecked Sendable {}

open class HTTPCookie: NSObject, @unchecked Sendable {
  public enum AcceptPolicy: Sendable { case always, never }
}

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
  open class var ephemeral: URLSessionConfiguration { fatalError() }
  open var timeoutIntervalForRequest: TimeInterval { get { fatalError() } set { fatalError() } }
  open var timeoutIntervalForResource: TimeInterval { get { fatalError() } set { fatalError() } }
  open var httpShouldSetCookies: Bool { get { fatalError() } set { fatalError() } }
  open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy { get { fatalError() } set { fatalError() } }
  open var requestCachePolicy: URLRequest.CachePolicy { get { fatalError() } set { fatalError() } }
  open var urlCache: URLCache? { get { fatalError() } set { fatalError() } }
}

open class URLSessionTask: NSObject, @unchecked Sendable {
  open var taskIdentifier: Int { fatalError() }
  open var response: URLResponse? { fatalError() }
  open func resume() { fatalError() }
  open func cancel() { fatalError() }
}

open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

@objc public protocol URLSessionDelegate: NSObjectProtocol, Sendable {}

@objc public protocol URLSessionTaskDelegate: URLSessionDelegate {
  @objc optional func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
  @objc optional func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?)
}

@objc public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
  @objc optional func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

open class URLSession: NSObject, @unchecked Sendable {
  public init(
    configuration: URLSessionConfiguration, delegate: URLSessionDelegate?, delegateQueue queue: OperationQueue?
  ) { fatalError() }
  open class var shared: URLSession { fatalError() }
  open func dataTask(with request: URLRequest) -> URLSessionDataTask { fatalError() }
  open func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, Error?) -> Void
  ) -> URLSessionDataTask { fatalError() }
}

open class NSURLRequest: NSObject {}
extension URLRequest: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSURLRequest { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ x: NSURLRequest, result: inout URLRequest?) { fatalError() }
  public static func _conditionallyBridgeFromObjectiveC(_ x: NSURLRequest, result: inout URLRequest?) -> Bool { fatalError() }
  public static func _unconditionallyBridgeFromObjectiveC(_ x: NSURLRequest?) -> URLRequest { fatalError() }
}
