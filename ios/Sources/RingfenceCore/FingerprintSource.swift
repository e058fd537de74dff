// How does a sign-in reach device intelligence, when it is linked? By this protocol, at run time. (specification 4.7, rule 5)

/// What the class `DeviceIntelligenceSDK` offers to a sign-in SDK that does not link it.
public protocol FingerprintSource: AnyObject {
  static var source: FingerprintSource { get }
  var client: IntelligenceClient { get }
}
