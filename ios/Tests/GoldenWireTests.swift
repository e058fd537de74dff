import XCTest

@testable import DeviceIntelligence
@testable import RingfenceCore

/// Answers with what the sample was made of.
private struct SampleService: AppAttestService {
  var isSupported: Bool { true }
  func generateKey() async throws -> String { throw AppAttestError.failed }
  func attest(keyId: String, clientData: Data) async throws -> Data { throw AppAttestError.failed }
  func assertion(keyId: String, clientData: Data) async throws -> Data { Data("proof".utf8) }
}

final class GoldenWireTests: XCTestCase {
  /// Ids that each run makes anew are those of the other value.
  private func with(_ names: [String], of other: JSON, in value: JSON) -> JSON {
    guard case .object(var fields) = value else { return value }
    for name in names where fields[name] != nil { fields[name] = other[name] }
    return .object(fields)
  }

  func test_the_engine_call_and_the_push_are_the_samples_of_the_contract() async throws {
    let engineCall = try sample("intelligence-request.ios")
    let push = try sample("push-request.ios")
    guard case .object(let facts)? = engineCall["facts"] else { return XCTFail("no facts") }
    let memory = PassingMemory()
    memory.keep(engineCall["attestation"]?["keyId"]?.string, as: "appAttestKey")
    let probes = facts.filter { $0.key != "appAttest" && $0.key != "volumeDates" }
      .map { name, fact in Probe(name) { fact } }
    let sdk = DeviceIntelligenceSDK(
      Surroundings(memory: memory, probes: probes, appAttest: SampleService(), packageName: "com.example.shop"))
    let faults = try await Faults.planned()
    sdk.baseURL = faults.url
    _ = await sdk.initialize(appId: push["appId"]?.string ?? "")
    _ = try await sdk.fetchIntelligence(
      params: ["orderId": "A-1042", "amount": 49.9],
      updateInfo: UpdateInfo(
        userId: "u-1001", phoneNumber: "4915123456789", phoneInputType: .manual, otpInputType: .autoFilled,
        userEventType: .login, merchantId: "shop-7", additionalInput: ["campaign": "spring"]))
    let calls = try await faults.calls()
    let sent = try XCTUnwrap(calls.first { $0.name == "intelligence" }).body
    let pushed = try XCTUnwrap(calls.first { $0.name == "device-fingerprint" }).body

    let made = ["requestId", "challenge", "tsId", "inId", "attestation"]
    var wanted = engineCall
    if case .object(var fields) = wanted {
      fields["facts"] = .object(facts.filter { $0.key != "volumeDates" })  // which the fault server does not want
      wanted = .object(fields)
    }
    XCTAssertEqual(with(made, of: wanted, in: sent), wanted)
    XCTAssertEqual(sent["attestation"]?["keyId"], wanted["attestation"]?["keyId"])
    XCTAssertEqual(sent["attestation"]?["assertion"], wanted["attestation"]?["assertion"])
    XCTAssertEqual(with(made + ["data"], of: push, in: pushed), push)
    XCTAssertEqual(pushed["data"], .object(["requestId": sent["requestId"] ?? .null]))
  }

  func test_every_probe_of_this_platform_is_a_fact_of_the_contract() throws {
    guard case .object(let facts) = try sample("ios-facts.everything") else { return XCTFail("no facts") }
    XCTAssertEqual(deviceProbes.map { $0.name }.filter { facts[$0] == nil }, [])
  }
}
