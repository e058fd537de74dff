// How does the app prove that it is ours, on Apple's hardware? One key of App Attest, attested once, then an assertion for each call.

import Foundation

/// DCAppAttestService, as far as it is needed; hashes the client data itself.
public protocol AppAttestService: Sendable {
  var isSupported: Bool { get }
  /// Throws AppAttestError.
  func generateKey() async throws -> String
  func attest(keyId: String, clientData: Data) async throws -> Data
  func assertion(keyId: String, clientData: Data) async throws -> Data
}

/// Why Apple gave no proof.
public enum AppAttestError: Error, Sendable {
  /// The key is gone, as after the app was installed anew: a new one is needed.
  case invalidKey
  /// Apple could not be reached; the key is kept for the next time.
  case unavailable
  case failed
}

/// What an engine call bears as `attestation`, and the fact `appAttest` beside it.
struct Attested: Sendable {
  let attestation: JSON?
  let fact: JSON
  /// To be kept once the service has taken the attestation.
  let keyId: String?
}

struct AppAttest: Sendable {
  let service: AppAttestService
  let memory: Memory

  private static let keyName = "appAttestKey"
  private static let pendingName = "appAttestPendingKey"
  /// Apple is asked over the network for a new key's attestation.
  private static let limitMilliseconds = 5_000

  /// For one challenge, which is in the client data. Never fails: a device without App Attest is told as such.
  func attested(challenge: String, requestId: String) async -> Attested {
    guard service.isSupported else { return without("unsupported") }
    let data: JSON = .object(["challenge": .string(challenge), "requestId": .string(requestId)])
    guard let clientData = try? JSON.encoder.encode(data) else { return without("failed") }
    return await within(AppAttest.limitMilliseconds) { await proof(clientData) } ?? without("late")
  }

  /// The service knows the key of this attestation from now on.
  func accepted(_ attested: Attested) {
    guard let keyId = attested.keyId, attested.attestation?["attestation"] != nil else { return }
    memory.keep(keyId, as: AppAttest.keyName)
    memory.keep(nil, as: AppAttest.pendingName)
  }

  private func proof(_ clientData: Data) async -> Attested {
    if let keyId = memory.text(AppAttest.keyName) {
      do {
        let assertion = try await service.assertion(keyId: keyId, clientData: clientData)
        return with(keyId, clientData, "assertion", assertion)
      } catch AppAttestError.invalidKey {
        memory.keep(nil, as: AppAttest.keyName)
      } catch {
        return without(word(error))
      }
    }
    do {
      let keyId = try await pendingKey()
      do {
        return with(keyId, clientData, "attestation", try await service.attest(keyId: keyId, clientData: clientData))
      } catch AppAttestError.unavailable {
        return without("unavailable")  // the same key may be tried again
      } catch {
        memory.keep(nil, as: AppAttest.pendingName)
        return without(word(error))
      }
    } catch {
      return without(word(error))
    }
  }

  /// A key that was made and not yet attested; Apple asks not to make more than are needed.
  private func pendingKey() async throws -> String {
    if let keyId = memory.text(AppAttest.pendingName) { return keyId }
    let keyId = try await service.generateKey()
    memory.keep(keyId, as: AppAttest.pendingName)
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

  private func word(_ error: Error) -> String {
    switch error {
    case AppAttestError.invalidKey: return "invalidKey"
    case AppAttestError.unavailable: return "unavailable"
    default: return "failed"
    }
  }
}
