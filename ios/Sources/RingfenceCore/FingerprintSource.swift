// How does the sign-in SDK find device intelligence at run time? (specification 4.7, rule 5)

/// The members of the class `DeviceIntelligenceSDK` that a sign-in SDK uses without linking it.
public protocol FingerprintSource: AnyObject {
  static var source: FingerprintSource { get }
  var client: IntelligenceClient { get }
}
