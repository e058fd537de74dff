#!/usr/bin/env bash
# Would Xcode take the iOS sources? Type-checks them for arm64-apple-ios13.0 against stub headers of our own, in one language mode.
#
#   ios-typecheck.sh 5|6 [FOLDER]     FOLDER: where what apps see of the package goes, as Objective-C header, Swift interface, symbols
#   ios-typecheck.sh elsewhere        Catalyst, macOS, tvOS, visionOS: the sources use none of a phone's frameworks there
#
# ios/stubs declares what the sources use of Apple's frameworks, as Apple documents it, with the same availability, isolation and
# nullability. So #available, @objc, @MainActor and Sendable are checked as on a Mac. Nothing is linked.
set -euo pipefail

repository=$(cd "$(dirname "$0")/.." && pwd -P)
toolchain=$repository/scripts/swift-toolchain.sh
mode=$1
surface=${2:-}
products='DeviceIntelligence HeadlessAuthentication'

# Node of `npm ci`, which runs .ts as it is.
export PATH=$repository/node_modules/.bin:$PATH
"$toolchain" setup
root=$("$toolchain" root)
homes=$(dirname "$root")/home

# use TARGET PLATFORM STUBS: the target of all below. PLATFORM is Swift's name of its folder.
use() {
  target=$1
  platform=$2
  work=$homes/$target
  # As the toolchain sees it.
  resources=/home/$target/resources
  # Modules of the stubs and of the package, in this language mode.
  modules=$repository/.build/$target-$mode
  flags=(
    -target "$target" -resource-dir "$resources" -I "$modules" -module-cache-path "$modules/cache"
    -Xcc -fmodule-map-file="$repository/$3/module.modulemap"
    -enable-objc-interop -disable-implicit-string-processing-module-import -parse-as-library
  )
  prepare
  rm -rf "$modules"
  mkdir -p "$modules/symbols"
}

# Swift's own modules for the target, built once from the interface text that the toolchain ships for Linux. Nothing is linked, so
# bodies are skipped: a tenth of the time.
prepare() {
  [ -e "$work/.ready-2" ] && return
  exec 8>"$homes.lock"
  flock 8 # another clone uses the same folder: the second finds it ready
  [ -e "$work/.ready-2" ] || make_ready
  exec 8>&-
}

make_ready() {
  rm -rf "$work"
  mkdir -p "$work"/{interfaces,resources/$platform}
  ln -s /usr/libexec/swift/lib/swift/shims "$work/resources/shims"
  ln -s /usr/libexec/swift/lib/swift/clang "$work/resources/clang"
  local name flags parse
  for name in Swift SwiftOnoneSupport _Concurrency _StringProcessing; do
    # The interfaces were written where availability does not count; of the modules above Swift it must not count here either.
    flags='-experimental-skip-all-function-bodies -Onone '
    parse=-parse-stdlib
    case $name in
      Swift) ;;
      # The compiler refuses to skip its bodies.
      SwiftOnoneSupport) flags='-disable-availability-checking ' ;;
      *) flags+='-disable-availability-checking ' ;;
    esac
    [ "$name" != _StringProcessing ] || parse=
    # 80-bit floats are of Intel alone; back-deployed copies need an OS whose version is known.
    sed -E \
      -e "s/-target x86_64-pc-linux-gnu/-target $target/" \
      -e 's/-disable-objc-interop//g' \
      -e "s|^(// swift-module-flags: )|\1$flags|" \
      -e 's/ -O / /' \
      -e '/^ *@backDeployed/d' \
      -e 's/self = _stdlib_(squareRootl|remainderl)\(.*\)/self = 0/' \
      "$root/usr/libexec/swift/lib/swift/linux/$name.swiftmodule/x86_64-pc-linux-gnu.swiftinterface" \
      >"$work/interfaces/$name.swiftinterface"
    # What the compiler needs to import `NSError **`; on Linux Swift has none.
    [ "$name" != Swift ] || cat >>"$work/interfaces/$name.swiftinterface" <<'SWIFT'
