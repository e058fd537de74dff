// How does a backend verify the number of a phone? Its app opens the operator's URL, and hands back what the operator said.

import Foundation
import RingfenceCore

/// What the operator returned. Your backend completes the verification with it
/// (`POST /v1/telecom/number-verifications/{verificationId}/complete`).
public struct NumberVerificationReturn: Sendable, Equatable {
  /// Belongs to one verification.
  public let state: String?
  /// nil if the operator refused.
  public let code: String?
  /// Why the operator refused, for example `login_required` outside of mobile data.
  public let error: String?
  /// The operator, if it names itself.
  public let iss: String?

  init(_ url: URL) {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    let value: (String) -> String? = { name in items.first { $0.name == name }?.value }
    state = value("state")
    code = value("code")
    error = value("error")
    iss = value("iss")
  }
}

extension HeadlessAuthenticationSDK {
  /// Opens `url` of `POST /v1/telecom/number-verifications` over mobile data, and follows it to the
  /// redirect URI, which is not opened. Needs no `initialize`. Throws SignInError.notVerified.
  public func openNumberVerification(url: URL) async throws -> NumberVerificationReturn {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    guard let redirectUri = items.first(where: { $0.name == "redirect_uri" })?.value else {
      throw SignInError.notVerified(reason: "the URL has no redirect_uri. Pass the URL of the service unchanged")
    }
    do {
      let end = try await visited(
        url.absoluteString, until: redirectUri, surroundings, limitMilliseconds: silentLimitMilliseconds)
      guard case .reached(let target) = end else { throw NotVerified(reason: "provider_failed") }
      return NumberVerificationReturn(target)
    } catch {
      throw SignInError.notVerified(reason: NotVerified(error).reason)
    }
  }
}
