// Which sign-ins has this app started? It finishes no others: an attacker's URL would sign the person in as the attacker.

import Foundation
import RingfenceCore

/// The last few sign-ins, in the order in which they were started. They outlive the process, because
/// iOS may end it while the person is in the browser.
struct PendingSignIns {
  struct SignIn: Equatable {
    let transactionId: String
    /// Must come with the code of the return URL. (RFC 7636)
    let codeVerifier: String
    /// The app and service of it.
    let owner: String
    /// Seconds since 1970.
    let startedAt: TimeInterval
    /// Such a one does not age: the clock may be set before the person is back.
    var isOfProcess = false
    /// The dfrId of an ASYNC sign-in. nil if there was no fingerprint. After another launch the service
    /// finds that of its session.
    var fingerprint: Task<String?, Never>?
  }

  private static let name = "signIns"
  private static let maxCount = 5
  /// No sign-in takes longer.
  private static let lifetimeSeconds: TimeInterval = 86_400
  private let storage: PersistentStorage
  private let clock: Clock
  private var known: [SignIn]?

  init(_ storage: PersistentStorage, _ clock: Clock) {
    self.storage = storage
    self.clock = clock
  }

  /// The sign-in of the owner with this id, or without an id the last one.
  mutating func of(_ transactionId: String?, _ owner: String) -> SignIn? {
    signIns().last { $0.owner == owner && (transactionId == nil || $0.transactionId == transactionId) }
  }

  mutating func save(_ transactionId: String, _ codeVerifier: String, _ owner: String) {
    let fingerprint = of(transactionId, owner)?.fingerprint
    let new = SignIn(
      transactionId: transactionId, codeVerifier: codeVerifier, owner: owner,
      startedAt: clock.now().timeIntervalSince1970, isOfProcess: true, fingerprint: fingerprint)
    store(signIns().filter { $0.transactionId != transactionId } + [new])
  }

  mutating func add(_ fingerprint: Task<String?, Never>, to transactionId: String) {
    known = signIns().map { signIn in
      var signIn = signIn
      if signIn.transactionId == transactionId { signIn.fingerprint = fingerprint }
      return signIn
    }
  }

  mutating func forget(_ transactionId: String) {
    store(signIns().filter { $0.transactionId != transactionId })
  }

  private mutating func signIns() -> [SignIn] {
    let all = known ?? PendingSignIns.read(storage.text(PendingSignIns.name))
    known = all
    let now = clock.now().timeIntervalSince1970
    return all.filter { $0.isOfProcess || abs(now - $0.startedAt) < PendingSignIns.lifetimeSeconds }
  }

  private mutating func store(_ signIns: [SignIn]) {
    let last = Array(signIns.suffix(PendingSignIns.maxCount))
    known = last
    let json = JSON.array(
      last.map { signIn -> JSON in
        [
          "transactionId": .string(signIn.transactionId), "codeVerifier": .string(signIn.codeVerifier),
          "owner": .string(signIn.owner), "startedAt": .int(Int64(signIn.startedAt)),
        ]
      })
    let text = (try? JSONEncoder().encode(json)).flatMap { String(data: $0, encoding: .utf8) }
    storage.store(last.isEmpty ? nil : text, as: PendingSignIns.name)
  }

  private static func read(_ text: String?) -> [SignIn] {
    guard let text = text, case .array(let stored)? = try? JSONDecoder().decode(JSON.self, from: Data(text.utf8))
    else { return [] }
    return stored.compactMap { json in
      guard let id = json["transactionId"]?.text, let verifier = json["codeVerifier"]?.text,
        let owner = json["owner"]?.text, let seconds = json["startedAt"]?.int
      else { return nil }
      return SignIn(transactionId: id, codeVerifier: verifier, owner: owner, startedAt: TimeInterval(seconds))
    }
  }
}

/// Proves that a sign-in is finished where it was started. (RFC 7636, S256)
struct CodeVerifier: Sendable {
  let text = base64url(Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }))

  var challenge: String { base64url(sha256(Data(text.utf8))) }
}
