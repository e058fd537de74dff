// On what does the SDK stand? Time, network, memory and probes, each of which a test can replace.

import Foundation

/// Tells the time, and waits.
public protocol Clock: Sendable {
  func now() -> Date
  func wait(milliseconds: Int) async throws
}

/// The time of the device.
public struct SystemClock: Clock {
  public init() {}

  public func now() -> Date { Date() }

  public func wait(milliseconds: Int) async throws {
    try await Task.sleep(nanoseconds: UInt64(milliseconds) * 1_000_000)
  }
}

/// What outlives the app's run, as text by name: the keychain on a device.
public protocol Memory: Sendable {
  func text(_ name: String) -> String?
  /// nil forgets it.
  func keep(_ text: String?, as name: String)
}

/// Ends with the process.
public final class PassingMemory: Memory, @unchecked Sendable {
  private let lock = Lock()
  private var texts: [String: String] = [:]

  public init() {}

  public func text(_ name: String) -> String? { lock.doing { texts[name] } }
  public func keep(_ text: String?, as name: String) { lock.doing { texts[name] = text } }
}

/// Everything that is not the SDK's own logic.
public struct Surroundings: Sendable {
  public var clock: Clock
  public var transport: Transport
  public var memory: Memory
  public var probes: [Probe]
  public var appAttest: AppAttestService?
  /// Bundle id of the app.
  public var packageName: String
  /// False below iOS 15: every call is then without effect.
  public var isSupported: Bool
  public var log: @Sendable (String) -> Void

  public init(
    clock: Clock = SystemClock(), transport: Transport = URLSessionTransport(), memory: Memory = PassingMemory(),
    probes: [Probe] = plainProbes, appAttest: AppAttestService? = nil,
    packageName: String = Bundle.main.bundleIdentifier ?? "", isSupported: Bool = true,
    log: @escaping @Sendable (String) -> Void = { NSLog("Ringfence: %@", $0) }
  ) {
    self.clock = clock
    self.transport = transport
    self.memory = memory
    self.probes = probes
    self.appAttest = appAttest
    self.packageName = packageName
    self.isSupported = isSupported
    self.log = log
  }
}

/// Holds a lock while work is done; never across a suspension.
public final class Lock: @unchecked Sendable {
  private let lock = NSLock()

  public init() {}

  public func doing<Value>(_ work: () throws -> Value) rethrows -> Value {
    lock.lock()
    defer { lock.unlock() }
    return try work()
  }
}
