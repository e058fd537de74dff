// What does an app say to sign a person in, and what is it told? (contract/src/sign-in.ts)

import RingfenceCore

/// Whether the device's fingerprint comes with the sign-in (specification 4.7, rule 5).
public enum DeviceFingerprintMode: String, Sendable {
  /// It is not taken.
  case none = "NONE"
  /// Taken beside the request, which does not wait; it goes along with `verify` when it is there by then.
  case async = "ASYNC"
  /// Taken before the request, so that it is always with it.
  case sync = "SYNC"
}

/// How a person wants to sign in.
public struct SignInRequest: Sendable {
  /// How a sign-in goes.
  public enum Channel: String, Sendable {
    /// Digits in a message.
    case otp = "OTP"
    /// A link in a message.
    case magicLink = "MAGIC_LINK"
    /// At a provider, as Google or Apple.
    case oauth = "OAUTH"
  }

  /// Who signs in.
  public enum Identity: Sendable, Equatable {
    /// Digits with country code, no plus sign.
    case mobile(String)
    /// An address.
    case email(String)
  }

  /// How the sign-in goes.
  public var channel: Channel
  /// SMS, EMAIL, or the name of a provider; needed where the app offers several.
  public var method: String?
  /// Who signs in; not for OAUTH.
  public var identity: Identity?
  /// Where OAUTH and MAGIC_LINK lead back to.
  public var redirectUrl: String?
  /// OTP: digits.
  public var otpLength: Int?
  /// BCP 47 language of the message.
  public var locale: String?
  /// `none` unless it is set.
  public var deviceFingerprintMode: DeviceFingerprintMode
  /// Of the fingerprint, as for `fetchIntelligence`.
  public var updateInfo: UpdateInfo?
  let params: [String: JSON]

  /// `params` go with the fingerprint, as for `fetchIntelligence`.
  public init(
    channel: Channel, identity: Identity? = nil, method: String? = nil, redirectUrl: String? = nil,
    otpLength: Int? = nil, locale: String? = nil, deviceFingerprintMode: DeviceFingerprintMode = .none,
    params: [String: Any] = [:], updateInfo: UpdateInfo? = nil
  ) {
    self.channel = channel
    self.identity = identity
    self.method = method
    self.redirectUrl = redirectUrl
    self.otpLength = otpLength
    self.locale = locale
    self.deviceFingerprintMode = deviceFingerprintMode
    self.params = params.compactMapValues { JSON(any: $0) }
    self.updateInfo = updateInfo
  }

  var fields: [String: JSON] {
    let fields: [String: JSON?] = [
      "channel": .string(channel.rawValue),
      "method": .words(method),
      "identity": identity?.json,
      "redirectUrl": .words(redirectUrl),
      "otpLength": .whole(otpLength),
      "locale": .words(locale),
      "deviceFingerprintMode": .string(deviceFingerprintMode.rawValue),
    ]
    return fields.compactMapValues { $0 }
  }
}

extension SignInRequest.Identity {
  fileprivate var json: JSON {
    switch self {
    case .mobile(let value): return .object(["type": "MOBILE", "value": .string(value)])
    case .email(let value): return .object(["type": "EMAIL", "value": .string(value)])
    }
  }
}

/// A sign-in under way.
public struct SignInTransaction: Sendable, Equatable {
  /// What `resend`, `verify` and `status` name it by.
  public let transactionId: String
  /// The channel in use; another one than asked for when the telecom gate stepped up.
  public let channel: String
  /// SMS, EMAIL, or the name of the provider.
  public let method: String
  /// ISO 8601 UTC
  public let expiresAt: String
  /// A resend is refused before.
  public let resendAfterSeconds: Int?
  /// OTP: digits of the message.
  public let otpLength: Int?
  /// OAUTH: where to send the person.
  public let authorizationUrl: String?

  init(_ told: JSON) throws {
    guard let transactionId = told["transactionId"]?.text else { throw SignInError.incomplete("transactionId") }
    self.transactionId = transactionId
    channel = told["channel"]?.string ?? ""
    method = told["method"]?.string ?? ""
    expiresAt = told["expiresAt"]?.string ?? ""
    resendAfterSeconds = told["resendAfterSeconds"]?.int
    otpLength = told["otpLength"]?.int
    authorizationUrl = told["authorizationUrl"]?.string
  }
}

/// A person has signed in.
public struct SignedInUser: Sendable, Equatable {
  /// For the backend, which exchanges it at /auth/v1/validate/token.
  public let token: String
  /// Whom the identities belong to, in this service.
  public let userId: String
  /// ISO 8601 UTC
  public let timestamp: String
  /// OIDC id_token
  public let idToken: String?
  /// The fingerprint that the service took with this sign-in; the backend fetches its report.
  public let dfrId: String?
  private let all: JSON

  init(_ told: JSON) throws {
    guard let token = told["token"]?.text else { throw SignInError.incomplete("token") }
    self.token = token
    userId = told["userId"]?.string ?? ""
    timestamp = told["timestamp"]?.string ?? ""
    idToken = told["idToken"]?.string
    dfrId = told["dfrId"]?.string
    all = told
  }

  /// The whole user object: identities, network, deviceInfo, sessionInfo.
  public var fields: [String: Any] { all.any as? [String: Any] ?? [:] }
}

/// How far a sign-in is.
public struct SignInStatus: Sendable, Equatable {
  /// Where it stands.
  public enum Status: String, Sendable {
    /// The person has not answered yet.
    case pending = "PENDING"
    /// The person has signed in.
    case success = "SUCCESS"
    /// It cannot succeed any more.
    case failed = "FAILED"
    /// It was not answered in time.
    case expired = "EXPIRED"
  }

  /// Where it stands.
  public let status: Status
  /// Told once, with `success`.
  public let user: SignedInUser?

  init(_ told: JSON) throws {
    guard let status = told["status"]?.string.flatMap({ Status(rawValue: $0) }) else {
      throw SignInError.incomplete("status")
    }
    self.status = status
    user = try told["user"].map { try SignedInUser($0) }
  }
}
