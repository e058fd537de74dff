// How does an app sign people in without `async`? The same calls; each completion is called on a background thread.

import Foundation
import RingfenceCore

extension HeadlessAuthenticationSDK {
  /// `initialize` with a completion.
  public func initialize(appId: String, completion: @escaping @Sendable (_ success: Bool) -> Void) {
    Task.detached { completion(await self.initialize(appId: appId)) }
  }

  /// `start` with a completion.
  public func start(
    _ request: SignInRequest, completion: @escaping @Sendable (Result<SignInTransaction, SignInError>) -> Void
  ) {
    complete(completion) { try await self.start(request) }
  }

  /// `resend` with a completion.
  public func resend(
    transactionId: String? = nil, completion: @escaping @Sendable (Result<SignInTransaction, SignInError>) -> Void
  ) {
    complete(completion) { try await self.resend(transactionId: transactionId) }
  }

  /// `verify` with a completion.
  public func verify(
    otp: String? = nil, code: String? = nil, transactionId: String? = nil,
    completion: @escaping @Sendable (Result<SignedInUser, SignInError>) -> Void
  ) {
    complete(completion) { try await self.verify(otp: otp, code: code, transactionId: transactionId) }
  }

  /// `status` with a completion.
  public func status(
    transactionId: String? = nil, completion: @escaping @Sendable (Result<SignInStatus, SignInError>) -> Void
  ) {
    complete(completion) { try await self.status(transactionId: transactionId) }
  }

  /// `openNumberVerification` with a completion.
  public func openNumberVerification(
    url: URL, completion: @escaping @Sendable (Result<NumberVerificationReturn, SignInError>) -> Void
  ) {
    complete(completion) { try await self.openNumberVerification(url: url) }
  }

  func complete<Value: Sendable>(
    _ completion: @escaping @Sendable (Result<Value, SignInError>) -> Void,
    _ work: @escaping @Sendable () async throws -> Value
  ) {
    Task.detached {
      do {
        completion(.success(try await work()))
      } catch {
        completion(.failure(error as? SignInError ?? .unreachable(message: "\(error)")))
      }
    }
  }
}
