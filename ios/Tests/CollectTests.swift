import XCTest

@testable import DeviceIntelligence
@testable import HeadlessAuthentication
@testable import RingfenceCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Records when a key is generated.
private struct RecordingAppAttest: AppAttestService {
  let log: Log
  var isSupported: Bool { true }
  func generateKey() async throws -> String {
    log.write("appAttest")
    return "key"
  }
  func attest(keyId: String, clientData: Data) async throws -> Data { Data() }
  func assertion(keyId: String, clientData: Data) async throws -> Data { Data() }
}

/// Records which calls are sent.
private struct RecordingTransport: Transport {
  let log: Log
  func send(_ request: URLRequest) async throws -> HTTPResponse {
    log.write(request.url?.lastPathComponent ?? "")
    return try await URLSessionTransport().send(request)
  }
}

final class CollectTests: XCTestCase {
  /// Every fact of the contract.
  private func names() throws -> [String] {
    guard case .object(let facts) = try sample("ios-facts.everything") else { return [] }
    return facts.keys.sorted()
  }

  /// The facts that are read and sent when the service switches some off.
  private func collected(without off: [String]) async throws -> (read: [String], sent: [String], attests: Bool) {
    let log = Log()
    let probes = try names().filter { $0 != "appAttest" }.map { name in
      Probe(name) {
        log.write(name)
        return 1
      }
    }
    let switches = JSON.object(Dictionary(uniqueKeysWithValues: try names().map { ($0, .bool(!off.contains($0))) }))
    let faults = try await Faults.planned(["device-fingerprint/config": [.object(["collect": switches])]])
    let client = IntelligenceClient(
      Surroundings(probes: probes, appAttest: RecordingAppAttest(log: log), packageName: "x", log: { _ in }).patient)
    _ = await client.initialize(appId: "rfa_test", baseURL: faults.url)
    _ = try await client.fetch(params: [:], updateInfo: nil)
    let calls = try await faults.calls("intelligence")
    let body = try XCTUnwrap(calls.first).body
    guard case .object(let facts)? = body["facts"] else { return ([], [], false) }
    return (log.lines.sorted(), facts.keys.sorted(), body["attestation"] != nil)
  }

  func test_a_fact_that_the_service_switches_off_is_neither_read_nor_sent() async throws {
    let all = try names()
    XCTAssertGreaterThan(all.count, 20)
    for name in all {
      let (read, sent, attests) = try await collected(without: [name])
      XCTAssertEqual(read, all.filter { $0 != name })
      XCTAssertEqual(sent, all.filter { $0 != name })
      XCTAssertEqual(attests, name != "appAttest")
    }
    let (read, sent, _) = try await collected(without: all)
    XCTAssertEqual(read + sent, [])
  }

  func test_facts_are_read_at_the_call_before_a_session_is_opened_and_the_session_says_which_are_sent() async throws {
    let off: JSON = .object(["collect": .object(["screen": .bool(false)])])
    let faults = try await Faults.planned([
      "intelligence": [401], "device-fingerprint/config": ["usual", 500, 500, 500, 500, off],
    ])
    let log = Log()
    let probes = ["screen", "language"].map { name in
      Probe(name) {
        log.write(name)
        return 1
      }
    }
    let client = IntelligenceClient(
      Surroundings(
        clock: QuickClock(), transport: RecordingTransport(log: log), probes: probes, packageName: "x", log: { _ in }
      ).patient)
    _ = await client.initialize(appId: "rfa_test", baseURL: faults.url)
    let refused = await failure { try await client.fetch(params: [:], updateInfo: nil) }
    XCTAssertNotNil(refused)
    let before = log.lines.count
    _ = try await client.fetch(params: [:], updateInfo: nil)
    let lines = Array(log.lines.dropFirst(before))
    XCTAssertEqual(lines.prefix(2).sorted(), ["language", "screen"])
    XCTAssertEqual(lines.dropFirst(2), ["config", "intelligence", "device-fingerprint"])
    let facts = try await faults.calls("intelligence").map { $0.body["facts"] }
    XCTAssertEqual(facts, [.object(["screen": 1, "language": 1]), .object(["language": 1])])
  }

  func test_a_sign_in_sends_no_fact_that_the_service_switched_off() async throws {
    let off: JSON = .object(["language": .bool(false), "timezone": .bool(false)])
    let faults = try await Faults.planned(["device-fingerprint/config": [.object(["collect": off])]])
    let sdk = HeadlessAuthenticationSDK(Surroundings(packageName: "x", log: { _ in }), { nil })
    sdk.baseURL = faults.url
    _ = await sdk.initialize(appId: "rfa_test")
    _ = try await sdk.start(SignInRequest(channel: .otp, identity: .mobile("4915123456789")))
    _ = try await sdk.verify(otp: "123456")
    for call in try await faults.calls().filter({ $0.name.hasPrefix("auth/") }) {
      XCTAssertNil(call.body["facts"]?["language"])
      XCTAssertNil(call.body["facts"]?["timezone"])
      XCTAssertNotNil(call.body["facts"]?["timezoneOffset"])
    }
  }

  func test_a_missing_fact_is_left_out_and_the_reason_is_sent() async throws {
    let end = First<Bool>()
    let probes = [
      Probe("quick") { 1 }, Probe("missing") { nil },
      Probe("slow") {
        _ = await end.value()
        return 3
      },
      Probe("denied", reading: { .missing(.refused) }), Probe("off") { 2 },
    ]
    let collected = await collectFacts(probes, collect: ["quick": true, "off": false]) { $0 == "slow" ? 50 : 60_000 }
    end.resolve(true)
    XCTAssertEqual(collected.facts, ["quick": 1])
    XCTAssertEqual(collected.missing, ["missing": .unavailable, "slow": .timedOut, "denied": .refused])

    let faults = try await Faults.planned()
    for probes in [[probes[0]], [probes[0], probes[1], probes[3]]] {
      let client = IntelligenceClient(Surroundings(probes: probes, packageName: "x", log: { _ in }).patient)
      _ = await client.initialize(appId: "rfa_test", baseURL: faults.url)
      _ = try await client.fetch(params: [:], updateInfo: nil)
    }
    let sent = try await faults.calls("intelligence").map { $0.body["factsMissing"] }
    XCTAssertEqual(sent, [nil, .object(["missing": "unavailable", "denied": "refused"])])
  }
}
