// Does an app get a dfrId with the package of a release? `app <base URL> <app id> <bundle id>` prints it.

import DeviceIntelligence
import Foundation
import HeadlessAuthentication
import RingfenceCore

@main
enum App {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let baseURL = URL(string: arguments[1]) else {
      print("usage: app <base URL> <app id> <bundle id>")
      exit(2)
    }
    // A program on Linux has no bundle id.
    var surroundings = Surroundings.ofDevice
    surroundings.packageName = arguments[3]
    let sdk = DeviceIntelligenceSDK(surroundings)
    sdk.baseURL = baseURL
    let signIn = HeadlessAuthenticationSDK(surroundings, { sdk.client })
    signIn.baseURL = baseURL
    guard await sdk.initialize(appId: arguments[2]), await signIn.initialize(appId: arguments[2]) else { exit(1) }
    do {
      print(try await sdk.fetchIntelligence(params: ["source": "scratch"]).dfrId)
    } catch {
      print(error)
      exit(1)
    }
  }
}
