import XCTest

@testable import RingfenceCore

/// App Attest as on a device. Records its calls.
private final class FakeAppAttest: AppAttestService, @unchecked Sendable {
  var isSupported = true
  let log = Log()
  private let lock = Lock()
  private var failures: [String: [AppAttestError]] = [:]
  private var keys = 0
  private var clientData: [String] = []
  /// Apple's servers do not answer before this.
  private var isHanging = false

  func hang(_ hangs: Bool) { lock.withLock { isHanging = hangs } }

  var signed: [String] { lock.withLock { clientData } }

  func fail(_ name: String, _ errors: AppAttestError...) { fail(name, errors) }
  func fail(_ name: String, _ errors: [AppAttestError]) { lock.withLock { failures[name] = errors } }

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

  func attest(keyId: String, clientData data: Data) async throws -> Data {
    lock.withLock { clientData.append(String(decoding: data, as: UTF8.self)) }
    while lock.withLock({ isHanging }) { try? await Task.sleep(nanoseconds: 5_000_000) }
    return Data(try respond("attest", "of \(keyId)").utf8)
  }

  func assertion(keyId: String, clientData data: Data) async throws -> Data {
    lock.withLock { clientData.append(String(decoding: data, as: UTF8.self)) }
    return Data(try respond("assert", "by \(keyId)").utf8)
  }
}

/// The time of the device, which a test moves.
private final class MovedClock: Clock, @unchecked Sendable {
  var seconds = 1_772_366_400.0

  func now() -> Date { Date(timeIntervalSince1970: seconds) }
  func wait(milliseconds: Int) async throws {}
}

final class AppAttestTests: XCTestCase {
  private let service = FakeAppAttest()
  private let storage = TemporaryStorage()
  private let clock = MovedClock()
  private var appAttest: AppAttest { appAttest(of: "rfa_test") }

  private func appAttest(of appId: String, at url: String = "https://ringfence.example") -> AppAttest {
    let caller = Caller(appId: appId, baseURL: URL(string: url)!, packageName: "com.example.shop")
    var appAttest = AppAttest(service: service, storage: storage, clock: clock, caller: caller)
    appAttest.limitMilliseconds = 60_000  // longer than the slowest machine needs
    return appAttest
  }

  private func attested(_ changes: [String: JSON] = [:]) async -> JSON {
    let body: [String: JSON] = ["tsId": "s", "challenge": "c", "requestId": "r", "facts": .object(["screen": 1])]
    let attested = await appAttest.attested(.object(body.merging(changes) { $1 }))
    XCTAssertFalse(appAttest.accepted(attested))
    return attested.body
  }

