// How does an app sign people in with its own screens? (specification 4.7, rule 5)

import Foundation
import RingfenceCore

/// Sign-in for one app. It adds the device fingerprint if the request asks for it and device
/// intelligence is linked.
public final class HeadlessAuthenticationSDK: NSObject, @unchecked Sendable {
  /// The instance for this app.
  public static let shared = HeadlessAuthenticationSDK(
    Surroundings(storage: PrivateFiles.ofApp), linkedFingerprint)

  let surroundings: Surroundings
  private let fingerprint: @Sendable () -> IntelligenceClient?
  /// SYNC waits at most this long, because a fingerprint must not block a sign-in.
  private let fingerprintLimitMilliseconds: Int
  /// ASYNC waits at most this long at the end of a sign-in, for a fingerprint that is in flight.
  private let lateFingerprintMilliseconds: Int
  /// SILENT waits at most this long for the network.
  let silentLimitMilliseconds: Int
  private let lock = Lock()
  private var chosenBaseURL = Bundle.main.object(forInfoDictionaryKey: "RingfenceBaseURL") as? String
  private var ownSessions: Sessions?
  private var pending: PendingSignIns
  /// The same until a person has signed in, because a repeated start is the same sign-in.
  private var verifier = CodeVerifier()

  /// For tests: with replaced surroundings and device intelligence.
  public init(
    _ surroundings: Surroundings, _ fingerprint: @escaping @Sendable () -> IntelligenceClient?,
    fingerprintLimitMilliseconds: Int = 10_000, lateFingerprintMilliseconds: Int = 5_000,
    silentLimitMilliseconds: Int = 8_000
  ) {
    self.surroundings = surroundings
    pending = PendingSignIns(surroundings.storage, surroundings.clock)
    self.fingerprint = fingerprint
    self.fingerprintLimitMilliseconds = fingerprintLimitMilliseconds
    self.lateFingerprintMilliseconds = lateFingerprintMilliseconds
    self.silentLimitMilliseconds = silentLimitMilliseconds
  }

  /// URL of your Ringfence service. Default: `RingfenceBaseURL` in Info.plist. A change takes
  /// effect at the next `initialize`.
  public var baseURL: URL? {
    get { lock.withLock { chosenBaseURL }.flatMap { URL(string: $0) } }
    set { lock.withLock { chosenBaseURL = newValue?.absoluteString } }
  }

  /// Opens a session for the app, or uses the session of device intelligence. Returns false if the
  /// app is unknown, does not list this bundle id, or the service cannot be reached. The next
  /// sign-in call then tries again.
  public func initialize(appId: String) async -> Bool {
    guard let baseURL = baseURL else {
      surroundings.log("not initialised: set baseURL, or RingfenceBaseURL in Info.plist")
      return false
    }
    let caller = Caller(appId: appId, baseURL: baseURL, packageName: surroundings.packageName)
    lock.withLock {
      if ownSessions?.caller != caller {
        let service = Service(baseURL: baseURL, transport: surroundings.transport)
        ownSessions = Sessions(caller: caller, service: service, clock: surroundings.clock)
      }
    }
    do {
      _ = try await sessions().current()
      return true
    } catch {
      surroundings.log("not initialised: \((error as? ServiceError)?.message ?? "\(error)")")
      return false
    }
  }

  /// Starts a sign-in: the service sends a message, or returns the URL of the identity provider.
  /// SILENT: the mobile network verifies the phone, and the result has the `user`; otherwise starts
  /// an OTP, unless the app's setting `silentFallback` is NONE. Throws SignInError.
  public func start(_ request: SignInRequest) async throws -> SignInTransaction {
    try await start(request.call)
  }

  func start(_ call: SignInCall) async throws -> SignInTransaction {
    let late = call.deviceFingerprintMode == .async ? Task { await dfrId(call) } : nil
    var fields = call.fields
    if call.deviceFingerprintMode == .sync { fields["dfrId"] = .words(await dfrId(call)) }
    var transaction = try await begin(fields, late)
    guard transaction.channel == SignInRequest.Channel.silent.rawValue, fields["redirectUrl"] == nil else {
      return transaction
    }
    switch await verifySilently(transaction) {
    case .success(let user):
      transaction.user = user
      return transaction
    case .failure(let failure):
      lock.withLock { pending.forget(transaction.transactionId) }
      guard let fallback = transaction.fallback else { throw SignInError.notVerified(reason: failure.reason) }
      // Nobody waits for this message any more.
      guard !Task.isCancelled else { throw SignInError.unreachable(message: "The task was cancelled") }
      fields["channel"] = .string(fallback)
      var byMessage = try await begin(fields, late)
      byMessage.silentError = failure.reason
      return byMessage
    }
  }

  /// Sends the message again. Default for `transactionId`: the last sign-in that was started.
  /// Throws SignInError.
  public func resend(transactionId: String? = nil) async throws -> SignInTransaction {
    let signIn = try pendingSignIn(transactionId)
    return try SignInTransaction(await call("resend", ["transactionId": .string(signIn.transactionId)]))
  }

