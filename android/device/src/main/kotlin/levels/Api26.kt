package ringfence.device.levels

import android.telephony.TelephonyManager

/** Members of Android 8. */
internal object Api26 {
  fun simState(telephony: TelephonyManager, slot: Int): Int = telephony.getSimState(slot)
}
