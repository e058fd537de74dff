import XCTest

@testable import HeadlessAuthentication
@testable import RingfenceCore

final class CompletionTests: XCTestCase {
  private func sdk(_ faults: Faults) -> HeadlessAuthenticationSDK {
    let sdk = HeadlessAuthenticationSDK(
      Surroundings(clock: QuickClock(), packageName: "com.example.shop", log: { _ in }), { nil })
    sdk.baseURL = faults.url
    return sdk
  }

  private func signedIn(_ faults: Faults) async -> HeadlessAuthenticationSDK {
    let sdk = sdk(faults)
    _ = await sdk.initialize(appId: "rfa_test")
    return sdk
  }

  func test_4_7_rule_5_a_person_signs_in_with_completions_which_are_called_on_a_background_thread() async throws {
    let sdk = HeadlessAuthenticationSDK(Surroundings(packageName: try started("PACKAGE_NAME"), log: { _ in }), { nil })
    sdk.baseURL = try startedURL("URL")
    let number = "4915123456731"
    let appId = try started("APP_ID")
    let initialized: Bool = await withCheckedContinuation { continuation in
      sdk.initialize(appId: appId) { continuation.resume(returning: $0) }
    }
    XCTAssertTrue(initialized)
    let transaction: SignInTransaction = try await result {
      sdk.start(SignInRequest(channel: .otp, identity: .mobile(number), method: "SMS"), completion: $0)
    }
    let status: SignInStatus = try await result { sdk.status(completion: $0) }
    XCTAssertEqual(status.status, .pending)
    let wrong = await failure {
      try await self.result { (done: @escaping @Sendable (Result<SignedInUser, SignInError>) -> Void) in
        sdk.verify(otp: "000000", completion: done)
      }
    }
    guard case .refused(400, _, _, _, _)? = wrong as? SignInError else {
      return XCTFail("\(String(describing: wrong))")
    }
    let digits = try await otp(sentTo: number)
    let user: SignedInUser = try await result {
      sdk.verify(otp: digits, transactionId: transaction.transactionId, completion: $0)
    }
    XCTAssertFalse(user.token.isEmpty)
    let early: Result<SignInTransaction, SignInError> = await withCheckedContinuation { continuation in
      sdk.resend { continuation.resume(returning: $0) }
    }
    XCTAssertEqual(early, .failure(.noSignIn))
    let url = try XCTUnwrap(URL(string: "https://operator.example/authorize"))
    let returned: Result<NumberVerificationReturn, SignInError> = await withCheckedContinuation { continuation in
      sdk.openNumberVerification(url: url) { continuation.resume(returning: $0) }
    }
    guard case .failure(.notVerified) = returned else { return XCTFail("\(returned)") }
  }

  private func result<Value: Sendable>(
    _ call: (@escaping @Sendable (Result<Value, SignInError>) -> Void) -> Void
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      call {
        XCTAssertFalse(Thread.isMainThread)
        continuation.resume(with: $0)
      }
    }
  }

  func test_a_request_as_a_dictionary_sends_the_same_as_a_request() async throws {
    let faults = try await Faults.planned()
    let sdk = await signedIn(faults)
    _ = try await sdk.start(
      SignInRequest(
        channel: .otp, identity: .mobile("4915123456789"), method: "SMS", otpLength: 6, locale: "de", linkTo: "token",
        deviceFingerprintMode: .sync))
    let request: [String: Any] = [
      "channel": "OTP", "identity": ["type": "MOBILE", "value": "4915123456789"], "method": "SMS", "otpLength": 6,
      "locale": "de", "linkTo": "token", "deviceFingerprintMode": "SYNC", "params": ["orderId": "A-1"],
      "updateInfo": ["userId": "u-1"], "due": Date(),
    ]
    let call = SignInCall(dictionary: request)
    XCTAssertEqual(call.deviceFingerprintMode, .sync)
    XCTAssertEqual(call.params, ["orderId": "A-1"])
    XCTAssertEqual(call.updateInfo, UpdateInfo(userId: "u-1"))
    _ = try await sdk.start(call)
    let bodies = try await faults.calls("auth/start").map { $0.body }
    XCTAssertEqual(bodies.count, 2)
    XCTAssertEqual(bodies.first, bodies.last)
  }

  func test_a_request_as_a_dictionary_that_is_not_valid_is_refused_by_the_service() async throws {
    let sdk = HeadlessAuthenticationSDK(Surroundings(packageName: try started("PACKAGE_NAME"), log: { _ in }), { nil })
    sdk.baseURL = try startedURL("URL")
    _ = await sdk.initialize(appId: try started("APP_ID"))
    let valid: [String: Any] = ["channel": "OTP", "identity": ["type": "MOBILE", "value": "4915123456732"]]
    for change in [
      ["channel": "PIGEON"], ["channel": 1], ["channel": NSNull()], ["identity": "4915123456732"], ["identity": [1]],
      ["deviceFingerprintMode": "SOMETIMES"], ["otpLength": "six"],
    ] as [[String: Any]] {
      let call = SignInCall(dictionary: valid.merging(change) { $1 })
      let error = await failure { try await sdk.start(call) }
      guard case .refused(400, _, _, _, _)? = error as? SignInError else {
        return XCTFail("\(change): \(String(describing: error))")
      }
    }
  }

  func test_results_as_dictionaries_have_the_names_of_the_wire_and_leave_out_what_is_missing() throws {
    let user: JSON = ["token": "t", "userId": "u", "timestamp": "2026-03-01T12:00:00.000Z", "network": ["ip": "::1"]]
    let status = try SignInStatus(["status": "SUCCESS", "user": user]).dictionary
    XCTAssertEqual(JSON(any: status), ["status": "SUCCESS", "user": user])
    XCTAssertEqual(JSON(any: try SignedInUser(user).dictionary), user)
    let pending: JSON = [
      "transactionId": "1", "channel": "OTP", "method": "SMS", "expiresAt": "2026-03-01T12:05:00.000Z", "otpLength": 6,
    ]
    var transaction = try SignInTransaction(pending)
    XCTAssertEqual(JSON(any: transaction.dictionary), pending)
    transaction.user = try SignedInUser(user)
    XCTAssertEqual(JSON(any: transaction.dictionary)?["user"], user)
    let url = try XCTUnwrap(URL(string: "https://shop.example/return?state=s&error=login_required"))
    XCTAssertEqual(
      JSON(any: NumberVerificationReturn(url).dictionary), ["state": "s", "error": "login_required"])
  }

  func test_an_error_as_an_NSError_has_a_code_and_what_the_service_said() {
    let refused = SignInError.refused(
      status: 429, errorCode: "7130", message: "Too many", requestId: "r", retryAfterSeconds: 30)
    XCTAssertEqual(
      JSON(any: refused.errorUserInfo),
      [
        "NSLocalizedDescription": "Too many", "status": 429, "errorCode": "7130", "requestId": "r",
        "retryAfterSeconds": 30,
      ])
    let all: [SignInError] = [
      .notConfigured, .noSignIn, refused, .notVerified(reason: "timeout"), .unreachable(message: "x"),
    ]
    XCTAssertEqual(all.map { $0.errorCode }, [1, 2, 3, 4, 5])
    XCTAssertEqual(SignInError.notVerified(reason: "timeout").errorUserInfo["reason"] as? String, "timeout")
    XCTAssertEqual(SignInError.errorDomain, "RingfenceSignIn")
  }
}
