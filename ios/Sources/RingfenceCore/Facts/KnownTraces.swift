// Which files, libraries and classes indicate a jailbreak or a hook? The server decides.

/// Lists of known traces, and the matches on this device.
public enum KnownTraces {
  /// Files of rootless and rootful jailbreaks, and of programs that are installed with them.
  public static let jailbreakPaths = [
    "/var/jb", "/var/jb/usr/bin/bash", "/var/binpack", "/private/preboot/jb", "/cores/binpack", "/.installed_unc0ver",
    "/.bootstrapped_electra", "/usr/lib/libjailbreak.dylib", "/jb/offsets.plist", "/etc/apt", "/private/var/lib/apt",
    "/private/var/lib/cydia", "/private/var/lib/dpkg/info", "/var/lib/undecimus/apt", "/usr/sbin/sshd", "/bin/bash",
    "/usr/bin/ssh", "/usr/libexec/sftp-server", "/Applications/Cydia.app", "/Applications/Sileo.app",
    "/Applications/Zebra.app", "/Library/MobileSubstrate/MobileSubstrate.dylib", "/usr/lib/TweakInject",
    "/usr/lib/libhooker.dylib", "/usr/lib/libsubstitute.dylib", "/var/jb/usr/lib/TweakInject",
    "/var/jb/Library/MobileSubstrate/DynamicLibraries", "/var/mobile/Library/Preferences/com.saurik.Cydia.plist",
  ]

  /// Folders that a jailbreak moves and replaces with a link.
  public static let movedFolders = [
    "/Applications", "/Library/Ringtones", "/Library/Wallpaper", "/usr/libexec", "/usr/share",
  ]

  /// Path segments of the folders from which a jailbreak loads libraries.
  private static let jailbreakFolders = [
    "/.jbroot-", "/var/jb/", "/MobileSubstrate/", "/TweakInject/", "/usr/lib/pspawn",
  ]

  /// File names in lower case, without `.dylib`. Whole names only: generic parts also occur in
  /// legitimate apps.
  private static let hookLibraries: Set<String> = [
    "fridagadget", "frida-gadget", "frida-agent", "libfrida-gadget", "libgadget", "libcycript", "cynject", "cycript",
    "mobilesubstrate", "substrateloader", "cydiasubstrate", "libsubstrate", "libsubstitute", "substitute-inserter",
    "substitute-loader", "libhooker", "libblackjack", "libellekit", "ellekit", "tweakinject", "tweakloader",
    "sslkillswitch", "sslkillswitch2", "libsslkillswitch2", "revealserver", "libreveal", "libflex", "flexloader",
    "systemhook", "roothide", "shadow", "a-bypass", "hestia", "choicy", "dobby", "libdobby",
  ]

  /// Objective-C classes of hooking tools.
  public static let hookClasses = [
    "FridaGadget", "SSLKillSwitch", "FLEXManager", "IBARevealServer", "CydiaObject", "ShadowRuleset", "ABPattern",
    "HBPreferences",
  ]

  /// Default ports of Frida servers.
  public static let hookPorts = [27042, 27043]

  /// Loaded images (paths, as dyld reports them) that come from a jailbreak.
  public static func jailbreakImages(_ images: [String]) -> [String] {
    images.filter { image in jailbreakFolders.contains { image.contains($0) } }.map(fileName).distinct
  }

  /// Loaded images that hook functions.
  public static func hookImages(_ images: [String]) -> [String] {
    images.map(fileName).filter { hookLibraries.contains(stem($0)) }.distinct
  }

  private static func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func stem(_ name: String) -> String {
    let lower = name.lowercased()
    return lower.hasSuffix(".dylib") ? String(lower.dropLast(6)) : lower
  }
}

extension Array where Element == String {
  /// Unique values, at most 32, each at most as long as the contract allows.
  fileprivate var distinct: [String] {
    Array(Set(self).sorted().prefix(32)).map { String($0.prefix(256)) }
  }
}
