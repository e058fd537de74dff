// Is device intelligence in this app? Asked at run time: an app may link one product without the other.

import Foundation
import RingfenceCore

@Sendable func linkedFingerprint() -> IntelligenceClient? {
  let linked = NSClassFromString("DeviceIntelligence.DeviceIntelligenceSDK") as? FingerprintSource.Type
  return linked?.source.client
}
