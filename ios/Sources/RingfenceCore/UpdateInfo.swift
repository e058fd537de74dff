// What does the integrator know of the person and the moment? (specification 2.7, 4.7 rule 2)

/// What the app knows of the person and the moment. All of it is optional.
public struct UpdateInfo: Sendable, Equatable {
  /// How the phone number came into the field.
  public enum PhoneInputType: String, Sendable, CaseIterable {
    /// Typed.
    case manual = "MANUAL"
    /// From the pasteboard.
    case copyPasted = "COPY_PASTED"
    /// Chosen from a list that the system offered.
    case googleHint = "GOOGLE_HINT"
  }

  /// How the digits of a message came into the field.
  public enum OtpInputType: String, Sendable, CaseIterable {
    /// Typed.
    case manual = "MANUAL"
    /// From the pasteboard.
    case copyPasted = "COPY_PASTED"
    /// By the system, from the message.
    case autoFilled = "AUTO_FILLED"
  }

  /// What the person is doing.
  public enum UserEventType: String, Sendable, CaseIterable {
    /// Signing in.
    case login = "LOGIN"
    /// Opening an account.
    case signup = "SIGNUP"
    /// Paying, or moving money.
    case transaction = "TRANSACTION"
    /// Anything else; rules take it for this, too, when nothing is said.
    case others = "OTHERS"
  }

  /// The integrator's id of the user.
  public var userId: String?
  /// Country code included, no plus sign.
  public var phoneNumber: String?
  /// How the phone number came into the field.
  public var phoneInputType: PhoneInputType?
  /// How the digits of a message came into the field.
  public var otpInputType: OtpInputType?
  /// What the person is doing.
  public var userEventType: UserEventType?
  /// The integrator's id of a merchant, on a marketplace.
  public var merchantId: String?
  /// The integrator's own context, by names of its own.
  public var additionalInput: [String: String]?

  /// What is not named is not told.
  public init(
    userId: String? = nil, phoneNumber: String? = nil, phoneInputType: PhoneInputType? = nil,
    otpInputType: OtpInputType? = nil, userEventType: UserEventType? = nil, merchantId: String? = nil,
    additionalInput: [String: String]? = nil
  ) {
    self.userId = userId
    self.phoneNumber = phoneNumber
    self.phoneInputType = phoneInputType
    self.otpInputType = otpInputType
    self.userEventType = userEventType
    self.merchantId = merchantId
    self.additionalInput = additionalInput
  }

  /// Unknown keys, invalid enum strings and values of other types are dropped in silence; of `additionalInput`, each by itself.
  public init(dictionary: [String: Any]) {
    func raw<Case: RawRepresentable>(_ name: String) -> Case? where Case.RawValue == String {
      (dictionary[name] as? String).flatMap { Case(rawValue: $0) }
    }
    self.init(
      userId: dictionary["userId"] as? String,
      phoneNumber: dictionary["phoneNumber"] as? String,
      phoneInputType: raw("phoneInputType"),
      otpInputType: raw("otpInputType"),
      userEventType: raw("userEventType"),
      merchantId: dictionary["merchantId"] as? String,
      additionalInput: (dictionary["additionalInput"] as? [String: Any])?.compactMapValues { $0 as? String }
    )
  }

  var json: JSON {
    .told([
      "userId": .words(userId),
      "phoneNumber": .words(phoneNumber),
      "phoneInputType": .words(phoneInputType?.rawValue),
      "otpInputType": .words(otpInputType?.rawValue),
      "userEventType": .words(userEventType?.rawValue),
      "merchantId": .words(merchantId),
      "additionalInput": additionalInput.map { .object($0.mapValues { .string($0) }) },
    ])
  }
}
