// How does the app prove that it is genuine? An App Attest key, attested once, signs each call.

import Foundation

/// The part of DCAppAttestService that the SDK uses. It hashes the client data itself.
public protocol AppAttestService: Sendable {
  var isSupported: Bool { get }
  /// Throws AppAttestError.
  func generateKey() async throws -> String
  func attest(keyId: String, clientData: Data) async throws -> Data
  func assertion(keyId: String, clientData: Data) async throws -> Data
}

/// Why Apple returned no proof.
public enum AppAttestError: Error, Sendable {
  /// The key no longer exists, for example after a reinstall. A new one is needed.
  case invalidKey
  /// Apple could not be reached. The key is stored for the next attempt.
  case unavailable
  case failed
}

/// The engine call with its proof.
struct Attested: Sendable {
  let body: JSON
  /// A key that was attested for this call. It is stored once the service has accepted it.
  let newKeyId: String?
}

/// The field `attestation` of an engine call. Without one, `failure` is the reason.
private enum Proof: Sendable {
  case attestation(keyId: String, Data)
  case assertion(keyId: String, Data)
  case failed(String)
}

struct AppAttest: Sendable {
  let service: AppAttestService
  let storage: PersistentStorage
  let clock: Clock
  /// Another app, or another service, does not know the key, and gets another one.
  let caller: Caller
  /// Limits the wait for Apple's servers, which attest a new key.
  var limitMilliseconds = AppAttest.defaultLimitMilliseconds
  /// True while Apple works, also after the limit: Apple attests a key once.
  private let isBusy = Flag()

  var keyName: String { "appAttestKey \(owner)" }
  private var pendingName: String { "appAttestPendingKey \(owner)" }
  /// When a key was last given up, in seconds since 1970.
  private var givenUpName: String { "appAttestGivenUp \(owner)" }
  /// Of assertions since the last good one: how many failed, and since when.
  private var failuresName: String { "appAttestFailures \(owner)" }
  /// Of keys since the service last accepted one: how many were made, and since when.
  private var madeName: String { "appAttestMade \(owner)" }
  private var owner: String { "\(caller.appId) \(caller.baseURL.absoluteString)" }

  static let defaultLimitMilliseconds = 5_000
  private static let secondsOfDay = 86_400.0
  private static let mostFailures = 3
  private static let mostKeysOfDay = 3
  /// In place of failures: a key was given up for them, and no other one has made an assertion since.
  private static let gaveUp = "gave up"
  /// The service ties a key to this id, and refuses a proof that comes without it.
  private static let boundFact = "keychainId"

  /// Signs session, challenge, request and body, with the fact `appAttest`. Never fails: the fact
  /// reports why there is no proof.
  func attested(_ body: JSON) async -> Attested {
    guard service.isSupported else { return without("unsupported", body) }
    guard body["factsMissing"]?[AppAttest.boundFact] == nil else { return without("noId", body) }
    let signed = with(["isSupported": .bool(true)], body)
    let clientData = Data(signedText(signed).utf8)
    guard isBusy.set() else { return without("late", body) }
    let made = await within(limitMilliseconds) {
      await proof(clientData)
    } ended: { made, isLate in
      if isLate { dropAttested(made) }
      isBusy.clear()
    }
    switch made {
    case .attestation(let keyId, let data)?:
      return Attested(body: adding("attestation", data, keyId, signed), newKeyId: keyId)
    case .assertion(let keyId, let data)?:
      return Attested(body: adding("assertion", data, keyId, signed), newKeyId: nil)
    case .failed(let failure)?: return without(failure, body)
    case nil: return without("late", body)
    }
  }

  /// Call it when the service has accepted the call: later calls use assertions with this key. When
  /// the service does not know it, another call attests another one: Apple attests a key once.
  /// Returns true if that call would be better proved than this one.
  func accepted(_ attested: Attested, asksForKey: Bool = false) -> Bool {
    if let keyId = attested.newKeyId {
      storage.store(keyId, as: keyName)
      storage.store(nil, as: pendingName)
      storage.store(nil, as: madeName)
      return false
    }
    return asksForKey && givesUpKey()
  }

  /// Apple attested the key for the text of a call that went without it. The service builds the
  /// text of the call that it gets, and takes a challenge once: no later call can use the
  /// attestation, and the next one makes another key.
  private func dropAttested(_ made: Proof?) {
    if case .attestation? = made { storage.store(nil, as: pendingName) }
  }

