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

/// The field `attestation` of an engine call, and the fact `appAttest`.
struct Attested: Sendable {
  let attestation: JSON?
  let fact: JSON
  /// Stored once the service has accepted the attestation.
  let keyId: String?
}

struct AppAttest: Sendable {
  let service: AppAttestService
  let storage: PersistentStorage

  private static let keyName = "appAttestKey"
  private static let pendingName = "appAttestPendingKey"
  /// Limits the wait for Apple's servers, which attest a new key.
  private static let limitMilliseconds = 5_000

  /// Signs client data with the challenge. Never fails: the fact reports why there is no
  /// attestation.
  func attested(challenge: String, requestId: String) async -> Attested {
    guard service.isSupported else { return without("unsupported") }
    let data: JSON = .object(["challenge": .string(challenge), "requestId": .string(requestId)])
    guard let clientData = try? JSON.encoder.encode(data) else { return without("failed") }
    return await within(AppAttest.limitMilliseconds) { await proof(clientData) } ?? without("late")
  }

  /// Call it when the service has accepted the attestation: later calls use assertions with this
  /// key.
  func accepted(_ attested: Attested) {
    guard let keyId = attested.keyId, attested.attestation?["attestation"] != nil else { return }
    storage.store(keyId, as: AppAttest.keyName)
    storage.store(nil, as: AppAttest.pendingName)
  }

  private func proof(_ clientData: Data) async -> Attested {
    if let keyId = storage.text(AppAttest.keyName) {
      do {
        let assertion = try await service.assertion(keyId: keyId, clientData: clientData)
        return with(keyId, clientData, "assertion", assertion)
      } catch AppAttestError.invalidKey {
        storage.store(nil, as: AppAttest.keyName)
      } catch {
        return without(reason(error))
      }
    }
    do {
      let keyId = try await pendingKey()
      do {
        return with(keyId, clientData, "attestation", try await service.attest(keyId: keyId, clientData: clientData))
      } catch AppAttestError.unavailable {
        return without("unavailable")  // the same key can be used again
      } catch {
        storage.store(nil, as: AppAttest.pendingName)
        return without(reason(error))
      }
    } catch {
      return without(reason(error))
    }
  }

  /// A key that was generated but not yet attested. Apple asks apps not to generate more keys than
  /// they need.
  private func pendingKey() async throws -> String {
    if let keyId = storage.text(AppAttest.pendingName) { return keyId }
    let keyId = try await service.generateKey()
    storage.store(keyId, as: AppAttest.pendingName)
    return keyId
  }

  private func with(_ keyId: String, _ clientData: Data, _ kind: String, _ proof: Data) -> Attested {
    let attestation: JSON = .object([
      "keyId": .string(keyId),
      "clientData": .string(clientData.base64EncodedString()),
      kind: .string(proof.base64EncodedString()),
    ])
    return Attested(attestation: attestation, fact: .object(["isSupported": .bool(true)]), keyId: keyId)
  }

  private func without(_ failure: String) -> Attested {
    let fact: JSON = .object(["isSupported": .bool(failure != "unsupported"), "failure": .string(failure)])
    return Attested(attestation: nil, fact: fact, keyId: nil)
  }

  private func reason(_ error: Error) -> String {
    switch error {
    case AppAttestError.invalidKey: return "invalidKey"
    case AppAttestError.unavailable: return "unavailable"
    default: return "failed"
    }
  }
}
