import XCTest

@testable import DeviceIntelligence
@testable import RingfenceCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A network connection that a test can cut.
final class CuttableTransport: Transport, @unchecked Sendable {
  private let lock = Lock()
  private var cut = false
  private let transport = URLSessionTransport()

  var isCut: Bool {
    get { lock.withLock { cut } }
    set { lock.withLock { cut = newValue } }
  }

  func send(_ request: URLRequest) async throws -> HTTPResponse {
    var request = request
    if isCut { request.url = URL(string: "http://127.0.0.1:1") }
    return try await transport.send(request)
  }
}

/// Waits as the clock of the device does, and records it.
struct RecordingClock: Clock {
  let waited = Log()

  func now() -> Date { Date() }
  func wait(milliseconds: Int) async throws {
    waited.write("\(milliseconds)")
    try await SystemClock().wait(milliseconds: milliseconds)
  }
}

/// Throws instead of waiting.
struct BrokenClock: Clock {
  func now() -> Date { Date() }
  func wait(milliseconds: Int) async throws { throw CancellationError() }
}

/// Tests of one app and a service with faults.
class FaultTestCase: XCTestCase {
  let clock = QuickClock()
  let log = Log()

  func sdk(
    _ faults: Faults, clock: Clock? = nil, transport: Transport = URLSessionTransport(limitSeconds: 60)
  ) -> DeviceIntelligenceSDK {
    let log = self.log
    let sdk = DeviceIntelligenceSDK(
      Surroundings(
        clock: clock ?? self.clock, transport: transport, packageName: "com.example.shop", log: { log.write($0) }))
    sdk.baseURL = faults.url
    return sdk
  }

  func initialized(_ faults: Faults) async -> DeviceIntelligenceSDK {
    let sdk = sdk(faults)
    let success = await sdk.initialize(appId: "rfa_test")
    XCTAssertTrue(success)
    return sdk
  }

  func intelligenceError(_ error: Error?) -> (requestId: String?, message: String)? {
    guard case .intelligenceError(let requestId, let message)? = error as? IntelligenceError else { return nil }
    return (requestId, message)
  }
}