@frozen public struct AutoreleasingUnsafeMutablePointer<Pointee> : Swift._Pointer {
  public let _rawValue: Builtin.RawPointer
  @_transparent public init(_ _rawValue: Builtin.RawPointer) { self._rawValue = _rawValue }
}
SWIFT
    mkdir -p "$work/resources/$platform/$name.swiftmodule"
    # The file's name has the system without its version.
    "$toolchain" run / -- swiftc -frontend -compile-module-from-interface "/home/$target/interfaces/$name.swiftinterface" \
      -module-name "$name" $parse -target "$target" -resource-dir "$resources" -swift-version 5 \
      -enable-objc-interop -disable-objc-attr-requires-foundation-module \
      -o "$resources/$platform/$name.swiftmodule/$(sed 's/[0-9.]*\(-macabi\)\?$/\1/; s/macosx/macos/' <<<"$target").swiftmodule" >&2
  done
  : >"$work/.ready-2"
}

# frontend NAME VERSION ARGUMENTS…
frontend() {
  "$toolchain" run "$repository" -- swiftc -frontend -module-name "$1" -swift-version "$2" "${flags[@]}" "${@:3}"
}

# check NAME FILES…: every body is checked; then the module's surface is written down for those that import it.
check() {
  local name=$1
  shift
  frontend "$name" "$mode" -typecheck -warnings-as-errors "$@"
  frontend "$name" "$mode" -emit-module -experimental-skip-all-function-bodies -suppress-warnings \
    -o "$modules/$name.swiftmodule" -emit-symbol-graph -emit-symbol-graph-dir "$modules/symbols" "$@"
}

# objc FILES…: Objective-C as an app compiles it, against the headers that Swift writes for apps.
objc() {
  local file name
  mkdir -p "$modules/objc"
  for name in $products; do
    frontend $name "$mode" -typecheck -suppress-warnings -emit-objc-header-path "$modules/objc/$name-Swift.h" \
      $(find ios/Sources/$name -name '*.swift' | sort)
    echo "module $name { header \"$name-Swift.h\" export * }" >>"$modules/objc/module.modulemap"
  done
  for file in "$@"; do
    "$toolchain" run "$repository" -- clang -x objective-c -fsyntax-only -target $target -fobjc-arc -fmodules -ffreestanding -nostdlibinc \
      -Wall -Wextra -Wno-unused-parameter -Werror -fmodules-cache-path="$modules/cache" -fmodule-map-file=ios/stubs/module.modulemap \
      -fmodule-map-file="$modules/objc/module.modulemap" -I ios/stubs/objc "$file"
  done
}

# turbo FILES…: Objective-C++ against what React Native's codegen has written, without React Native's own libraries.
turbo() {
  local file
  for file in "$@"; do
    "$toolchain" run "$repository" -- clang -x objective-c++ -std=c++17 -fsyntax-only -target $target -fobjc-arc -fmodules -fcxx-modules \
      -ffreestanding -nostdinc++ -nostdlibinc -DRCT_NEW_ARCH_ENABLED=1 -D_Bool=bool -Wall -Wextra -Wno-unused-parameter -Werror \
      -fmodules-cache-path="$modules/cache" -fmodule-map-file=ios/stubs/module.modulemap \
      -I ios/stubs/objc -I ios/stubs/objcxx -I .build/react-native "$file"
  done
}