  /// Completes a sign-in with the digits of the message, or with `ringfence_code` in the URL that
  /// the person returned to. Throws SignInError: noSignIn if another app or device started it.
  public func verify(otp: String? = nil, code: String? = nil, transactionId: String? = nil) async throws -> SignedInUser
  {
    let facts = await plainFacts()
    let signIn = try pendingSignIn(transactionId)
    let body: [String: JSON?] = [
      "transactionId": .string(signIn.transactionId), "otp": .words(otp), "code": .words(code),
      "codeVerifier": code == nil ? nil : .string(signIn.codeVerifier),
      "dfrId": .words(await dfrId(of: signIn)), "facts": facts,
    ]
    let user = try SignedInUser(await call("verify", body.compactMapValues { $0 }))
    signedIn(signIn)
    return user
  }

  /// Returns the progress of a sign-in. Poll it while a person opens a magic link. Throws
  /// SignInError.
  public func status(transactionId: String? = nil) async throws -> SignInStatus {
    let signIn = try pendingSignIn(transactionId)
    // The response to this call may already complete the sign-in.
    let body: [String: JSON?] = [
      "transactionId": .string(signIn.transactionId), "dfrId": .words(await dfrId(of: signIn)),
    ]
    let status = try SignInStatus(await call("status", body.compactMapValues { $0 }))
    if status.user != nil { signedIn(signIn) }
    return status
  }

  private func begin(_ fields: [String: JSON], _ late: Task<String?, Never>?) async throws -> SignInTransaction {
    var body = fields
    body["facts"] = await plainFacts()
    let verifier = lock.withLock { self.verifier }
    let owner = try self.owner()
    body["codeChallenge"] = .string(verifier.challenge)
    let transaction = try SignInTransaction(await call("start", body))
    lock.withLock {
      pending.save(transaction.transactionId, verifier.text, owner)
      if let late = late { pending.add(late, to: transaction.transactionId) }
    }
    return transaction
  }

  private func signedIn(_ signIn: PendingSignIns.SignIn) {
    lock.withLock {
      pending.forget(signIn.transactionId)
      verifier = CodeVerifier()
    }
  }

  private func verifySilently(_ transaction: SignInTransaction) async -> Result<SignedInUser, NotVerified> {
    do {
      let code = try await silentCode(
        of: transaction.authorizationUrl ?? "", surroundings, limitMilliseconds: silentLimitMilliseconds)
      return .success(try await verify(code: code, transactionId: transaction.transactionId))
    } catch {
      return .failure(NotVerified(error))
    }
  }

  /// Shares the session of device intelligence, because the service accepts a dfrId only in the
  /// session of its sign-in.
  private func sessions() throws -> Sessions {
    guard let ownSessions = lock.withLock({ ownSessions }) else { throw SignInError.notConfigured }
    guard let linked = fingerprint()?.sessions, linked.caller.appId == ownSessions.caller.appId,
      linked.caller.baseURL == ownSessions.caller.baseURL
    else { return ownSessions }
    return linked
  }

  private func call(_ name: String, _ body: [String: JSON]) async throws -> JSON {
    let used = try sessions()
    do {
      return try await used.run { session in
        try await used.service.send("/sdk/v1/auth/\(name)", headers: session.headers, body: .object(body))
      }
    } catch let error as ServiceError {
      throw SignInError(error)
    } catch {
      throw SignInError.unreachable(message: "\(error)")
    }
  }

  private func plainFacts() async -> JSON? {
    guard let collect = try? await sessions().current().collect else { return nil }
    return .object(await collectFacts(surroundings.probes, collect: collect).facts)
  }

  /// The dfrId of an ASYNC sign-in. Waits a moment for one that is in flight.
  private func dfrId(of signIn: PendingSignIns.SignIn) async -> String? {
    guard let fingerprint = signIn.fingerprint else { return nil }
    return await within(lateFingerprintMilliseconds) { await fingerprint.value }
  }

  /// Never fails. Without a dfrId the sign-in continues, and the log says why.
  private func dfrId(_ call: SignInCall) async -> String? {
    guard let client = fingerprint() else { return noFingerprint("device intelligence is not linked") }
    guard client.isInitialized else { return noFingerprint("device intelligence is not initialised") }
    let fetched: Result<String, IntelligenceError>? = await within(fingerprintLimitMilliseconds) {
      do {
        return .success(try await client.fetch(params: call.params, updateInfo: call.updateInfo).dfrId)
      } catch {
        return .failure(error as? IntelligenceError ?? .unknown)
      }
    }
    switch fetched {
    case .success(let dfrId)?: return dfrId
    case .failure(let error)?: return noFingerprint(error.message)
    case nil: return noFingerprint("it took longer than \(fingerprintLimitMilliseconds) ms")
    }
  }

  private func noFingerprint(_ reason: String) -> String? {
    surroundings.log("signing in without a device fingerprint: \(reason)")
    return nil
  }

  private func pendingSignIn(_ transactionId: String?) throws -> PendingSignIns.SignIn {
    let owner = try self.owner()
    guard let signIn = lock.withLock({ pending.of(transactionId, owner) }) else { throw SignInError.noSignIn }
    return signIn
  }

  /// Sign-ins of another app or service are not of this one.
  private func owner() throws -> String {
    guard let caller = lock.withLock({ ownSessions?.caller }) else { throw SignInError.notConfigured }
    return "\(caller.appId) \(caller.baseURL.absoluteString)"
  }
}
