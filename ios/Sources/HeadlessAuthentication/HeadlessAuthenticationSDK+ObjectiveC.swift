// What do Objective-C and React Native call? The same operations, as selectors. (design: device.md)

#if canImport(ObjectiveC)
  import Foundation

  extension HeadlessAuthenticationSDK {
    /// The instance for this app.
    @available(swift, obsoleted: 1.0)
    @objc(shared)
    public static var objcShared: HeadlessAuthenticationSDK { shared }

    /// URL of your Ringfence service. Default: `RingfenceBaseURL` in Info.plist.
    @available(swift, obsoleted: 1.0)
    @objc(baseURL)
    public var objcBaseURL: URL? {
      get { baseURL }
      @objc(setBaseURL:) set { baseURL = newValue }
    }

    /// Opens a session for the app. The completion may be nil.
    @available(swift, obsoleted: 1.0)
    @objc(initializeWithAppId:completion:)
    public func objcInitialize(appId: String, completion: (@Sendable (_ success: Bool) -> Void)?) {
      initialize(appId: appId) { completion?($0) }
    }

    /// Starts a sign-in. The keys of the request are those of `SignInRequest`; `channel` is OTP,
    /// MAGIC_LINK, OAUTH or SILENT, and `identity` has `type` (MOBILE, EMAIL) and `value`.
    @available(swift, obsoleted: 1.0)
    @objc(startWithRequest:completion:)
    public func objcStart(
      request: [String: Any],
      completion: @escaping @Sendable (_ transaction: [String: Any]?, _ error: Error?) -> Void
    ) {
      let call = SignInCall(dictionary: request)
      objc(completion) { try await self.start(call) }
    }

    /// Sends the message again.
    @available(swift, obsoleted: 1.0)
    @objc(resendWithTransactionId:completion:)
    public func objcResend(
      transactionId: String?,
      completion: @escaping @Sendable (_ transaction: [String: Any]?, _ error: Error?) -> Void
    ) {
      objc(completion) { try await self.resend(transactionId: transactionId) }
    }

    /// Completes a sign-in with the digits of the message, or with `ringfence_code`.
    @available(swift, obsoleted: 1.0)
    @objc(verifyWithOtp:code:transactionId:completion:)
    public func objcVerify(
      otp: String?, code: String?, transactionId: String?,
      completion: @escaping @Sendable (_ user: [String: Any]?, _ error: Error?) -> Void
    ) {
      objc(completion) { try await self.verify(otp: otp, code: code, transactionId: transactionId) }
    }

    /// Returns the progress of a sign-in: `status`, and once the `user`.
    @available(swift, obsoleted: 1.0)
    @objc(statusWithTransactionId:completion:)
    public func objcStatus(
      transactionId: String?,
      completion: @escaping @Sendable (_ status: [String: Any]?, _ error: Error?) -> Void
    ) {
      objc(completion) { try await self.status(transactionId: transactionId) }
    }

    /// Opens the URL of a Number Verification over mobile data. Returns `state`, `code`, `error` and
    /// `iss`, as far as the operator sent them.
    @available(swift, obsoleted: 1.0)
    @objc(openNumberVerificationWithURL:completion:)
    public func objcOpenNumberVerification(
      url: URL, completion: @escaping @Sendable (_ returned: [String: Any]?, _ error: Error?) -> Void
    ) {
      objc(completion) { try await self.openNumberVerification(url: url) }
    }

    private func objc<Value: DictionaryRepresentable & Sendable>(
      _ completion: @escaping @Sendable ([String: Any]?, Error?) -> Void,
      _ work: @escaping @Sendable () async throws -> Value
    ) {
      complete(
        { (result: Result<Value, SignInError>) in
          switch result {
          case .success(let value): completion(value.dictionary, nil)
          case .failure(let error): completion(nil, error)
          }
        }, work)
    }
  }
#endif
