import XCTest

@testable import DeviceIntelligence
@testable import RingfenceCore

final class WireTests: XCTestCase {
  private func sent(
    params: [String: Any] = [:], updateInfo: [String: Any]? = nil, surroundings: Surroundings? = nil
  ) async throws -> (engineCall: JSON, push: JSON) {
    let faults = try await Faults.planned()
    let sdk = DeviceIntelligenceSDK(surroundings ?? Surroundings(packageName: "com.example.shop", log: { _ in }))
    sdk.baseURL = faults.url
    _ = await sdk.initialize(appId: "rfa_test")
    let fetched = expectation(description: "fetched")
    sdk.fetchIntelligence(params: params, updateInfo: updateInfo) { success, _, _, message in
      XCTAssertTrue(success, message ?? "")
      fetched.fulfill()
    }
    await fulfillment(of: [fetched], timeout: 60)
    let calls = try await faults.calls()
    return (
      try XCTUnwrap(calls.first { $0.name == "intelligence" }).body,
      try XCTUnwrap(calls.first { $0.name == "device-fingerprint" }).body
    )
  }

  func test_4_7_rule_1_params_are_sent_unchanged_without_reserved_keys() async throws {
    let reserved = ["data", "status", "requestId", "message", "tsId", "inId", "platform", "appId"]
    var params: [String: Any] = [
      "orderId": "A-1", "größe 尺寸 🙂": "ñ", "": "empty key", "empty": "", "nothing": NSNull(), "none": [String: Any](),
      "count": 3, "one": 1, "zero": 0, "yes": true, "no": false, "share": 0.1, "big": Int64.max, "huge": UInt64.max,
      "list": [1, "two", [3.5, false]] as [Any], "nested": ["a": ["b": "c"]],
    ]
    for name in reserved { params[name] = "mine" }
    let (engineCall, push) = try await sent(params: params)
    XCTAssertEqual(push["orderId"], "A-1")
    XCTAssertEqual(push["größe 尺寸 🙂"], "ñ")
    XCTAssertEqual(push[""], "empty key")
    XCTAssertEqual(push["empty"], "")
    XCTAssertEqual(push["nothing"], .null)
    XCTAssertEqual(push["none"], .object([:]))
    XCTAssertEqual(push["one"], 1)
    XCTAssertEqual(push["zero"], 0)
    XCTAssertEqual(push["yes"], .bool(true))
    XCTAssertEqual(push["no"], .bool(false))
    XCTAssertEqual(push["share"], .double(0.1))
    XCTAssertEqual(push["list"], .array([1, "two", .array([.double(3.5), .bool(false)])]))
    XCTAssertEqual(push["nested"]?["a"]?["b"], "c")
    XCTAssertEqual(push["status"], "SUCCESS")
    XCTAssertEqual(push["message"], "")
    XCTAssertEqual(push["platform"], "IOS")
    XCTAssertEqual(push["appId"], "rfa_test")
    for name in ["requestId", "tsId", "inId"] { XCTAssertEqual(push[name], engineCall[name]) }
    XCTAssertEqual(
      push["data"], .object(["requestId": engineCall["requestId"] ?? .null, "analysis": "sealed"]))
  }

  func test_the_analysis_of_the_engine_call_comes_back_with_the_push_and_an_older_service_returns_none() async throws {
    let faults = try await Faults.planned(["intelligence": ["without analysis"]])
    let sdk = DeviceIntelligenceSDK(Surroundings(packageName: "com.example.shop", log: { _ in }))
    sdk.baseURL = faults.url
    _ = await sdk.initialize(appId: "rfa_test")
    for expected in [nil, "sealed"] as [JSON?] {
      _ = try await sdk.fetchIntelligence()
      let last = try await faults.calls("device-fingerprint").last
      XCTAssertEqual(last?.body["data"]?["analysis"], expected)
    }
    let carries = try await faults.calls("intelligence").map { $0.body["carry"] }
    XCTAssertEqual(carries, [true, true])
  }

  func test_only_params_that_JSON_cannot_represent_are_dropped() async throws {
    var cycle: [String: Any] = ["a": 1]
    for _ in 1...100 { cycle = ["deeper": cycle] }
    let (_, push) = try await sent(params: [
      "kept": "yes", "date": Date(), "data": Data([1]), "url": URL(fileURLWithPath: "/"), "object": NSObject(),
      "nan": Double.nan, "infinite": Double.infinity, "closure": { 1 }, "cycle": cycle,
      "list": [Date(), 2] as [Any], "nested": ["date": Date(), "kept": 1] as [String: Any], "numbers": [1: 2],
    ])
    XCTAssertEqual(push["kept"], "yes")
    for name in ["date", "url", "object", "nan", "infinite", "closure", "numbers"] { XCTAssertNil(push[name], name) }
    XCTAssertEqual(push["list"], .array([2]))
    XCTAssertEqual(push["nested"], .object(["kept": 1]))
  }