  private func proof(_ clientData: Data) async -> Proof {
    if let keyId = storage.text(keyName) {
      do {
        let assertion = try await service.assertion(keyId: keyId, clientData: clientData)
        if storage.text(failuresName) != nil { storage.store(nil, as: failuresName) }
        return .assertion(keyId: keyId, assertion)
      } catch {
        guard givesUpKey(after: error) else { return .failed(reason(error)) }
      }
    }
    do {
      let keyId = try await pendingKey()
      do {
        return .attestation(keyId: keyId, try await service.attest(keyId: keyId, clientData: clientData))
      } catch AppAttestError.unavailable {
        return .failed("unavailable")  // the same key can be used again
      } catch {
        storage.store(nil, as: pendingName)
        return .failed(reason(error))
      }
    } catch {
      return .failed(reason(error))
    }
  }

  /// Apple says of `invalidKey` alone that the key is gone. Other errors may pass; some phones have
  /// them at each assertion, and then a key is replaced once.
  private func givesUpKey(after error: Error) -> Bool {
    switch error {
    case AppAttestError.invalidKey: return givesUpKey()
    case AppAttestError.unavailable: return false
    default:
      guard hasFailedForLong(), givesUpKey() else { return false }
      storage.store(AppAttest.gaveUp, as: failuresName)
      return true
    }
  }

  /// At most once a day: Apple counts the keys of a device, and neither a service nor a phone may
  /// ever accept one.
  private func givesUpKey() -> Bool {
    let now = clock.now().timeIntervalSince1970
    if let last = storage.text(givenUpName).flatMap(Double.init), abs(now - last) < AppAttest.secondsOfDay {
      return false
    }
    storage.store(String(now), as: givenUpName)
    storage.store(nil, as: keyName)
    return true
  }

  /// Counts a failure. True from the third one without a good assertion, a day after the first.
  private func hasFailedForLong() -> Bool {
    let stored = storage.text(failuresName)
    if stored == AppAttest.gaveUp { return false }
    let now = clock.now().timeIntervalSince1970
    let (before, since) = count(failuresName) ?? (0, now)
    storage.store("\(before + 1) \(since)", as: failuresName)
    return before + 1 >= AppAttest.mostFailures && abs(now - since) >= AppAttest.secondsOfDay
  }

  /// A key that was generated but not yet attested. Apple counts the keys of a device, so a phone
  /// that attests none makes a few a day.
  private func pendingKey() async throws -> String {
    if let keyId = storage.text(pendingName) { return keyId }
    let now = clock.now().timeIntervalSince1970
    let ofDay = count(madeName).flatMap { abs(now - $0.since) < AppAttest.secondsOfDay ? $0 : nil }
    let (made, since) = ofDay ?? (0, now)
    guard made < AppAttest.mostKeysOfDay else { throw AppAttestError.failed }
    let keyId = try await service.generateKey()
    storage.store("\(made + 1) \(since)", as: madeName)
    storage.store(keyId, as: pendingName)
    return keyId
  }

  /// What is stored under this name: a count, and the time of the first.
  private func count(_ name: String) -> (of: Int, since: Double)? {
    let parts = (storage.text(name) ?? "").split(separator: " ").map(String.init)
    guard parts.count == 2, let count = Int(parts[0]), let since = Double(parts[1]) else { return nil }
    return (count, since)
  }

  private func adding(_ kind: String, _ data: Data, _ keyId: String, _ body: JSON) -> JSON {
    body.setting("attestation", .object(["keyId": .string(keyId), kind: .string(data.base64EncodedString())]))
  }

  private func without(_ failure: String, _ body: JSON) -> Attested {
    let fact: [String: JSON] = ["isSupported": .bool(failure != "unsupported"), "failure": .string(failure)]
    return Attested(body: with(fact, body), newKeyId: nil)
  }

  private func with(_ fact: [String: JSON], _ body: JSON) -> JSON {
    body.setting("facts", (body["facts"] ?? .object([:])).setting("appAttest", .object(fact)))
  }

  private func reason(_ error: Error) -> String {
    switch error {
    case AppAttestError.invalidKey: return "invalidKey"
    case AppAttestError.unavailable: return "unavailable"
    default: return "failed"
    }
  }
}

private final class Flag: @unchecked Sendable {
  private let lock = Lock()
  private var isSet = false

  /// False if it is set already.
  func set() -> Bool {
    lock.withLock {
      defer { isSet = true }
      return !isSet
    }
  }

  func clear() { lock.withLock { isSet = false } }
}
