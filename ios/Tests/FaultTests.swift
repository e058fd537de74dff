import XCTest

@testable import DeviceIntelligence
@testable import RingfenceCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

final class FaultTests: FaultTestCase {
  func test_4_7_rule_3_each_call_is_attempted_at_0_500_1500_and_3500_ms() async throws {
    let faults = try await Faults.planned(["intelligence": [503, 503, 503, 503]])
    let clock = RecordingClock()
    let sdk = sdk(faults, clock: clock)
    _ = await sdk.initialize(appId: "rfa_test")
    let error = await failure { try await sdk.fetchIntelligence() }
    XCTAssertEqual(intelligenceError(error)?.message, "The test asked for 503")
    let times = try await faults.calls("intelligence").map { $0.atMilliseconds }
    let since = times.map { $0 - times[0] }
    print("attempts after \(since) ms")
    XCTAssertEqual(since.count, 4)
    // A busy machine makes an attempt late, and never early.
    for (measured, wanted) in zip(since, [0, 500, 1_500, 3_500]) { XCTAssertGreaterThanOrEqual(measured, wanted - 5) }
    XCTAssertEqual(clock.waited.lines, ["500", "1000", "2000"])
  }

  func test_a_call_that_has_no_answer_ends_after_the_time_limit() async throws {
    let faults = try await Faults.planned(["device-fingerprint/config": ["hangs"]])
    let request = URLRequest(url: faults.url.appendingPathComponent("sdk/v1/device-fingerprint/config"))
    let time = RunningTime()
    _ = await failure { try await URLSessionTransport(limitSeconds: 1).send(request) }
    XCTAssertLessThan(time.end(), 30)
  }

  func test_4_7_rule_3_a_response_without_dfrId_is_a_failure_and_is_retried() async throws {
    let faults = try await Faults.planned(["device-fingerprint": ["no dfrId", "empty dfrId", "no dfrId"]])
    let sdk = await initialized(faults)
    let response = try await sdk.fetchIntelligence()
    XCTAssertTrue(response.dfrId.hasPrefix("dfr-of-"))
    XCTAssertEqual(clock.waited, [500, 1_000, 2_000])
    let pushes = try await faults.calls("device-fingerprint")
    XCTAssertEqual(pushes.count, 4)
    XCTAssertEqual(Set(pushes.compactMap { $0.body["requestId"]?.string }).count, 1, "each attempt has the same body")
    let engineCalls = try await faults.calls("intelligence").count
    XCTAssertEqual(engineCalls, 1)
    XCTAssertEqual(response.intelligenceResponse?["deviceRiskScore"] as? Double, 12.5)
  }

  func test_7_4_a_missing_dfrId_after_all_attempts_is_an_intelligenceError_with_the_requestId() async throws {
    let faults = try await Faults.planned(["device-fingerprint": Array(repeating: "empty dfrId", count: 4)])
    let sdk = await initialized(faults)
    let error = intelligenceError(await failure { try await sdk.fetchIntelligence() })
    let requestId = try await faults.calls("intelligence").first?.body["requestId"]?.string
    XCTAssertEqual(error?.requestId, requestId)
    XCTAssertEqual(error?.message, "The response has no dfrId")
    XCTAssertTrue(sdk.isInitialized)
  }

  func test_an_unusable_response_is_a_failure_and_is_retried() async throws {
    let faults: [JSON] = ["html", "list", "redirect", "huge", "deep", "breaks", "hangs", 500, 502, 429, 408]
    for fault in faults {
      let run = try await Faults.planned(["intelligence": [fault], "device-fingerprint": [fault, fault, fault]])
      let sdk = sdk(run, transport: ImpatientTransport())
      _ = await sdk.initialize(appId: "rfa_test")
      let response = try await sdk.fetchIntelligence()
      XCTAssertTrue(response.dfrId.hasPrefix("dfr-of-"), "\(fault)")
      let calls = try await run.calls()
      XCTAssertEqual(calls.map { $0.name }.filter { $0 == "intelligence" }.count, 2, "\(fault)")
      XCTAssertEqual(calls.map { $0.name }.filter { $0 == "device-fingerprint" }.count, 4, "\(fault)")
    }
  }

