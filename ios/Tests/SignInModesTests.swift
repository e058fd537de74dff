import XCTest

@testable import HeadlessAuthentication
@testable import RingfenceCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Records which calls have a response.
private final class RecordingTransport: Transport, @unchecked Sendable {
  let log = Log()
  private let transport = URLSessionTransport(limitSeconds: 60)

  func send(_ request: URLRequest) async throws -> HTTPResponse {
    let response = try await transport.send(request)
    log.write(request.url?.path ?? "")
    return response
  }
}

/// One way in which a person signs in.
private struct Flow {
  let name: String
  let request: @Sendable (_ recipient: String) -> SignInRequest
  /// The app is closed after the start. A new process completes the sign-in.
  var isReopened = false
  let complete:
    @Sendable (HeadlessAuthenticationSDK, SignInTransaction, _ recipient: String) async throws -> SignedInUser
}

/// The real service, for every flow in every mode. (specification 4.7, rule 5)
final class SignInModesTests: XCTestCase {
  private let transport = RecordingTransport()

  /// An app as after its launch.
  private func launched(_ storage: PersistentStorage) async throws -> HeadlessAuthenticationSDK {
    let surroundings = Surroundings(
      transport: transport, storage: storage, packageName: try started("PACKAGE_NAME"), log: { _ in })
    let client = IntelligenceClient(surroundings)
    let url = try startedURL("URL")
    let initialized = await client.initialize(appId: try started("APP_ID"), baseURL: url)
    XCTAssertTrue(initialized)
    let sdk = HeadlessAuthenticationSDK(
      surroundings, { client }, fingerprintLimitMilliseconds: 60_000, lateFingerprintMilliseconds: 60_000)
    sdk.baseURL = url
    let success = await sdk.initialize(appId: try started("APP_ID"))
    XCTAssertTrue(success)
    return sdk
  }

  private func flows() throws -> [Flow] {
    let back = "\(try started("PACKAGE_NAME"))://signed-in"
    let withCode: @Sendable (HeadlessAuthenticationSDK, String) async throws -> SignedInUser = { sdk, location in
      let items = URLComponents(string: location)?.queryItems ?? []
      let values = Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
      return try await sdk.verify(code: values["ringfence_code"], transactionId: values["ringfence_transaction"])
    }
    let byLink = Flow(
      name: "magic link that leads back to the app",
      request: { SignInRequest(channel: .magicLink, identity: .email($0), redirectUrl: back) },
      complete: { sdk, _, recipient in try await withCode(sdk, try await openLink(sentTo: recipient)) })
    let byProvider = Flow(
      name: "identity provider in a web view",
      request: { _ in SignInRequest(channel: .oauth, method: "GOOGLE", redirectUrl: back) },
      complete: { sdk, transaction, _ in
        try await withCode(sdk, try await signInAtProvider(transaction.authorizationUrl ?? ""))
      })
    return [
      Flow(
        name: "OTP by SMS", request: { SignInRequest(channel: .otp, identity: .mobile($0)) },
        complete: { sdk, _, recipient in try await sdk.verify(otp: try await otp(sentTo: recipient)) }),
      Flow(
        name: "OTP by email", request: { SignInRequest(channel: .otp, identity: .email($0)) },
        complete: { sdk, _, recipient in try await sdk.verify(otp: try await otp(sentTo: recipient)) }),
      Flow(
        name: "magic link on another device",
        request: { SignInRequest(channel: .magicLink, identity: .email($0)) },
        complete: { sdk, transaction, recipient in
          try await openLink(sentTo: recipient)
          let user = try await sdk.status(transactionId: transaction.transactionId).user
          return try XCTUnwrap(user)
        }),
      byLink,
      Flow(
        name: "\(byLink.name), which was closed", request: byLink.request, isReopened: true,
        complete: byLink.complete),
      byProvider,
      Flow(
        name: "identity provider in the browser, and the app was closed", request: byProvider.request,
        isReopened: true, complete: byProvider.complete),
    ]
  }

  private func pushes() -> Int { transport.log.lines.filter { $0 == "/sdk/v1/device-fingerprint" }.count }

  private func check(_ mode: DeviceFingerprintMode, file: StaticString = #filePath, line: UInt = #line) async throws {
    for (index, flow) in try flows().enumerated() {
      let number = "49151234568\(index)\(["NONE": 1, "ASYNC": 2, "SYNC": 3][mode.rawValue] ?? 0)"
      let recipient = flow.name.hasSuffix("SMS") ? number : "\(mode.rawValue.lowercased())-\(index)@shop.example"
      let storage = TemporaryStorage()
      let sdk = try await launched(storage)
      let before = pushes()
      var request = flow.request(recipient)
      request.deviceFingerprintMode = mode
      let transaction = try await sdk.start(request)
      if flow.isReopened && mode == .async { try await until { pushes() > before } }
      let completing = flow.isReopened ? try await launched(storage) : sdk
      let user = try await flow.complete(completing, transaction, recipient)
      let secureInfo = try await validated(user.token)["secureInfo"]
      let message = "\(flow.name), \(mode)"
      XCTAssertEqual(user.dfrId != nil, mode != .none, message, file: file, line: line)
      XCTAssertEqual(secureInfo != nil, mode != .none, message, file: file, line: line)
      XCTAssertEqual(pushes() - before, mode == .none ? 0 : 1, message, file: file, line: line)
    }
  }

  func test_4_7_rule_5_NONE_has_no_fingerprint_in_any_flow() async throws { try await check(.none) }
  func test_4_7_rule_5_SYNC_has_the_fingerprint_in_every_flow() async throws { try await check(.sync) }
  func test_4_7_rule_5_ASYNC_has_the_fingerprint_in_every_flow() async throws { try await check(.async) }
}
