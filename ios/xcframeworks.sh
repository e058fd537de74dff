#!/usr/bin/env bash
# How does a team that builds nothing from source get the SDK? As three XCFrameworks, on a Mac with Xcode.
#
#   ios/xcframeworks.sh [FOLDER]     writes them there, by default into xcframeworks/
#
# Never run on a Mac by us: scripts/release/ios-package.test.ts runs its steps with stand-ins for Xcode's tools.
# One framework for each module, because both products must share one RingfenceCore. Swift packages link it into each.
set -euo pipefail

cd "$(dirname "$0")/.."
out=${1:-xcframeworks}
version=$(sed -n 's/^public let sdkVersion = "\(.*\)"$/\1/p' ios/Sources/RingfenceCore/Identifiers.swift)
modules=(RingfenceCore DeviceIntelligence HeadlessAuthentication)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# slice SDK TARGET=NAME…: the frameworks of one SDK. NAME is that of the target's files in a module.
slice() {
  local sdk=$1 module framework pair file binaries
  local root
  root=$(xcrun --sdk "$sdk" --show-sdk-path)
  for module in "${modules[@]}"; do
    framework=$work/$sdk/$module.framework
    binaries=()
    mkdir -p "$framework/Headers" "$framework/Modules/$module.swiftmodule"
    for pair in "${@:2}"; do
      file=$framework/Modules/$module.swiftmodule/${pair#*=}
      binaries+=("$work/$sdk/$module-${pair#*=}")
      xcrun --sdk "$sdk" swiftc -O -whole-module-optimization -parse-as-library -swift-version 6 -enable-library-evolution \
        -sdk "$root" -target "${pair%=*}" -F "$work/$sdk" -module-name "$module" \
        -emit-library -o "${binaries[${#binaries[@]} - 1]}" -Xlinker -install_name -Xlinker "@rpath/$module.framework/$module" \
        -emit-module -emit-module-path "$file.swiftmodule" -emit-module-interface-path "$file.swiftinterface" \
        -emit-objc-header -emit-objc-header-path "$framework/Headers/$module-Swift.h" \
        $(find "ios/Sources/$module" -name '*.swift' | sort)
    done
    # The compiled form is of one compiler; apps read the interface.
    rm -f "$framework/Modules/$module.swiftmodule/"*.swiftmodule
    lipo -create "${binaries[@]}" -output "$framework/$module"
    echo "framework module $module { header \"$module-Swift.h\" requires objc export * }" >"$framework/Modules/module.modulemap"
    [ ! -e "ios/Sources/$module/PrivacyInfo.xcprivacy" ] || cp "ios/Sources/$module/PrivacyInfo.xcprivacy" "$framework/"
    cat >"$framework/Info.plist" <<PLIST
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>CFBundleExecutable</key><string>$module</string>
<key>CFBundleIdentifier</key><string>ringfence.$module</string>
<key>CFBundleName</key><string>$module</string>
<key>CFBundlePackageType</key><string>FMWK</string>
<key>CFBundleShortVersionString</key><string>$version</string>
<key>CFBundleVersion</key><string>$version</string>
<key>MinimumOSVersion</key><string>13.0</string>
</dict></plist>
PLIST
  done
}

slice iphoneos arm64-apple-ios13.0=arm64-apple-ios
slice iphonesimulator arm64-apple-ios13.0-simulator=arm64-apple-ios-simulator x86_64-apple-ios13.0-simulator=x86_64-apple-ios-simulator
mkdir -p "$out"
for module in "${modules[@]}"; do
  rm -rf "$out/$module.xcframework"
  xcodebuild -create-xcframework -framework "$work/iphoneos/$module.framework" \
    -framework "$work/iphonesimulator/$module.framework" -output "$out/$module.xcframework"
done
