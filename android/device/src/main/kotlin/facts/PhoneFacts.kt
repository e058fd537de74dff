package ringfence.device.facts

import android.content.Context
import android.media.AudioManager
import android.os.Build.VERSION.SDK_INT
import android.telephony.TelephonyManager
import ringfence.core.facts.Fact
import ringfence.device.levels.Api26
import ringfence.device.levels.Api30

/** Is there a call? A constant of AudioManager. */
internal class AudioModeFact(private val context: Context) : Fact {
  override val name = "audioMode"

  override fun read(): Any = context.service<AudioManager>().mode
}

/** SIM cards, without a permission: no number, no serial, no subscriber. */
internal class SimFact(private val context: Context) : Fact {
  override val name = "sim"

  override fun read(): Any {
    val telephony = context.service<TelephonyManager>()
    @Suppress("DEPRECATION")
    val slots = if (SDK_INT >= 30) Api30.modemCount(telephony) else telephony.phoneCount
    val states = if (SDK_INT >= 26) List(slots) { Api26.simState(telephony, it) } else null
    val known = states?.filter { it != TelephonyManager.SIM_STATE_UNKNOWN }
    val inserted = known?.count { it != TelephonyManager.SIM_STATE_ABSENT }
    val card =
      mapOf(
          "networkCode" to telephony.simOperator,
          "carrier" to telephony.simOperatorName,
          "country" to telephony.simCountryIso,
        )
        .filterValues { !it.isNullOrEmpty() }
    return known(
      "slots" to slots,
      "inserted" to inserted.takeUnless { it == 0 && known != states }, // none, as far as is known
      "cards" to if (card.isEmpty()) emptyList() else listOf(card),
    )
  }
}
