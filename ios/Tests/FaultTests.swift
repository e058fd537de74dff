import XCTest

@testable import DeviceIntelligence
@testable import RingfenceCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A network that can be cut.
private final class Line: Transport, @unchecked Sendable {
  private let lock = Lock()
  private var cut = false
  private let transport = URLSessionTransport()

  var isCut: Bool {
    get { lock.doing { cut } }
    set { lock.doing { cut = newValue } }
  }

  func send(_ request: URLRequest) async throws -> HTTPAnswer {
    var request = request
    if isCut { request.url = URL(string: "http://127.0.0.1:1") }
    return try await transport.send(request)
  }
}

/// Cannot wait.
private struct BrokenClock: Clock {
  func now() -> Date { Date() }
  func wait(milliseconds: Int) async throws { throw CancellationError() }
}

final class FaultTests: XCTestCase {
  private let clock = QuickClock()
  private let log = Log()

  private func sdk(
    _ faults: Faults, clock: Clock? = nil, transport: Transport = URLSessionTransport(limitSeconds: 2)
  ) -> DeviceIntelligenceSDK {
    let log = self.log
    let sdk = DeviceIntelligenceSDK(
      Surroundings(
        clock: clock ?? self.clock, transport: transport, packageName: "com.example.shop", log: { log.write($0) }))
    sdk.baseURL = faults.url
    return sdk
  }

  private func initialized(_ faults: Faults) async -> DeviceIntelligenceSDK {
    let sdk = sdk(faults)
    let success = await sdk.initialize(appId: "rfa_test")
    XCTAssertTrue(success)
    return sdk
  }

  private func intelligenceError(_ error: Error?) -> (requestId: String?, message: String)? {
    guard case .intelligenceError(let requestId, let message)? = error as? IntelligenceError else { return nil }
    return (requestId, message)
  }

  func test_4_7_rule_3_four_attempts_at_0_500_1500_and_3500_ms() async throws {
    let faults = try await Faults.planned(["intelligence": [503, 503, 503, 503]])
    let sdk = sdk(faults, clock: SystemClock())
    _ = await sdk.initialize(appId: "rfa_test")
    let error = await failure { try await sdk.fetchIntelligence() }
    XCTAssertEqual(intelligenceError(error)?.message, "Told to answer 503")
    let times = try await faults.calls("intelligence").map { $0.atMilliseconds }
    let since = times.map { $0 - times[0] }
    print("attempts after \(since) ms")
    XCTAssertEqual(since.count, 4)
    for (measured, wanted) in zip(since, [0, 500, 1_500, 3_500]) {
      XCTAssertGreaterThanOrEqual(measured, wanted - 5)
      XCTAssertLessThan(measured, wanted + 450, "\(since)")
    }
  }

  func test_4_7_rule_3_an_answer_without_dfrId_is_a_failure_and_is_tried_again() async throws {
    let faults = try await Faults.planned(["device-fingerprint": ["no dfrId", "empty dfrId", "no dfrId"]])
    let sdk = await initialized(faults)
    let response = try await sdk.fetchIntelligence()
    XCTAssertTrue(response.dfrId.hasPrefix("dfr-of-"))
    XCTAssertEqual(clock.waited, [500, 1_000, 2_000])
    let pushes = try await faults.calls("device-fingerprint")
    XCTAssertEqual(pushes.count, 4)
    XCTAssertEqual(Set(pushes.compactMap { $0.body["requestId"]?.string }).count, 1, "the same body each time")
    let engineCalls = try await faults.calls("intelligence").count
    XCTAssertEqual(engineCalls, 1)
    XCTAssertEqual(response.intelligenceResponse?["deviceRiskScore"] as? Double, 12.5)
  }

  func test_7_4_a_dfrId_missing_after_all_attempts_is_an_intelligenceError_with_the_requestId() async throws {
    let faults = try await Faults.planned(["device-fingerprint": Array(repeating: "empty dfrId", count: 4)])
    let sdk = await initialized(faults)
    let error = intelligenceError(await failure { try await sdk.fetchIntelligence() })
    let requestId = try await faults.calls("intelligence").first?.body["requestId"]?.string
    XCTAssertEqual(error?.requestId, requestId)
    XCTAssertEqual(error?.message, "The answer has no dfrId")
    XCTAssertTrue(sdk.isInitialized)
  }

