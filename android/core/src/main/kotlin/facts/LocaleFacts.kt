// Which facts does every sign-in send? Language and time zone.
package ringfence.core.facts

import java.util.Locale
import java.util.TimeZone

/**
 * Sent by every sign-in for `deviceInfo`, and by device intelligence. Settings of language and
 * region only.
 */
public val localeFacts: List<Fact> =
  listOf(
    SimpleFact("language") { Locale.getDefault().toLanguageTag().take(64) },
    SimpleFact("timezone") { TimeZone.getDefault().id },
    // As in browsers: minutes, positive west of UTC.
    SimpleFact("timezoneOffset") {
      -TimeZone.getDefault().getOffset(System.currentTimeMillis()) / 60_000
    },
  )
