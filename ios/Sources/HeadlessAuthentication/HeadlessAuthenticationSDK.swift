// How does an app sign people in without a screen of ours? start, resend, verify, status. (specification 4.7, rule 5)

import Foundation
import RingfenceCore

/// Sign-in for one app, with the device's fingerprint where the request asks for it and device intelligence is linked.
public final class HeadlessAuthenticationSDK: @unchecked Sendable {
  /// The one of this app.
  public static let shared = HeadlessAuthenticationSDK(Surroundings(), linkedFingerprint)

  private let surroundings: Surroundings
  private let fingerprint: @Sendable () -> IntelligenceClient?
  /// SYNC waits no longer than this: a fingerprint must not block.
  private let fingerprintLimitMilliseconds: Int
  private let lock = Lock()
  private var chosenBaseURL = Bundle.main.object(forInfoDictionaryKey: "RingfenceBaseURL") as? String
  private var own: Sessions?
  private var pending = PendingSignIns()

  /// For tests: with other surroundings, and another device intelligence than the one that is linked.
  public init(
    _ surroundings: Surroundings, _ fingerprint: @escaping @Sendable () -> IntelligenceClient?,
    fingerprintLimitMilliseconds: Int = 10_000
  ) {
    self.surroundings = surroundings
    self.fingerprint = fingerprint
    self.fingerprintLimitMilliseconds = fingerprintLimitMilliseconds
  }

  /// Where your Ringfence is; from `RingfenceBaseURL` of Info.plist when it is not set. It counts at the next `initialize`.
  public var baseURL: URL? {
    get { lock.doing { chosenBaseURL }.flatMap { URL(string: $0) } }
    set { lock.doing { chosenBaseURL = newValue?.absoluteString } }
  }

  /// Opens a session for the app, or takes that of device intelligence. False when the app is unknown, does not list this bundle id, or
  /// the service cannot be reached; a call of a sign-in tries again.
  public func initialize(appId: String) async -> Bool {
    guard let baseURL = baseURL else {
      surroundings.log("not initialised: set baseURL, or RingfenceBaseURL in Info.plist")
      return false
    }
    let caller = Caller(appId: appId, baseURL: baseURL, packageName: surroundings.packageName)
    lock.doing {
      if own?.caller != caller {
        let service = Service(baseURL: baseURL, transport: surroundings.transport)
        own = Sessions(caller: caller, service: service, clock: surroundings.clock)
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

  /// Begins a sign-in: a message goes out, or a provider can be asked. Throws SignInError.
  public func start(_ request: SignInRequest) async throws -> SignInTransaction {
    var body = request.fields
    switch request.deviceFingerprintMode {
    case .none:
      return try await begin(body)
    case .sync:
      body["dfrId"] = .words(await dfrId(request))
      return try await begin(body)
    case .async:
      let beside = Task { await dfrId(request) }
      let transaction = try await begin(body)
      Task {
        guard let dfrId = await beside.value else { return }
        // Sent with verify, when it is there by then.
        lock.doing { pending.add(dfrId: dfrId, to: transaction.transactionId) }
      }
      return transaction
    }
  }

  /// Sends the message once more. Without a transaction: that of the last start. Throws SignInError.
  public func resend(transactionId: String? = nil) async throws -> SignInTransaction {
    let signIn = try pendingSignIn(transactionId)
    return try SignInTransaction(await call("resend", ["transactionId": .string(signIn.transactionId)]))
  }

  /// Ends a sign-in by the digits of the message, or by `ringfence_code` of the address that the person came back to.
  /// Throws SignInError.
  public func verify(otp: String? = nil, code: String? = nil, transactionId: String? = nil) async throws -> SignedInUser
  {
    let facts = await plainFacts()
    let signIn = try pendingSignIn(transactionId)
    let body: [String: JSON?] = [
      "transactionId": .string(signIn.transactionId), "otp": .words(otp), "code": .words(code),
      "dfrId": .words(signIn.dfrId), "facts": facts,
    ]
    let user = try SignedInUser(await call("verify", body.compactMapValues { $0 }))
    lock.doing { pending.forget(signIn.transactionId) }
    return user
  }

  /// How far a sign-in is: asked again and again while a person opens a magic link. Throws SignInError.
  public func status(transactionId: String? = nil) async throws -> SignInStatus {
    let signIn = try pendingSignIn(transactionId)
    let status = try SignInStatus(await call("status", ["transactionId": .string(signIn.transactionId)]))
    if status.user != nil { lock.doing { pending.forget(signIn.transactionId) } }
    return status
  }

  private func begin(_ fields: [String: JSON]) async throws -> SignInTransaction {
    var body = fields
    body["facts"] = await plainFacts()
    let transaction = try SignInTransaction(await call("start", body))
    lock.doing { pending.keep(transaction.transactionId) }
    return transaction
  }

  /// Those of device intelligence where it calls for the same app: the service takes a dfrId in the session of its sign-in alone.
  private func sessions() throws -> Sessions {
    guard let own = lock.doing({ own }) else { throw SignInError.notConfigured }
    guard let linked = fingerprint()?.sessions, linked.caller.appId == own.caller.appId,
      linked.caller.baseURL == own.caller.baseURL
    else { return own }
    return linked
  }

  private func call(_ name: String, _ body: [String: JSON]) async throws -> JSON {
    let used = try sessions()
    do {
      return try await used.run { session in
        try await used.service.ask("/sdk/v1/auth/\(name)", headers: session.headers, body: .object(body))
      }
    } catch let error as ServiceError {
      throw SignInError(error)
    } catch {
      throw SignInError.unreachable(message: "\(error)")
    }
  }

  private func plainFacts() async -> JSON? {
    guard let collect = try? await sessions().current().collect else { return nil }
    return .object(await collectFacts(surroundings.probes, collect: collect))
  }

  /// Never fails: without a dfrId the sign-in goes on, and the log says why.
  private func dfrId(_ request: SignInRequest) async -> String? {
    guard let client = fingerprint() else { return goesOn("device intelligence is not linked") }
    guard client.isInitialized else { return goesOn("device intelligence is not initialised") }
    let fetched: Result<String, IntelligenceError>? = await within(fingerprintLimitMilliseconds) {
      do {
        return .success(try await client.fetch(params: request.params, updateInfo: request.updateInfo).dfrId)
      } catch {
        return .failure(error as? IntelligenceError ?? .unknown)
      }
    }
    switch fetched {
    case .success(let dfrId)?: return dfrId
    case .failure(let error)?: return goesOn(error.message)
    case nil: return goesOn("it took too long")
    }
  }

  private func goesOn(_ reason: String) -> String? {
    surroundings.log("the sign-in goes on without a device fingerprint: \(reason)")
    return nil
  }

  private func pendingSignIn(_ transactionId: String?) throws -> PendingSignIns.SignIn {
    guard lock.doing({ own }) != nil else { throw SignInError.notConfigured }
    guard let signIn = lock.doing({ pending.of(transactionId) }) else { throw SignInError.noSignIn }
    return signIn
  }
}