# broken FILE FROM TO WORDS: a check that cannot fail shows nothing, so with this change it has to, and to say these words.
broken() {
  local copy=$modules/broken
  rm -rf "$copy"
  cp -r ios/Sources/DeviceIntelligence "$copy"
  sed -i "s/$2/$3/" "$copy/$1"
  if cmp -s "ios/Sources/DeviceIntelligence/$1" "$copy/$1"; then
    echo "ios-typecheck.sh: $1 has no '$2' any more" >&2
    exit 1
  fi
  if frontend DeviceIntelligence "$mode" -typecheck -warnings-as-errors $(find "$copy" -name '*.swift' | sort) \
    2>"$copy/said.txt" || ! grep -q "$4" "$copy/said.txt"; then
    cat "$copy/said.txt" >&2
    echo "ios-typecheck.sh: $1 with '$3' for '$2' should fail with: $4" >&2
    exit 1
  fi
}

cd "$repository"
overlays() {
  local name
  for name in "$@"; do
    frontend "$name" 5 -emit-module -experimental-skip-all-function-bodies -suppress-warnings \
      -o "$modules/$name.swiftmodule" "ios/stubs/overlay/$name.swift"
  done
}

package() {
  local name
  for name in RingfenceCore $products; do
    check $name $(find ios/Sources/$name -name '*.swift' | sort)
  done
}

if [ "$mode" = elsewhere ]; then
  mode=6
  # Without an SDK, versions of iOS count as those of visionOS: 26 has all of them.
  for system in ios13.1-macabi:maccatalyst macosx10.15:macosx tvos13.0:appletvos xros26.0:xros; do
    use "arm64-apple-${system%:*}" "${system#*:}" ios/stubs/elsewhere
    overlays ObjectiveC Foundation
    package
  done
  # With the condition that holds on all but macOS.
  broken Probes/VendorId.swift '#if os(iOS) .*' '#if canImport(UIKit)' "cannot find 'UIDevice'"
  exit
fi

use arm64-apple-ios13.0 iphoneos ios/stubs
overlays ObjectiveC Foundation UIKit Dispatch Network
package
frontend IosLogin "$mode" -typecheck -warnings-as-errors $(find examples/ios-login -name '*.swift' | sort)

# The examples of the docs, and what calls the package from Objective-C.
node scripts/ios-code-blocks.ts "$modules/docs"
frontend Docs "$mode" -typecheck -suppress-warnings "$modules"/docs/*.swift
objc react-native/ios/*.m "$modules"/docs/*.m
turbo react-native/ios/*.mm

[ -n "$surface" ] || exit 0
broken Probes/ScreenCapture.swift 'guard #available(iOS 17.*' '' 'only available in iOS 17.0'
broken Probes/ScreenCapture.swift '@MainActor private' 'private' 'main actor-isolated'
broken Probes/NetworkInterfaces.swift '?.takeRetainedValue()' '' 'always fails'
broken DeviceIntelligenceSDK+ObjectiveC.swift 'updateInfo:completion:)$' 'completion:)' 'provides names for 2 arguments'

cp "$modules"/symbols/*.symbols.json "$surface"
for name in RingfenceCore $products; do
  frontend $name "$mode" -typecheck -suppress-warnings -enable-library-evolution \
    -emit-module-interface-path "$modules/$name.swiftinterface" $(find ios/Sources/$name -name '*.swift' | sort)
  # The compiler's version and flags are no part of the surface.
  sed '/^\/\/ swift-/d' "$modules/$name.swiftinterface" >"$surface/$name.swiftinterface"
done
for name in $products; do
  # Of the header, the declarations; the rest is what every header begins and ends with.
  sed -n '/^@interface/,/^@end/p' "$modules/objc/$name-Swift.h" >"$surface/$name.h"
  # The documentation, as Xcode builds it: a link to a symbol that does not exist is an error.
  mkdir "$modules/symbols/$name"
  cp "$modules/symbols/$name"*.symbols.json "$modules/symbols/$name"
  "$toolchain" run "$repository" -- docc convert "ios/Sources/$name/$name.docc" --warnings-as-errors \
    --additional-symbol-graph-dir "$modules/symbols/$name" --output-dir "$modules/$name.doccarchive" \
    --fallback-display-name $name --fallback-bundle-identifier "ringfence.$name"
done