  func test_whatever_answers_in_place_of_the_service_is_a_failure_that_is_tried_again() async throws {
    let faults: [JSON] = ["html", "list", "redirect", "huge", "deep", "breaks", "hangs", 500, 502, 429, 408]
    for fault in faults {
      let run = try await Faults.planned(["intelligence": [fault], "device-fingerprint": [fault, fault, fault]])
      let sdk = sdk(run, transport: URLSessionTransport(limitSeconds: 1))
      _ = await sdk.initialize(appId: "rfa_test")
      let response = try await sdk.fetchIntelligence()
      XCTAssertTrue(response.dfrId.hasPrefix("dfr-of-"), "\(fault)")
      let calls = try await run.calls()
      XCTAssertEqual(calls.map { $0.name }.filter { $0 == "intelligence" }.count, 2, "\(fault)")
      XCTAssertEqual(calls.map { $0.name }.filter { $0 == "device-fingerprint" }.count, 4, "\(fault)")
    }
  }

  func test_a_slow_answer_is_waited_for_and_not_asked_for_again() async throws {
    let slow: [String: [JSON]] = [
      "device-fingerprint/config": ["slow"], "intelligence": ["slow"], "device-fingerprint": ["slow"],
    ]
    let faults = try await Faults.planned(slow)
    let sdk = await initialized(faults)
    let response = try await sdk.fetchIntelligence()
    XCTAssertTrue(response.dfrId.hasPrefix("dfr-of-"))
    let calls = try await faults.calls().count
    XCTAssertEqual(calls, 3)
  }

  func test_a_fetch_while_the_service_is_down_is_an_intelligenceError_after_four_attempts() async throws {
    let faults = try await Faults.planned()
    let line = Line()
    let sdk = sdk(faults, transport: line)
    _ = await sdk.initialize(appId: "rfa_test")
    line.isCut = true
    let down = intelligenceError(await failure { try await sdk.fetchIntelligence() })
    XCTAssertEqual(down?.message, "The service could not be reached")
    XCTAssertNotNil(down?.requestId)
    XCTAssertEqual(clock.waited, [500, 1_000, 2_000])
    line.isCut = false
    let up = try await sdk.fetchIntelligence()
    XCTAssertTrue(up.dfrId.hasPrefix("dfr-of-"))
  }

  func test_7_4_an_unexpected_state_is_unknown_and_no_other_type_of_error_comes_out() async throws {
    let faults = try await Faults.planned(["intelligence": [503, 503]])
    let sdk = sdk(faults, clock: BrokenClock())
    _ = await sdk.initialize(appId: "rfa_test")
    let error = await failure { try await sdk.fetchIntelligence() }
    XCTAssertEqual(error as? IntelligenceError, .unknown)
    let told = expectation(description: "told")
    sdk.fetchIntelligence(params: nil, updateInfo: nil) { _, _, _, message in
      XCTAssertEqual(message, "Unknown intelligence error")
      told.fulfill()
    }
    await fulfillment(of: [told], timeout: 5)
  }

  func test_7_4_the_callback_tells_the_message_and_the_log_the_requestId() async throws {
    let refused: JSON = .object(["dfrId": "", "errorMessage": "The push was not taken"])
    let faults = try await Faults.planned(["device-fingerprint": [refused, refused, refused, refused]])
    let sdk = await initialized(faults)
    let told = expectation(description: "told")
    sdk.fetchIntelligence(params: nil, updateInfo: nil) { success, _, _, message in
      XCTAssertFalse(success)
      XCTAssertEqual(message, "The push was not taken")
      told.fulfill()
    }
    await fulfillment(of: [told], timeout: 5)
    let requestId = try await faults.calls("intelligence").first?.body["requestId"]?.string
    XCTAssertEqual(log.lines, ["no dfrId: The push was not taken (requestId \(requestId ?? "?"))"])
  }

  func test_7_4_what_the_service_refuses_is_not_asked_again_and_its_message_is_told() async throws {
    for (name, status) in [
      ("intelligence", 400), ("intelligence", 403), ("intelligence", 404), ("intelligence", 413),
      ("device-fingerprint", 400), ("device-fingerprint", 404),
    ] {
      let faults = try await Faults.planned([name: [.int(Int64(status))]])
      let sdk = await initialized(faults)
      let error = intelligenceError(await failure { try await sdk.fetchIntelligence() })
      XCTAssertEqual(error?.message, "Told to answer \(status)")
      XCTAssertEqual(error?.requestId, "request-of-fault")
      let count = try await faults.calls(name).count
      XCTAssertEqual(count, 1)
      let next = try await sdk.fetchIntelligence()
      XCTAssertTrue(next.dfrId.hasPrefix("dfr-of-"), "the next fetch is a new one")
    }
    XCTAssertEqual(clock.waited, [])
  }

