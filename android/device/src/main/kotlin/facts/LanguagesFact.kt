package ringfence.device.facts

import android.os.Build.VERSION.SDK_INT
import java.util.Locale
import ringfence.core.facts.Fact
import ringfence.device.levels.Api24

/** The languages of the settings, in their order. */
internal class LanguagesFact : Fact {
  override val name = "languages"

  override fun read(): Any {
    val languages =
      if (SDK_INT >= 24) Api24.languages() else listOf(Locale.getDefault().toLanguageTag())
    return languages.take(64)
  }
}
