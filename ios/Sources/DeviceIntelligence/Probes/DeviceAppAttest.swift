// How does the SDK call Apple's App Attest?

#if os(iOS) && !targetEnvironment(macCatalyst)
  import DeviceCheck
  import Foundation
  import RingfenceCore

  @available(iOS 14, *)
  struct DeviceAppAttest: AppAttestService {
    var isSupported: Bool { DCAppAttestService.shared.isSupported }

    func generateKey() async throws -> String {
      try await result { DCAppAttestService.shared.generateKey(completionHandler: $0) }
    }

    func attest(keyId: String, clientData: Data) async throws -> Data {
      try await result {
        DCAppAttestService.shared.attestKey(keyId, clientDataHash: sha256(clientData), completionHandler: $0)
      }
    }

    func assertion(keyId: String, clientData: Data) async throws -> Data {
      try await result {
        DCAppAttestService.shared.generateAssertion(keyId, clientDataHash: sha256(clientData), completionHandler: $0)
      }
    }

    private func result<Value: Sendable>(
      _ call: (@escaping @Sendable (Value?, Error?) -> Void) -> Void
    ) async throws -> Value {
      try await withCheckedThrowingContinuation { continuation in
        call { value, error in
          if let value = value {
            continuation.resume(returning: value)
          } else {
            continuation.resume(throwing: appAttestError(error))
          }
        }
      }
    }
  }

  /// Codes of DCError: 3 is invalidKey, 4 is serverUnavailable.
  private func appAttestError(_ error: Error?) -> AppAttestError {
    switch (error as NSError?)?.code {
    case 3: return .invalidKey
    case 4: return .unavailable
    default: return .failed
    }
  }
#endif
