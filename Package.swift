// swift-tools-version:5.5
// What does an iOS team add? Device intelligence, and sign-in that works with or without it.

import PackageDescription

let package = Package(
  name: "Ringfence",
  // On the others, device intelligence has no effect, so that an app for several systems compiles.
  platforms: [.iOS(.v13), .macCatalyst(.v13), .macOS(.v10_15), .tvOS(.v13)],
  products: [
    .library(name: "DeviceIntelligence", targets: ["DeviceIntelligence"]),
    .library(name: "HeadlessAuthentication", targets: ["HeadlessAuthentication"]),
  ],
  targets: [
    .target(name: "RingfenceCore", path: "ios/Sources/RingfenceCore"),
    .target(
      name: "DeviceIntelligence",
      dependencies: ["RingfenceCore"],
      path: "ios/Sources/DeviceIntelligence",
      resources: [.copy("PrivacyInfo.xcprivacy")]
    ),
    .target(
      name: "HeadlessAuthentication",
      dependencies: ["RingfenceCore"],
      path: "ios/Sources/HeadlessAuthentication",
      resources: [.copy("PrivacyInfo.xcprivacy")]
    ),
    .testTarget(
      name: "RingfenceTests",
      dependencies: ["RingfenceCore", "DeviceIntelligence", "HeadlessAuthentication"],
      path: "ios/Tests"
    ),
  ],
  swiftLanguageVersions: [.v5, .version("6")]
)
