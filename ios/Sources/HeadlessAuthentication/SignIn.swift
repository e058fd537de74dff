// What does an app send to sign a person in, and what does it get back? (contract/src/sign-in.ts)

import RingfenceCore

/// Whether a sign-in includes the device fingerprint (specification 4.7, rule 5).
public enum DeviceFingerprintMode: String, Sendable {
  /// No fingerprint.
  case none = "NONE"
  /// Taken in parallel with the request, which does not wait. `verify` and `status` send it. They
  /// wait at most 5 s for it.
  case async = "ASYNC"
  /// Taken before the request, so the request always includes it.
  case sync = "SYNC"
}

/// A request to sign a person in.
public struct SignInRequest: Sendable {
  /// How the person proves their identity.
  public enum Channel: String, Sendable {
    /// Digits in a message.
    case otp = "OTP"
    /// A link in a message.
    case magicLink = "MAGIC_LINK"
    /// At an identity provider, for example Google or Apple.
    case oauth = "OAUTH"
    /// By the mobile network, without a message: the SDK opens the operator's URL over mobile data.
    case silent = "SILENT"
  }

  /// Who signs in.
  public enum Identity: Sendable, Equatable {
    /// Digits with country code, no plus sign.
    case mobile(String)
    /// An email address.
    case email(String)
  }

  /// How the person proves their identity.
  public var channel: Channel
  /// SMS, EMAIL, or the name of an identity provider. Required if the app offers several.
  public var method: String?
  /// Who signs in. Not for OAUTH.
  public var identity: Identity?
  /// OAUTH, MAGIC_LINK: the URL that the person returns to. OTP: for a step-up of the telecom gate.
  /// SILENT: only if the app itself opens `authorizationUrl`.
  public var redirectUrl: String?
  /// OTP: number of digits.
  public var otpLength: Int?
  /// BCP 47 language of the message.
  public var locale: String?
  /// Adds what is proved to the user of this token: `SignedInUser.token` of a sign-in in this app
  /// within the last five minutes. Not for SILENT.
  public var linkTo: String?
  /// Default: `none`.
  public var deviceFingerprintMode: DeviceFingerprintMode
  /// For the fingerprint, as in `fetchIntelligence`.
  public var updateInfo: UpdateInfo?
  let params: [String: JSON]

  /// `params` are sent with the fingerprint, as in `fetchIntelligence`.
  public init(
    channel: Channel, identity: Identity? = nil, method: String? = nil, redirectUrl: String? = nil,
    otpLength: Int? = nil, locale: String? = nil, linkTo: String? = nil,
    deviceFingerprintMode: DeviceFingerprintMode = .none, params: [String: Any] = [:],
    updateInfo: UpdateInfo? = nil
  ) {
    self.channel = channel
    self.identity = identity
    self.method = method
    self.redirectUrl = redirectUrl
    self.otpLength = otpLength
    self.locale = locale
    self.linkTo = linkTo
    self.deviceFingerprintMode = deviceFingerprintMode
    self.params = params.compactMapValues { JSON(any: $0) }
    self.updateInfo = updateInfo
  }

  var call: SignInCall {
    let fields: [String: JSON?] = [
      "channel": .string(channel.rawValue),
      "method": .words(method),
      "identity": identity?.json,
      "redirectUrl": .words(redirectUrl),
      "otpLength": .whole(otpLength),
      "locale": .words(locale),
      "linkTo": .words(linkTo),
      "deviceFingerprintMode": .string(deviceFingerprintMode.rawValue),
    ]
    return SignInCall(fields: fields.compactMapValues { $0 }, params: params, updateInfo: updateInfo)
  }
}

/// What `start` sends to the service, and to device intelligence.
struct SignInCall: Sendable {
  let fields: [String: JSON]
  let params: [String: JSON]
  let updateInfo: UpdateInfo?

  var deviceFingerprintMode: DeviceFingerprintMode {
    fields["deviceFingerprintMode"]?.string.flatMap { DeviceFingerprintMode(rawValue: $0) } ?? .none
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

/// A sign-in in progress.
public struct SignInTransaction: Sendable, Equatable {
  /// Identifies the sign-in in `resend`, `verify` and `status`.
  public let transactionId: String
  /// The channel in use. It differs from the requested one if the telecom gate required another.
  public let channel: String
  /// SMS, EMAIL, or the name of the identity provider.
  public let method: String
  /// ISO 8601 UTC
  public let expiresAt: String
  /// The service refuses a resend earlier than this.
  public let resendAfterSeconds: Int?
  /// OTP: number of digits in the message.
  public let otpLength: Int?
  /// OAUTH: the URL to send the person to. SILENT: the URL that the device opens over mobile data.
  public let authorizationUrl: String?
  /// SILENT: the channel that follows if the network does not verify the phone. nil: none.
  public let fallback: String?
  /// SILENT: the person has signed in. nil: a message was sent in its place, if `channel` is OTP.
  public internal(set) var user: SignedInUser?
  /// SILENT, with an OTP in its place: why the network did not verify the phone,
  /// `not_on_mobile_network` for example.
  public internal(set) var silentError: String?

  init(_ json: JSON) throws {
    guard let transactionId = json["transactionId"]?.text else { throw SignInError.incomplete("transactionId") }
    self.transactionId = transactionId
    channel = json["channel"]?.string ?? ""
    method = json["method"]?.string ?? ""
    expiresAt = json["expiresAt"]?.string ?? ""
    resendAfterSeconds = json["resendAfterSeconds"]?.int
    otpLength = json["otpLength"]?.int
    authorizationUrl = json["authorizationUrl"]?.string
    fallback = json["fallback"]?.text
  }
}

/// A person who has signed in.
public struct SignedInUser: Sendable, Equatable {
  /// For your backend, which exchanges it at /auth/v1/validate/token.
  public let token: String
  /// The user's id in this service.
  public let userId: String
  /// ISO 8601 UTC
  public let timestamp: String
  /// OIDC id_token
  public let idToken: String?
  /// The fingerprint that belongs to this sign-in. Your backend fetches its report.
  public let dfrId: String?
  private let all: JSON

  init(_ json: JSON) throws {
    guard let token = json["token"]?.text else { throw SignInError.incomplete("token") }
    self.token = token
    userId = json["userId"]?.string ?? ""
    timestamp = json["timestamp"]?.string ?? ""
    idToken = json["idToken"]?.string
    dfrId = json["dfrId"]?.string
    all = json
  }

  /// The whole user object: identities, network, deviceInfo, sessionInfo.
  public var fields: [String: Any] { all.any as? [String: Any] ?? [:] }
}

/// The progress of a sign-in.
public struct SignInStatus: Sendable, Equatable {
  /// The state of a sign-in.
  public enum Status: String, Sendable {
    /// The person has not completed it yet.
    case pending = "PENDING"
    /// The person has signed in.
    case success = "SUCCESS"
    /// It can no longer succeed.
    case failed = "FAILED"
    /// The person did not complete it in time.
    case expired = "EXPIRED"
  }

  /// The state of the sign-in.
  public let status: Status
  /// Returned once, with `success`.
  public let user: SignedInUser?

  init(_ json: JSON) throws {
    guard let status = json["status"]?.string.flatMap({ Status(rawValue: $0) }) else {
      throw SignInError.incomplete("status")
    }
    self.status = status
    user = try json["user"].map { try SignedInUser($0) }
  }
}
