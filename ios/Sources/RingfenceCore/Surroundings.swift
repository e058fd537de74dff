// What does the SDK depend on? Time, network, storage and probes. Tests can replace them.

import Foundation

/// The current time, and waiting.
public protocol Clock: Sendable {
  func now() -> Date
  func wait(milliseconds: Int) async throws
}

/// The clock of the device.
public struct SystemClock: Clock {
  public init() {}

  public func now() -> Date { Date() }

  public func wait(milliseconds: Int) async throws {
    try await Task.sleep(nanoseconds: UInt64(milliseconds) * 1_000_000)
  }
}

/// Text values by name that outlive the process. On a device: the user defaults.
public protocol PersistentStorage: Sendable {
  func text(_ name: String) -> String?
  /// nil deletes the value.
  func store(_ text: String?, as name: String)
}

/// Storage that ends with the process.
public final class TemporaryStorage: PersistentStorage, @unchecked Sendable {
  private let lock = Lock()
  private var texts: [String: String] = [:]

  public init() {}

  public func text(_ name: String) -> String? { lock.withLock { texts[name] } }
  public func store(_ text: String?, as name: String) { lock.withLock { texts[name] = text } }
}

/// Everything that the SDK takes from its environment.
public struct Surroundings: Sendable {
  public var clock: Clock
  public var transport: Transport
  /// For SILENT sign-ins.
  public var mobileData: MobileData
  public var storage: PersistentStorage
  public var probes: [Probe]
  public var appAttest: AppAttestService?
  /// Bundle id of the app.
  public var packageName: String
  /// False below iOS 15: calls then have no effect.
  public var isSupported: Bool
  public var log: @Sendable (String) -> Void
  var probeLimitMilliseconds = RingfenceCore.probeLimitMilliseconds
  var appAttestLimitMilliseconds = AppAttest.defaultLimitMilliseconds

  public init(
    clock: Clock = SystemClock(), transport: Transport = URLSessionTransport(),
    mobileData: MobileData = DeviceMobileData(), storage: PersistentStorage = TemporaryStorage(),
    probes: [Probe] = plainProbes, appAttest: AppAttestService? = nil,
    packageName: String = Bundle.main.bundleIdentifier ?? "", isSupported: Bool = true,
    log: @escaping @Sendable (String) -> Void = { NSLog("Ringfence: %@", $0) }
  ) {
    self.clock = clock
    self.transport = transport
    self.mobileData = mobileData
    self.storage = storage
    self.probes = probes
    self.appAttest = appAttest
    self.packageName = packageName
    self.isSupported = isSupported
    self.log = log
  }
}

/// Holds a lock while work runs. Must not be held across a suspension.
public final class Lock: @unchecked Sendable {
  private let lock = NSLock()

  public init() {}

  public func withLock<Value>(_ work: () throws -> Value) rethrows -> Value {
    lock.lock()
    defer { lock.unlock() }
    return try work()
  }
}
