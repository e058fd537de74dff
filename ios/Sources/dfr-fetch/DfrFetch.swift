// Which dfrId does this machine get? `dfr-fetch <base URL> <app id> <bundle id>` prints it.

import DeviceIntelligence
import Foundation
import RingfenceCore

@main
enum DfrFetch {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let baseURL = URL(string: arguments[1]) else {
      print("usage: dfr-fetch <base URL> <app id> <bundle id>")
      exit(2)
    }
    var surroundings = Surroundings.ofDevice
    surroundings.packageName = arguments[3]
    let sdk = DeviceIntelligenceSDK(surroundings)
    sdk.baseURL = baseURL
    guard await sdk.initialize(appId: arguments[2]) else { exit(1) }
    do {
      print(try await sdk.fetchIntelligence(params: ["source": "dfr-fetch"]).dfrId)
    } catch {
      print(error)
      exit(1)
    }
  }
}
