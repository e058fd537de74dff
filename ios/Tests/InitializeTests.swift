import XCTest

@testable import DeviceIntelligence
@testable import RingfenceCore

/// How long this thread has worked: what others do meanwhile does not count.
private func secondsOfThread() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

final class InitializeTests: FaultTestCase {
  func test_initialize_returns_false_when_the_service_is_down_slow_or_refuses_and_can_be_called_again() async throws {
    let plan: [JSON] = ["hangs", "html", 500, "redirect", 401, 404]
    let faults = try await Faults.planned(["device-fingerprint/config": plan])
    let sdk = sdk(faults, transport: ImpatientTransport())
    for reason in ["HTTP status 307", "The test asked for 401", "The test asked for 404"] {
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
    XCTAssertEqual(Set(calls), ["device-fingerprint/config"], "redirects are not followed")

    let down = DeviceIntelligenceSDK(Surroundings(clock: clock, packageName: "com.example.shop", log: { _ in }))
    down.baseURL = URL(string: "http://127.0.0.1:1")
    let reached = await down.initialize(appId: "rfa_test")
    XCTAssertFalse(reached)
  }

  func test_a_second_initialize_is_true_for_the_same_app_and_URL_and_changes_nothing_for_others() async throws {
    let faults = try await Faults.planned()
    let sdk = sdk(faults)
    async let first = sdk.initialize(appId: "rfa_test")
    async let again = sdk.initialize(appId: "rfa_test")
    let both = await [first, again]
    XCTAssertEqual(both, [true, true])
    XCTAssertEqual(log.lines, [])
    let other = await sdk.initialize(appId: "rfa_other")
    XCTAssertFalse(other)
    sdk.baseURL = URL(string: "http://127.0.0.1:1")
    let elsewhere = await sdk.initialize(appId: "rfa_test")
    XCTAssertFalse(elsewhere)
    XCTAssertEqual(log.lines.filter { $0.contains("another app id or base URL is already in use") }.count, 2)
    sdk.baseURL = faults.url
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

  func test_initialize_for_another_app_returns_false_while_the_first_continues() async throws {
    let faults = try await Faults.planned(["device-fingerprint/config": ["held"]])
    let sdk = sdk(faults)
    async let first = sdk.initialize(appId: "rfa_test")
    try await faults.waitForCall("device-fingerprint/config")
    let other = await sdk.initialize(appId: "rfa_other")
    XCTAssertFalse(other)
    XCTAssertFalse(sdk.isInitialized)
    try await faults.release()
    let success = await first
    XCTAssertTrue(success)
    XCTAssertTrue(sdk.isInitialized)
  }

  func test_3_a_fetch_before_and_during_initialize_throws_notConfigured() async throws {
    let faults = try await Faults.planned(["device-fingerprint/config": ["held"]])
    let sdk = sdk(faults)
    let before = await failure { try await sdk.fetchIntelligence() }
    XCTAssertEqual(before as? IntelligenceError, .notConfigured)
    XCTAssertEqual(IntelligenceError.notConfigured.message, "SDK not initialised")
    XCTAssertEqual(IntelligenceError.unknown.message, "Unknown intelligence error")
    async let initializing = sdk.initialize(appId: "rfa_test")
    try await faults.waitForCall("device-fingerprint/config")
    let during = await failure { try await sdk.fetchIntelligence() }
    XCTAssertEqual(during as? IntelligenceError, .notConfigured)
    let called = expectation(description: "callback")
    sdk.fetchIntelligence(params: nil, updateInfo: nil) { success, dfrId, report, message in
      XCTAssertFalse(success)
      XCTAssertNil(dfrId)
      XCTAssertNil(report)
      XCTAssertEqual(message, "SDK not initialised")
      called.fulfill()
    }
    await fulfillment(of: [called], timeout: 60)
    XCTAssertEqual(log.lines.filter { $0.hasPrefix("SDK not initialised: call initialize first") }.count, 3)
    try await faults.release()
    let success = await initializing
    XCTAssertTrue(success)
    let response = try await sdk.fetchIntelligence()
    XCTAssertFalse(response.dfrId.isEmpty)
  }

  func test_no_call_blocks_the_main_thread_while_the_service_hangs() async throws {
    let faults = try await Faults.planned(["intelligence": ["held"]])
    let sdk = await initialized(faults)
    let called = expectation(description: "callback")
    let order = Log()
    await MainActor.run {
      let before = secondsOfThread()
      sdk.initialize(appId: "rfa_test") { _ in }
      sdk.fetchIntelligence(params: nil, updateInfo: nil) { success, _, _, message in
        XCTAssertTrue(success, message ?? "")
        XCTAssertFalse(Thread.isMainThread)
        order.write("called back")
        called.fulfill()
      }
      _ = sdk.isInitialized
      order.write("returned")
      XCTAssertLessThan(secondsOfThread() - before, 0.1)
    }
    try await faults.waitForCall("intelligence")
    try await faults.release()
    await fulfillment(of: [called], timeout: 60)
    XCTAssertEqual(order.lines, ["returned", "called back"])
  }

  func test_below_iOS_15_initialize_returns_false_and_a_fetch_throws_notConfigured_without_a_request() async throws {
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

  func test_initialize_without_a_base_URL_returns_false_and_the_log_says_what_to_set() async {
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
