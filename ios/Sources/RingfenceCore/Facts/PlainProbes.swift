// Which facts does every sign-in tell? Language and time zone.

import Foundation

/// What a sign-in sends for `deviceInfo`, and device intelligence too: nothing that is not in the settings of every locale.
public let plainProbes: [Probe] = [
  Probe("language") { .words(Locale.preferredLanguages.first) },
  Probe("languages") { Locale.preferredLanguages.isEmpty ? nil : .words(Array(Locale.preferredLanguages.prefix(64))) },
  Probe("locale") { .string(Locale.current.identifier) },
  Probe("timezone") { .string(TimeZone.current.identifier) },
  // As browsers tell it: minutes, and positive behind UTC.
  Probe("timezoneOffset") { .int(Int64(-TimeZone.current.secondsFromGMT() / 60)) },
]