  func test_a_401_renews_the_session_once_and_silently() async throws {
    for name in ["intelligence", "device-fingerprint"] {
      let faults = try await Faults.planned([name: [401]])
      let sdk = await initialized(faults)
      let response = try await sdk.fetchIntelligence()
      XCTAssertTrue(response.dfrId.hasPrefix("dfr-of-"))
      XCTAssertTrue(sdk.isInitialized)
      let calls = try await faults.calls()
      XCTAssertEqual(calls.filter { $0.name == "device-fingerprint/config" }.count, 2)
      let engineCalls = calls.filter { $0.name == "intelligence" }
      XCTAssertEqual(engineCalls.count, 2)
      XCTAssertNotEqual(engineCalls[0].body["tsId"], engineCalls[1].body["tsId"])
      XCTAssertNotEqual(engineCalls[0].body["requestId"], engineCalls[1].body["requestId"])
      XCTAssertEqual(engineCalls[0].body["inId"], engineCalls[1].body["inId"])
    }
    let faults = try await Faults.planned(["intelligence": [401, 401]])
    let sdk = await initialized(faults)
    let error = intelligenceError(await failure { try await sdk.fetchIntelligence() })
    XCTAssertEqual(error?.message, "Told to answer 401")
    XCTAssertTrue(sdk.isInitialized)
    XCTAssertEqual(log.lines, [])
  }

  func test_two_fetches_whose_session_is_gone_renew_it_and_both_get_their_dfrId() async throws {
    let faults = try await Faults.planned(["intelligence": [401]])
    let sdk = await initialized(faults)
    async let first = sdk.fetchIntelligence()
    async let second = sdk.fetchIntelligence()
    let ids = Set(try await [first.dfrId, second.dfrId])
    XCTAssertEqual(ids.count, 2)
    let sessions = try await faults.calls("device-fingerprint/config").count
    XCTAssertEqual(sessions, 2)
  }

  func test_initialize_is_false_when_the_service_is_down_slow_or_refuses_and_can_be_called_again() async throws {
    let plan: [JSON] = ["hangs", "html", 500, "redirect", 401, 404]
    let faults = try await Faults.planned(["device-fingerprint/config": plan])
    let sdk = sdk(faults, transport: URLSessionTransport(limitSeconds: 1))
    for reason in ["HTTP status 307", "Told to answer 401", "Told to answer 404"] {
      let success = await sdk.initialize(appId: "rfa_test")
      XCTAssertFalse(success)
      XCTAssertFalse(sdk.isInitialized)
      XCTAssertTrue(log.lines.last?.contains(reason) ?? false, "\(log.lines)")
    }
    let success = await sdk.initialize(appId: "rfa_test")
    XCTAssertTrue(success)
    XCTAssertTrue(sdk.isInitialized)
    let calls = try await faults.calls().map { $0.name }
    XCTAssertEqual(calls.count, 7, "four failures, two refusals, a session")
    XCTAssertEqual(Set(calls), ["device-fingerprint/config"], "no redirect is followed")

    let down = DeviceIntelligenceSDK(Surroundings(clock: clock, packageName: "com.example.shop", log: { _ in }))
    down.baseURL = URL(string: "http://127.0.0.1:1")
    let reached = await down.initialize(appId: "rfa_test")
    XCTAssertFalse(reached)
  }

  func test_initialize_twice_is_true_for_the_same_app_false_for_another_and_the_state_is_kept() async throws {
    let faults = try await Faults.planned()
    let sdk = sdk(faults)
    async let first = sdk.initialize(appId: "rfa_test")
    async let again = sdk.initialize(appId: "rfa_test")
    let both = await [first, again]
    XCTAssertEqual(both, [true, true])
    XCTAssertEqual(log.lines, [])
    let other = await sdk.initialize(appId: "rfa_other")
    XCTAssertFalse(other)
    XCTAssertTrue(sdk.isInitialized)
    let same = await sdk.initialize(appId: "rfa_test")
    XCTAssertTrue(same)
    let calls = try await faults.calls().count
    XCTAssertEqual(calls, 1)
    let response = try await sdk.fetchIntelligence()
    XCTAssertFalse(response.dfrId.isEmpty)
    let push = try await faults.calls("device-fingerprint").first
    XCTAssertEqual(push?.body["appId"], "rfa_test")
  }

