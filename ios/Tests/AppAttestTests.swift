import XCTest

@testable import RingfenceCore

/// App Attest as on a device. Records its calls.
private final class FakeAppAttest: AppAttestService, @unchecked Sendable {
  var isSupported = true
  let log = Log()
  private let lock = Lock()
  private var failures: [String: [AppAttestError]] = [:]
  private var keys = 0

  func fail(_ name: String, _ errors: AppAttestError...) { lock.withLock { failures[name] = errors } }

  private func respond(_ name: String, _ text: String) throws -> String {
    log.write(name)
    let failure: AppAttestError? = lock.withLock {
      guard let first = failures[name]?.first else { return nil }
      failures[name]?.removeFirst()
      return first
    }
    if let failure = failure { throw failure }
    return text
  }

  func generateKey() async throws -> String {
    let count: Int = lock.withLock {
      keys += 1
      return keys
    }
    return try respond("key", "key\(count)")
  }

  func attest(keyId: String, clientData: Data) async throws -> Data { Data(try respond("attest", "of \(keyId)").utf8) }
  func assertion(keyId: String, clientData: Data) async throws -> Data {
    Data(try respond("assert", "by \(keyId)").utf8)
  }
}

final class AppAttestTests: XCTestCase {
  private let service = FakeAppAttest()
  private let storage = TemporaryStorage()
  private var appAttest: AppAttest { AppAttest(service: service, storage: storage) }

  private func decoded(_ text: JSON?) -> String? {
    text?.string.flatMap { Data(base64Encoded: $0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  func test_the_first_call_attests_a_new_key_and_later_calls_send_an_assertion() async {
    let first = await appAttest.attested(challenge: "c1", requestId: "r1")
    XCTAssertEqual(decoded(first.attestation?["clientData"]), #"{"challenge":"c1","requestId":"r1"}"#)
    XCTAssertEqual(decoded(first.attestation?["attestation"]), "of key1")
    XCTAssertEqual(first.fact, .object(["isSupported": .bool(true)]))
    let second = await appAttest.attested(challenge: "c2", requestId: "r2")
    XCTAssertEqual(decoded(second.attestation?["attestation"]), "of key1", "the service has not accepted the first one")
    appAttest.accepted(second)
    let later = await appAttest.attested(challenge: "c3", requestId: "r3")
    XCTAssertNil(later.attestation?["attestation"])
    XCTAssertEqual(decoded(later.attestation?["assertion"]), "by key1")
    XCTAssertEqual(later.attestation?["keyId"], "key1")
    XCTAssertEqual(service.log.lines, ["key", "attest", "attest", "assert"])
  }

  func test_an_invalid_key_is_replaced_and_a_key_that_Apple_could_not_attest_is_used_again() async {
    storage.store("old", as: "appAttestKey")
    service.fail("assert", .invalidKey)
    service.fail("attest", .unavailable, .failed)
    let unavailable = await appAttest.attested(challenge: "c", requestId: "r")
    XCTAssertNil(unavailable.attestation)
    XCTAssertEqual(unavailable.fact["failure"], "unavailable")
    let failed = await appAttest.attested(challenge: "c", requestId: "r")
    XCTAssertEqual(failed.fact["failure"], "failed")
    let new = await appAttest.attested(challenge: "c", requestId: "r")
    XCTAssertEqual(new.attestation?["keyId"], "key2")
    XCTAssertEqual(service.log.lines, ["assert", "key", "attest", "attest", "key", "attest"])
  }

  func test_a_device_without_App_Attest_reports_unsupported_and_sends_no_attestation() async throws {
    service.isSupported = false
    let none = await appAttest.attested(challenge: "c", requestId: "r")
    XCTAssertNil(none.attestation)
    XCTAssertEqual(none.fact, .object(["isSupported": .bool(false), "failure": "unsupported"]))
    XCTAssertEqual(service.log.lines, [])
  }

  func test_each_engine_call_attests_its_own_challenge_also_after_the_session_was_renewed() async throws {
    let faults = try await Faults.planned(["intelligence": [401]])
    let client = IntelligenceClient(
      Surroundings(storage: storage, probes: [], appAttest: service, packageName: "com.example.shop", log: { _ in }))
    _ = await client.initialize(appId: "rfa_test", baseURL: faults.url)
    _ = try await client.fetch(params: [:], updateInfo: nil)
    for call in try await faults.calls("intelligence") {
      let data = decoded(call.body["attestation"]?["clientData"]) ?? ""
      XCTAssertTrue(data.contains(call.body["challenge"]?.string ?? "?"), data)
      XCTAssertEqual(call.body["facts"]?["appAttest"]?["isSupported"], .bool(true))
    }
    XCTAssertEqual(storage.text("appAttestKey"), "key1")
  }
}
