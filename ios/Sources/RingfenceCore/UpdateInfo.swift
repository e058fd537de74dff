// What does the integrator know of the person and the moment? (specification 2.7, 4.7 rule 2)

/// All of it is optional.
public struct UpdateInfo: Sendable, Equatable {
  public enum PhoneInputType: String, Sendable, CaseIterable {
    case manual = "MANUAL"
    case copyPasted = "COPY_PASTED"
    case googleHint = "GOOGLE_HINT"
  }

  public enum OtpInputType: String, Sendable, CaseIterable {
    case manual = "MANUAL"
    case copyPasted = "COPY_PASTED"
    case autoFilled = "AUTO_FILLED"
  }

  public enum UserEventType: String, Sendable, CaseIterable {
    case login = "LOGIN"
    case signup = "SIGNUP"
    case transaction = "TRANSACTION"
    case others = "OTHERS"
  }

  /// The integrator's id of the user.
  public var userId: String?
  public var phoneNumber: String?
  public var phoneInputType: PhoneInputType?
  public var otpInputType: OtpInputType?
  public var userEventType: UserEventType?
  public var merchantId: String?
  public var additionalInput: [String: String]?

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