  func test_a_slow_response_is_awaited_without_a_retry() async throws {
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

  func test_a_fetch_throws_intelligenceError_after_four_attempts_while_the_service_is_down() async throws {
    let faults = try await Faults.planned()
    let network = CuttableTransport()
    let sdk = sdk(faults, transport: network)
    _ = await sdk.initialize(appId: "rfa_test")
    network.isCut = true
    let down = intelligenceError(await failure { try await sdk.fetchIntelligence() })
    XCTAssertEqual(down?.message, "The service could not be reached")
    XCTAssertNotNil(down?.requestId)
    XCTAssertEqual(clock.waited, [500, 1_000, 2_000])
    network.isCut = false
    let up = try await sdk.fetchIntelligence()
    XCTAssertTrue(up.dfrId.hasPrefix("dfr-of-"))
  }

  func test_7_4_an_unexpected_state_throws_unknown_and_no_other_error_type() async throws {
    let faults = try await Faults.planned(["intelligence": [503, 503]])
    let sdk = sdk(faults, clock: BrokenClock())
    _ = await sdk.initialize(appId: "rfa_test")
    let error = await failure { try await sdk.fetchIntelligence() }
    XCTAssertEqual(error as? IntelligenceError, .unknown)
    let called = expectation(description: "callback")
    sdk.fetchIntelligence(params: nil, updateInfo: nil) { _, _, _, message in
      XCTAssertEqual(message, "Unknown intelligence error")
      called.fulfill()
    }
    await fulfillment(of: [called], timeout: 60)
  }

  func test_7_4_the_callback_gets_the_message_and_the_log_the_requestId() async throws {
    let refused: JSON = .object(["dfrId": "", "errorMessage": "The push was refused"])
    let faults = try await Faults.planned(["device-fingerprint": [refused, refused, refused, refused]])
    let sdk = await initialized(faults)
    let called = expectation(description: "callback")
    sdk.fetchIntelligence(params: nil, updateInfo: nil) { success, _, _, message in
      XCTAssertFalse(success)
      XCTAssertEqual(message, "The push was refused")
      called.fulfill()
    }
    await fulfillment(of: [called], timeout: 60)
    let requestId = try await faults.calls("intelligence").first?.body["requestId"]?.string
    XCTAssertEqual(log.lines, ["no dfrId: The push was refused (requestId \(requestId ?? "?"))"])
  }

  func test_7_4_a_refused_call_is_not_retried_and_its_message_is_returned() async throws {
    for (name, status) in [
      ("intelligence", 400), ("intelligence", 403), ("intelligence", 404), ("intelligence", 413),
      ("device-fingerprint", 400), ("device-fingerprint", 404),
    ] {
      let faults = try await Faults.planned([name: [.int(Int64(status))]])
      let sdk = await initialized(faults)
      let error = intelligenceError(await failure { try await sdk.fetchIntelligence() })
      XCTAssertEqual(error?.message, "The test asked for \(status)")
      XCTAssertEqual(error?.requestId, "request-of-fault")
      let count = try await faults.calls(name).count
      XCTAssertEqual(count, 1)
      let next = try await sdk.fetchIntelligence()
      XCTAssertTrue(next.dfrId.hasPrefix("dfr-of-"), "the next fetch is a new one")
    }
    XCTAssertEqual(clock.waited, [])
  }

  func test_a_401_renews_the_session_once_without_a_log_line() async throws {
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
    XCTAssertEqual(error?.message, "The test asked for 401")
    XCTAssertTrue(sdk.isInitialized)
    XCTAssertEqual(log.lines, [])
  }

  func test_concurrent_fetches_renew_an_expired_session_and_both_get_a_dfrId() async throws {
    let faults = try await Faults.planned(["intelligence": [401]])
    let sdk = await initialized(faults)
    async let first = sdk.fetchIntelligence()
    async let second = sdk.fetchIntelligence()
    let ids = Set(try await [first.dfrId, second.dfrId])
    XCTAssertEqual(ids.count, 2)
    let sessions = try await faults.calls("device-fingerprint/config").count
    XCTAssertEqual(sessions, 2)
  }
}
