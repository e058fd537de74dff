// What does the app know about the person and the event? (specification 2.7, 4.7 rule 2)

/// What the app knows about the person and the event. All fields are optional.
public struct UpdateInfo: Sendable, Equatable {
  /// How the phone number was entered.
  public enum PhoneInputType: String, Sendable, CaseIterable {
    /// Typed.
    case manual = "MANUAL"
    /// From the pasteboard.
    case copyPasted = "COPY_PASTED"
    /// Selected from a list that the system offered.
    case googleHint = "GOOGLE_HINT"
  }

  /// How the digits of a message were entered.
  public enum OtpInputType: String, Sendable, CaseIterable {
    /// Typed.
    case manual = "MANUAL"
    /// From the pasteboard.
    case copyPasted = "COPY_PASTED"
    /// Filled in by the system from the message.
    case autoFilled = "AUTO_FILLED"
  }

  /// What the person is doing.
  public enum UserEventType: String, Sendable, CaseIterable {
    /// Signing in.
    case login = "LOGIN"
    /// Creating an account.
    case signup = "SIGNUP"
    /// Paying or transferring money.
    case transaction = "TRANSACTION"
    /// Anything else. Rules use it as the default.
    case others = "OTHERS"
  }

  /// Your id of the user.
  public var userId: String?
  /// Digits with country code, no plus sign.
  public var phoneNumber: String?
  /// How the phone number was entered.
  public var phoneInputType: PhoneInputType?
  /// How the digits of a message were entered.
  public var otpInputType: OtpInputType?
  /// What the person is doing.
  public var userEventType: UserEventType?
  /// Your id of the merchant, on a marketplace.
  public var merchantId: String?
  /// Your own context, under your own names.
  public var additionalInput: [String: String]?

  /// Omitted fields are not sent.
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

  /// Drops unknown keys, invalid enum strings and values of other types; in `additionalInput` each
  /// value separately.
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
    .withoutNil([
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