  func test_initialize_for_another_app_while_the_first_is_under_way_is_false_and_the_first_goes_on() async throws {
    let faults = try await Faults.planned(["device-fingerprint/config": ["slow"]])
    let sdk = sdk(faults)
    async let first = sdk.initialize(appId: "rfa_test")
    try await faults.isAsked("device-fingerprint/config")
    let other = await sdk.initialize(appId: "rfa_other")
    XCTAssertFalse(other)
    XCTAssertFalse(sdk.isInitialized)
    let success = await first
    XCTAssertTrue(success)
    XCTAssertTrue(sdk.isInitialized)
  }

  func test_3_a_fetch_before_and_during_initialize_is_notConfigured() async throws {
    let faults = try await Faults.planned(["device-fingerprint/config": ["slow"]])
    let sdk = sdk(faults)
    let before = await failure { try await sdk.fetchIntelligence() }
    XCTAssertEqual(before as? IntelligenceError, .notConfigured)
    XCTAssertEqual(IntelligenceError.notConfigured.message, "SDK not initialised")
    XCTAssertEqual(IntelligenceError.unknown.message, "Unknown intelligence error")
    async let initializing = sdk.initialize(appId: "rfa_test")
    let during = await failure { try await sdk.fetchIntelligence() }
    XCTAssertEqual(during as? IntelligenceError, .notConfigured)
    let told = expectation(description: "told")
    sdk.fetchIntelligence(params: nil, updateInfo: nil) { success, dfrId, report, message in
      XCTAssertFalse(success)
      XCTAssertNil(dfrId)
      XCTAssertNil(report)
      XCTAssertEqual(message, "SDK not initialised")
      told.fulfill()
    }
    await fulfillment(of: [told], timeout: 5)
    let success = await initializing
    XCTAssertTrue(success)
    let response = try await sdk.fetchIntelligence()
    XCTAssertFalse(response.dfrId.isEmpty)
  }

  @MainActor func test_no_call_blocks_the_main_thread_while_the_service_hangs() async throws {
    let hangs: [JSON] = ["hangs", "hangs", "hangs", "hangs"]
    let faults = try await Faults.planned(["intelligence": hangs])
    let sdk = await initialized(faults)
    let told = expectation(description: "told")
    let began = Date()
    sdk.initialize(appId: "rfa_test") { _ in }
    sdk.fetchIntelligence(params: nil, updateInfo: nil) { success, _, _, message in
      XCTAssertFalse(success)
      XCTAssertEqual(message, "The service could not be reached")
      XCTAssertFalse(Thread.isMainThread)
      told.fulfill()
    }
    _ = sdk.isInitialized
    XCTAssertLessThan(Date().timeIntervalSince(began), 0.1)
    await fulfillment(of: [told], timeout: 20)
  }

  func test_below_iOS_15_initialize_is_false_and_a_fetch_notConfigured_without_touching_the_network() async throws {
    let faults = try await Faults.planned()
    let sdk = DeviceIntelligenceSDK(Surroundings(clock: clock, packageName: "x", isSupported: false, log: { _ in }))
    sdk.baseURL = faults.url
    let success = await sdk.initialize(appId: "rfa_test")
    XCTAssertFalse(success)
    let error = await failure { try await sdk.fetchIntelligence() }
    XCTAssertEqual(error as? IntelligenceError, .notConfigured)
    let calls = try await faults.calls().count
    XCTAssertEqual(calls, 0)
  }

  func test_without_a_base_URL_initialize_is_false_and_the_log_says_what_to_set() async {
    let log = self.log
    let sdk = DeviceIntelligenceSDK(Surroundings(packageName: "x", log: { log.write($0) }))
    let success = await sdk.initialize(appId: "rfa_test")
    XCTAssertFalse(success)
    sdk.baseURL = URL(string: "file:///tmp")
    let file = await sdk.initialize(appId: "rfa_test")
    XCTAssertFalse(file)
    XCTAssertEqual(log.lines.filter { $0.contains("RingfenceBaseURL") }.count, 2)
  }
}
