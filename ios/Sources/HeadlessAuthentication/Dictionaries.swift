// What do requests and results look like to Objective-C and React Native? Dictionaries with the names of the wire.

import Foundation
import RingfenceCore

extension SignInCall {
  /// `params` and `updateInfo` are for the fingerprint, as in `fetchIntelligence`; the service
  /// checks all others, and refuses what is not valid.
  init(dictionary: [String: Any]) {
    var fields = dictionary.compactMapValues { JSON(any: $0) }
    fields["params"] = nil
    fields["updateInfo"] = nil
    self.fields = fields
    params = (dictionary["params"] as? [String: Any] ?? [:]).compactMapValues { JSON(any: $0) }
    updateInfo = (dictionary["updateInfo"] as? [String: Any]).map { UpdateInfo(dictionary: $0) }
  }
}

/// A result that Objective-C gets as a dictionary.
protocol DictionaryRepresentable {
  var members: [String: Any?] { get }
}

extension DictionaryRepresentable {
  /// Without the values that are nil.
  var dictionary: [String: Any] { members.compactMapValues { $0 } }
}

extension SignInTransaction: DictionaryRepresentable {
  var members: [String: Any?] {
    [
      "transactionId": transactionId, "channel": channel, "method": method, "expiresAt": expiresAt,
      "resendAfterSeconds": resendAfterSeconds, "otpLength": otpLength, "authorizationUrl": authorizationUrl,
      "fallback": fallback, "user": user?.fields, "silentError": silentError,
    ]
  }
}

extension SignedInUser: DictionaryRepresentable {
  var members: [String: Any?] { fields }
}

extension SignInStatus: DictionaryRepresentable {
  var members: [String: Any?] { ["status": status.rawValue, "user": user?.fields] }
}

extension NumberVerificationReturn: DictionaryRepresentable {
  var members: [String: Any?] { ["state": state, "code": code, "error": error, "iss": iss] }
}