  private func decoded(_ text: JSON?) -> String? {
    text?.string.flatMap { Data(base64Encoded: $0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  func test_the_client_data_are_the_signed_text_of_the_body_that_is_sent() async throws {
    for kind in ["attestation", "assertion"] {
      let body = await attested()
      XCTAssertNotNil(body["attestation"]?[kind])
      XCTAssertNil(body["attestation"]?["clientData"], "the service builds it")
      XCTAssertEqual(body["facts"], .object(["screen": 1, "appAttest": .object(["isSupported": true])]))
      XCTAssertEqual(service.signed.last, signedText(body))
    }
    _ = await attested(["facts": .object(["screen": 2])])
    XCTAssertEqual(Set(service.signed).count, 2, "other facts, another text")
  }

  func test_the_first_call_attests_a_new_key_and_later_calls_send_an_assertion() async {
    let body: JSON = .object(["facts": .object([:])])
    let first = await appAttest.attested(body)
    XCTAssertEqual(decoded(first.body["attestation"]?["attestation"]), "of key1")
    let second = await appAttest.attested(body)
    XCTAssertEqual(
      decoded(second.body["attestation"]?["attestation"]), "of key1", "the service has not accepted the first one")
    _ = appAttest.accepted(second)
    let later = await appAttest.attested(body)
    XCTAssertNil(later.body["attestation"]?["attestation"])
    XCTAssertEqual(decoded(later.body["attestation"]?["assertion"]), "by key1")
    XCTAssertEqual(later.body["attestation"]?["keyId"], "key1")
    XCTAssertEqual(service.log.lines, ["key", "attest", "attest", "assert"])
  }

  func test_an_invalid_key_is_replaced_and_a_key_that_Apple_could_not_attest_is_used_again() async {
    storage.store("old", as: appAttest.keyName)
    service.fail("assert", .invalidKey)
    service.fail("attest", .unavailable, .failed)
    let unavailable = await attested()
    XCTAssertNil(unavailable["attestation"])
    XCTAssertEqual(unavailable["facts"]?["appAttest"]?["failure"], "unavailable")
    let failed = await attested()
    XCTAssertEqual(failed["facts"]?["appAttest"]?["failure"], "failed")
    let new = await attested()
    XCTAssertEqual(new["attestation"]?["keyId"], "key2")
    XCTAssertEqual(service.log.lines, ["assert", "key", "attest", "attest", "key", "attest"])
  }

  /// Calls at these hours. Returns which key proves each.
  private func keys(atHours hours: [Double], failing errors: [AppAttestError]) async -> [JSON?] {
    service.fail("assert", errors)
    let start = clock.seconds
    var keys: [JSON?] = []
    for hour in hours {
      clock.seconds = start + hour * 3600
      keys.append(await attested()["attestation"]?["keyId"])
    }
    clock.seconds = start + 10_000 * 3600
    return keys
  }

  func test_a_key_that_fails_for_a_day_is_replaced_once_and_again_only_after_a_good_assertion() async {
    storage.store("old", as: appAttest.keyName)
    let failed = [AppAttestError](repeating: .failed, count: 20)
    let often = await keys(atHours: [0, 1, 2, 3, 23], failing: failed)
    XCTAssertEqual(often, [nil, nil, nil, nil, nil], "an error may pass within a day")
    let later = await keys(atHours: [0, 1, 50, 100, 150, 1000], failing: failed)
    XCTAssertEqual(later, ["key1", nil, nil, nil, nil, nil], "not in a loop")
    let good = await keys(atHours: [0], failing: [])
    XCTAssertEqual(good, ["key1"])
    let again = await keys(atHours: [0, 25, 26, 27], failing: failed)
    XCTAssertEqual(again, [nil, nil, "key2", nil])
  }

  func test_errors_that_pass_and_those_of_Apples_servers_replace_no_key() async {
    storage.store("old", as: appAttest.keyName)
    let failed = AppAttestError.failed
    let two = await keys(atHours: [0, 25], failing: [failed, failed])
    XCTAssertEqual(two, [nil, nil])
    let good = await keys(atHours: [0], failing: [])
    XCTAssertEqual(good, ["old"])
    let others = await keys(atHours: [0, 25], failing: [failed, failed])
    XCTAssertEqual(others, [nil, nil], "counted from the good one")
    let unavailable = await keys(atHours: [0, 25, 50, 75], failing: [.unavailable, .unavailable, .unavailable])
    XCTAssertEqual(unavailable, [nil, nil, nil, "old"])
  }

  func test_a_phone_that_loses_each_key_makes_one_a_day() async {
    storage.store("old", as: appAttest.keyName)
    let lost = [AppAttestError](repeating: .invalidKey, count: 20)
    let keys = await keys(atHours: [0, 1, 2, 23, 25, 26], failing: lost)
    XCTAssertEqual(keys, ["key1", nil, nil, nil, "key2", nil])
  }

  func test_a_phone_whose_keys_are_never_attested_makes_three_a_day() async {
    service.fail("attest", [AppAttestError](repeating: .failed, count: 20))
    let hours: [Double] = [0, 1, 2, 3, 4, 23, 25, 26, 27, 28]
    let keys = await keys(atHours: hours, failing: [])
    XCTAssertEqual(keys, hours.map { _ in nil })
    XCTAssertEqual(service.log.lines.filter { $0 == "key" }.count, 6)
    service.fail("attest", [])
    let good = await self.keys(atHours: [0, 1], failing: [])
    XCTAssertEqual(good, ["key7", "key7"])
  }

  /// Calls until Apple works on no earlier call. Returns which key proves the last one.
  private func keyAfterLateOnes(_ appAttest: AppAttest) async throws -> JSON? {
    var attested = await appAttest.attested(.object(["facts": .object([:])]))
    try await until {
      if attested.body["facts"]?["appAttest"]?["failure"] != "late" { return true }
      attested = await appAttest.attested(.object(["facts": .object([:])]))
      return false
    }
    XCTAssertFalse(appAttest.accepted(attested))
    return attested.body["attestation"]?["keyId"]
  }

  /// Calls three times while Apple does not answer. Returns the same with a limit that passes never.
  private func late() async throws -> AppAttest {
    var appAttest = self.appAttest
    appAttest.limitMilliseconds = 50
    service.hang(true)
    for _ in 1...3 {
      let attested = await appAttest.attested(.object(["facts": .object([:])]))
      XCTAssertEqual(attested.body["facts"]?["appAttest"]?["failure"], "late")
    }
    try await until { service.signed.count == 1 }
    appAttest.limitMilliseconds = 60_000
    return appAttest
  }

  func test_a_key_that_Apple_attests_too_late_is_not_attested_a_second_time_and_the_next_call_has_another() async throws
  {
    let appAttest = try await late()
    service.hang(false)
    let next = try await keyAfterLateOnes(appAttest)
    XCTAssertEqual(next, "key2")
    XCTAssertEqual(service.signed.count, 2)
    XCTAssertEqual(service.log.lines, ["key", "attest", "key", "attest"])
    let later = try await keyAfterLateOnes(appAttest)
    XCTAssertEqual(later, "key2")
    XCTAssertEqual(service.log.lines.last, "assert")
  }

  func test_a_key_that_Apple_could_not_attest_is_used_again_also_after_a_late_answer() async throws {
    service.fail("attest", .unavailable)
    let appAttest = try await late()
    service.hang(false)
    let next = try await keyAfterLateOnes(appAttest)
    XCTAssertEqual(next, "key1")
    XCTAssertEqual(service.log.lines, ["key", "attest", "attest"])
  }

  func test_a_service_that_asks_for_another_key_and_refuses_the_call_costs_no_report() async throws {
    for refusal in [403, 503] as [JSON] {
      let faults = try await Faults.planned(["intelligence": ["usual", .object(["attest": true]), refusal]])
      let client = IntelligenceClient(
        Surroundings(
          clock: clock, storage: TemporaryStorage(), probes: [], appAttest: service, packageName: "com.example.shop",
          log: { _ in }
        ).patient)
      _ = await client.initialize(appId: "rfa_test", baseURL: faults.url)
      for _ in 1...2 { _ = try await client.fetch(params: [:], updateInfo: nil) }
      let calls = try await faults.calls("intelligence").map { $0.body["requestId"] }
      let pushed = try await faults.calls("device-fingerprint").map { $0.body["requestId"] }
      XCTAssertEqual(pushed, [calls[0], calls[1]])
    }
  }

  func test_another_app_and_another_service_get_keys_of_their_own() async {
    let callers = [
      appAttest(of: "rfa_sandbox"), appAttest(of: "rfa_live"),
      appAttest(of: "rfa_live", at: "https://other.example"),
    ]
    for kind in ["attestation", "assertion"] {
      for (index, caller) in callers.enumerated() {
        let attested = await caller.attested(.object(["facts": .object([:])]))
        _ = caller.accepted(attested)
        XCTAssertEqual(attested.body["attestation"]?["keyId"], .string("key\(index + 1)"))
        XCTAssertNotNil(attested.body["attestation"]?[kind], kind)
      }
    }
  }

  func test_a_key_that_the_service_does_not_know_is_replaced_in_the_same_fetch_at_most_once_a_day() async throws {
    let unknown: JSON = .object(["attest": true])
    let faults = try await Faults.planned(["intelligence": ["usual", unknown, "usual", unknown, unknown, unknown]])
    let client = IntelligenceClient(
      Surroundings(
        clock: clock, storage: storage, probes: [], appAttest: service, packageName: "com.example.shop", log: { _ in }
      ).patient)
    _ = await client.initialize(appId: "rfa_test", baseURL: faults.url)
    for seconds in [0, 1, 1, 1, 86_400, 1] as [Double] {
      clock.seconds += seconds
      _ = try await client.fetch(params: [:], updateInfo: nil)
    }
    let first = ["key", "attest", "assert", "key", "attest", "assert", "assert"]
    XCTAssertEqual(service.log.lines, first + ["assert", "key", "attest", "assert"])
    let calls = try await faults.calls("intelligence").map { $0.body }
    let ids = calls.map { $0["attestation"]?["keyId"] }
    XCTAssertEqual(ids, ["key1", "key1", "key2", "key2", "key2", "key2", "key3", "key3"])
    XCTAssertEqual(Set(calls.compactMap { $0["challenge"]?.text }).count, 8)
    let pushed = try await faults.calls("device-fingerprint").map { $0.body["requestId"] }
    XCTAssertEqual(pushed, [0, 2, 3, 4, 6, 7].map { calls[$0]["requestId"] }, "the call that is proved")
  }

  func test_a_device_without_App_Attest_reports_unsupported_and_sends_no_attestation() async throws {
    service.isSupported = false
    let body = await attested()
    XCTAssertNil(body["attestation"])
    XCTAssertEqual(body["facts"]?["appAttest"], .object(["isSupported": false, "failure": "unsupported"]))
    XCTAssertEqual(body["facts"]?["screen"], 1)
    XCTAssertEqual(service.log.lines, [])
  }

  func test_no_proof_is_sent_when_the_keychain_id_could_not_be_read_because_it_would_be_refused() async {
    let body = await attested(["factsMissing": .object(["keychainId": "unavailable"])])
    XCTAssertNil(body["attestation"])
    XCTAssertEqual(body["facts"]?["appAttest"], .object(["isSupported": true, "failure": "noId"]))
    XCTAssertEqual(service.log.lines, [])
  }

  func test_each_engine_call_attests_its_own_challenge_also_after_the_session_was_renewed() async throws {
    let faults = try await Faults.planned(["intelligence": [401]])
    guard case .object(let facts) = try sample("ios-facts.everything") else { return XCTFail("no facts") }
    let probes = facts.filter { $0.key != "appAttest" }.map { name, fact in Probe(name) { fact } }
    let client = IntelligenceClient(
      Surroundings(storage: storage, probes: probes, appAttest: service, packageName: "com.example.shop", log: { _ in })
        .patient)
    _ = await client.initialize(appId: "rfa_test", baseURL: faults.url)
    let updateInfo = UpdateInfo(userId: "größe 🙂 \"\\\u{2028}", additionalInput: ["é": "", "a": "\u{1F}"])
    _ = try await client.fetch(params: [:], updateInfo: updateInfo)
    let calls = try await faults.calls("intelligence")
    XCTAssertEqual(calls.map { $0.signedText }, service.signed, "the service builds the same text")
    for call in calls {
      XCTAssertEqual(call.body["facts"]?["appAttest"]?["isSupported"], .bool(true))
    }
    XCTAssertEqual(Set(service.signed).count, 2)
    XCTAssertEqual(storage.text("appAttestKey rfa_test \(faults.url)"), "key1")
  }
}
