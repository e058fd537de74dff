// How is App Attest asked?

#if canImport(UIKit)
  import DeviceCheck
  import Foundation
  import RingfenceCore

  @available(iOS 14, *)
  struct DeviceAppAttest: AppAttestService {
    var isSupported: Bool { DCAppAttestService.shared.isSupported }

    func generateKey() async throws -> String {
      try await answer { DCAppAttestService.shared.generateKey(completionHandler: $0) }
    }

    func attest(keyId: String, clientData: Data) async throws -> Data {
      try await answer {
        DCAppAttestService.shared.attestKey(keyId, clientDataHash: digest(clientData), completionHandler: $0)
      }
    }

    func assertion(keyId: String, clientData: Data) async throws -> Data {
      try await answer {
        DCAppAttestService.shared.generateAssertion(keyId, clientDataHash: digest(clientData), completionHandler: $0)
      }
    }

    private func answer<Value: Sendable>(
      _ ask: (@escaping @Sendable (Value?, Error?) -> Void) -> Void
    ) async throws -> Value {
      try await withCheckedThrowingContinuation { continuation in
        ask { value, error in
          if let value = value {
            continuation.resume(returning: value)
          } else {
            continuation.resume(throwing: appAttestError(error))
          }
        }
      }
    }
  }

  /// Codes of DCError: 3 is invalidKey, 4 serverUnavailable.
  private func appAttestError(_ error: Error?) -> AppAttestError {
    switch (error as NSError?)?.code {
    case 3: return .invalidKey
    case 4: return .unavailable
    default: return .failed
    }
  }
#endif
