import XCTest

@testable import DeviceIntelligence
@testable import RingfenceCore

/// Returns the proof of the sample.
private struct SampleAppAttest: AppAttestService {
  var isSupported: Bool { true }
  func generateKey() async throws -> String { throw AppAttestError.failed }
  func attest(keyId: String, clientData: Data) async throws -> Data { throw AppAttestError.failed }
  func assertion(keyId: String, clientData: Data) async throws -> Data { Data("proof".utf8) }
}

final class GoldenWireTests: XCTestCase {
  /// Copies fields that differ in each run from the other value.
  private func with(_ names: [String], of other: JSON, in value: JSON) -> JSON {
    guard case .object(var fields) = value else { return value }
    for name in names where fields[name] != nil { fields[name] = other[name] }
    return .object(fields)
  }

  func test_the_engine_call_and_the_push_match_the_samples_of_the_contract() async throws {
    let engineCall = try sample("intelligence-request.ios")
    let push = try sample("push-request.ios")
    guard case .object(let facts)? = engineCall["facts"] else { return XCTFail("no facts") }
    let storage = TemporaryStorage()
    let probes = facts.filter { $0.key != "appAttest" && $0.key != "volumeDates" }
      .map { name, fact in Probe(name) { fact } }
    let sdk = DeviceIntelligenceSDK(
      Surroundings(storage: storage, probes: probes, appAttest: SampleAppAttest(), packageName: "com.example.shop")
        .patient)
    let faults = try await Faults.planned()
    sdk.baseURL = faults.url
    let appId = push["appId"]?.string ?? ""
    storage.store(engineCall["attestation"]?["keyId"]?.string, as: "appAttestKey \(appId) \(faults.url)")
    _ = await sdk.initialize(appId: appId)
    _ = try await sdk.fetchIntelligence(
      params: ["orderId": "A-1042", "amount": 49.9],
      updateInfo: UpdateInfo(
        userId: "u-1001", phoneNumber: "4915123456789", phoneInputType: .manual, otpInputType: .autoFilled,
        userEventType: .login, merchantId: "shop-7", additionalInput: ["campaign": "spring"]))
    let calls = try await faults.calls()
    let sent = try XCTUnwrap(calls.first { $0.name == "intelligence" }).body
    let pushed = try XCTUnwrap(calls.first { $0.name == "device-fingerprint" }).body

    let perRun = ["requestId", "challenge", "tsId", "inId", "attestation"]
    var expected = engineCall
    if case .object(var fields) = expected {
      fields["facts"] = .object(facts.filter { $0.key != "volumeDates" })  // switched off by the fault server
      expected = .object(fields)
    }
    XCTAssertEqual(with(perRun, of: expected, in: sent), expected)
    XCTAssertEqual(sent["attestation"]?["keyId"], expected["attestation"]?["keyId"])
    XCTAssertEqual(sent["attestation"]?["assertion"], expected["attestation"]?["assertion"])
    XCTAssertEqual(with(perRun + ["data"], of: push, in: pushed), push)
    XCTAssertEqual(pushed["data"], .object(["requestId": sent["requestId"] ?? .null, "analysis": "sealed"]))
  }

  func test_every_probe_of_this_platform_is_a_fact_of_the_contract() throws {
    guard case .object(let facts) = try sample("ios-facts.everything") else { return XCTFail("no facts") }
    XCTAssertEqual(deviceProbes.map { $0.name }.filter { facts[$0] == nil }, [])
  }
}
