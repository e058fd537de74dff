import XCTest

@testable import RingfenceCore

/// Answers as a device would, and notes what it was asked.
private final class TestService: AppAttestService, @unchecked Sendable {
  var isSupported = true
  let log = Log()
  private let lock = Lock()
  private var failures: [String: [AppAttestError]] = [:]
  private var keys = 0

  func fails(_ name: String, _ errors: AppAttestError...) { lock.doing { failures[name] = errors } }

  private func answer(_ name: String, _ text: String) throws -> String {
    log.write(name)
    let failure: AppAttestError? = lock.doing {
      guard let first = failures[name]?.first else { return nil }
      failures[name]?.removeFirst()
      return first
    }
    if let failure = failure { throw failure }
    return text
  }

  func generateKey() async throws -> String {
    let count: Int = lock.doing {
      keys += 1
      return keys
    }
    return try answer("key", "key\(count)")
  }

  func attest(keyId: String, clientData: Data) async throws -> Data { Data(try answer("attest", "of \(keyId)").utf8) }
  func assertion(keyId: String, clientData: Data) async throws -> Data {
    Data(try answer("assert", "by \(keyId)").utf8)
  }
}

final class AppAttestTests: XCTestCase {
  private let service = TestService()
  private let memory = PassingMemory()
  private var appAttest: AppAttest { AppAttest(service: service, memory: memory) }

  private func decoded(_ text: JSON?) -> String? {
    text?.string.flatMap { Data(base64Encoded: $0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  func test_the_first_call_attests_a_new_key_and_later_ones_assert_with_it() async {
    let first = await appAttest.attested(challenge: "c1", requestId: "r1")
    XCTAssertEqual(decoded(first.attestation?["clientData"]), #"{"challenge":"c1","requestId":"r1"}"#)
    XCTAssertEqual(decoded(first.attestation?["attestation"]), "of key1")
    XCTAssertEqual(first.fact, .object(["isSupported": .bool(true)]))
    let unanswered = await appAttest.attested(challenge: "c2", requestId: "r2")
    XCTAssertEqual(decoded(unanswered.attestation?["attestation"]), "of key1", "the service did not take it yet")
    appAttest.accepted(unanswered)
    let later = await appAttest.attested(challenge: "c3", requestId: "r3")
    XCTAssertNil(later.attestation?["attestation"])
    XCTAssertEqual(decoded(later.attestation?["assertion"]), "by key1")
    XCTAssertEqual(later.attestation?["keyId"], "key1")
    XCTAssertEqual(service.log.lines, ["key", "attest", "attest", "assert"])
  }

  func test_a_key_that_is_gone_is_replaced_once_and_one_that_Apple_could_not_attest_is_kept() async {
    memory.keep("old", as: "appAttestKey")
    service.fails("assert", .invalidKey)
    service.fails("attest", .unavailable, .failed)
    let unavailable = await appAttest.attested(challenge: "c", requestId: "r")
    XCTAssertNil(unavailable.attestation)
    XCTAssertEqual(unavailable.fact["failure"], "unavailable")
    let failed = await appAttest.attested(challenge: "c", requestId: "r")
    XCTAssertEqual(failed.fact["failure"], "failed")
    let new = await appAttest.attested(challenge: "c", requestId: "r")
    XCTAssertEqual(new.attestation?["keyId"], "key2")
    XCTAssertEqual(service.log.lines, ["assert", "key", "attest", "attest", "key", "attest"])
  }

  func test_a_device_without_it_is_told_as_such_and_the_engine_call_goes_on() async throws {
    service.isSupported = false
    let none = await appAttest.attested(challenge: "c", requestId: "r")
    XCTAssertNil(none.attestation)
    XCTAssertEqual(none.fact, .object(["isSupported": .bool(false), "failure": "unsupported"]))
    XCTAssertEqual(service.log.lines, [])
  }

  func test_the_engine_call_bears_it_with_its_own_challenge_and_a_renewed_session_with_the_new_one() async throws {
    let faults = try await Faults.planned(["intelligence": [401]])
    let client = IntelligenceClient(
      Surroundings(memory: memory, probes: [], appAttest: service, packageName: "com.example.shop", log: { _ in }))
    _ = await client.initialize(appId: "rfa_test", baseURL: faults.url)
    _ = try await client.fetch(params: [:], updateInfo: nil)
    for call in try await faults.calls("intelligence") {
      let data = decoded(call.body["attestation"]?["clientData"]) ?? ""
      XCTAssertTrue(data.contains(call.body["challenge"]?.string ?? "?"), data)
      XCTAssertEqual(call.body["facts"]?["appAttest"]?["isSupported"], .bool(true))
    }
    XCTAssertEqual(memory.text("appAttestKey"), "key1")
  }
}