  func test_a_huge_nested_param_and_a_nil_param_do_not_crash() async throws {
    var doubling: [String: Any] = ["x": 1]
    for _ in 1...40 { doubling = ["a": doubling, "b": doubling] }
    let many = Array(repeating: 1, count: 20_000)
    let (_, push) = try await sent(params: [
      "kept": 1, "doubling": doubling, "many": many, "none": String?.none as Any, "some": String?.some("x") as Any,
    ])
    XCTAssertEqual(push["kept"], 1)
    XCTAssertNil(push["doubling"])
    XCTAssertNil(push["many"])
    XCTAssertEqual(push["some"], "x")
  }

  func test_a_deeply_nested_response_is_refused_within_the_small_stack_of_an_iOS_thread() async throws {
    for (opening, closing) in [("[", "]"), (#"{"a":"#, "}")] {
      let inner = opening == "[" ? "" : "1"
      let text = String(repeating: opening, count: 500) + inner + String(repeating: closing, count: 500)
      let refused = expectation(description: "refused")
      let thread = Thread {
        XCTAssertNil(try? JSONDecoder().decode(JSON.self, from: Data(text.utf8)))
        refused.fulfill()
      }
      thread.stackSize = 512 << 10
      thread.start()
      await fulfillment(of: [refused], timeout: 60)
    }
  }

  func test_4_7_rule_2_unknown_keys_and_invalid_enum_strings_are_dropped() async throws {
    let (engineCall, _) = try await sent(updateInfo: [
      "userId": "u1", "phoneNumber": 49, "phoneInputType": "COPY_PASTED", "otpInputType": "autoFilled",
      "userEventType": "login", "merchantId": "", "other": "x", "additionalInput": ["a": "b", "c": 1] as [String: Any],
    ])
    XCTAssertEqual(
      engineCall["updateInfo"],
      .object([
        "userId": "u1", "phoneInputType": "COPY_PASTED", "merchantId": "", "additionalInput": .object(["a": "b"]),
      ]))
  }

  func test_2_7_every_case_of_UpdateInfo_is_sent_as_its_raw_string() {
    XCTAssertEqual(
      UpdateInfo.PhoneInputType.allCases.map { $0.rawValue }, ["MANUAL", "COPY_PASTED", "GOOGLE_HINT"])
    XCTAssertEqual(UpdateInfo.OtpInputType.allCases.map { $0.rawValue }, ["MANUAL", "COPY_PASTED", "AUTO_FILLED"])
    XCTAssertEqual(
      UpdateInfo.UserEventType.allCases.map { $0.rawValue }, ["LOGIN", "SIGNUP", "TRANSACTION", "OTHERS"])
    for type in UpdateInfo.UserEventType.allCases {
      XCTAssertEqual(UpdateInfo(dictionary: ["userEventType": type.rawValue]).userEventType, type)
    }
  }

  func test_ids_are_UUID_and_epoch_seconds_and_the_installation_id_stays_the_same() async throws {
    let surroundings = Surroundings(storage: TemporaryStorage(), packageName: "com.example.shop", log: { _ in })
    let first = try await sent(surroundings: surroundings).engineCall
    let second = try await sent(surroundings: surroundings).engineCall
    let shape = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]{10}$"
    for id in [first["inId"], first["tsId"]] {
      XCTAssertNotNil(id?.string?.range(of: shape, options: .regularExpression), "\(String(describing: id))")
    }
    XCTAssertEqual(first["inId"], second["inId"])
    XCTAssertNotEqual(first["tsId"], second["tsId"])
    XCTAssertEqual(first["sdkVersion"], "1.2.0")
    XCTAssertEqual(first["platform"], "IOS")
  }

  func test_the_facts_of_this_platform_are_sent() async throws {
    var surroundings = Surroundings.ofDevice.patient
    surroundings.packageName = "com.example.shop"
    let (engineCall, _) = try await sent(surroundings: surroundings)
    guard case .object(let facts)? = engineCall["facts"] else { return XCTFail("no facts") }
    XCTAssertNil(facts["volumeDates"], "the fault server switches it off")
    for name in ["timezone", "memory", "diskSpace"] { XCTAssertNotNil(facts[name], name) }
  }
}
