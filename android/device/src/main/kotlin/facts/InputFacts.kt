package ringfence.device.facts

import android.accessibilityservice.AccessibilityServiceInfo
import android.content.Context
import android.content.pm.ApplicationInfo
import android.os.Build.VERSION.SDK_INT
import android.os.SystemClock
import android.provider.Settings
import android.view.MotionEvent
import android.view.accessibility.AccessibilityManager
import ringfence.core.facts.Fact
import ringfence.device.levels.Api31

/**
 * Services that may read and press, and are neither the system's nor made for people with
 * disabilities. Tools for them are not named: they would say who has one.
 */
internal class AccessibilityServicesFact(private val context: Context) : Fact {
  override val name = "accessibilityServices"

  override fun read(): Any? {
    if (SDK_INT >= 31) {
      val enabled = enabled()
      val others = enabled.filter { !Api31.isAccessibilityTool(it) }
      // An app says itself that it is a tool, and Android hides from other apps where it is from.
      if (others.isEmpty() && enabled.isNotEmpty()) return null
      return others.map { it.resolveInfo.serviceInfo.packageName }.distinct().sorted().take(16)
    }
    return null // the purpose of a service is not known
  }

  private fun enabled(): List<AccessibilityServiceInfo> =
    context
      .service<AccessibilityManager>()
      .getEnabledAccessibilityServiceList(AccessibilityServiceInfo.FEEDBACK_ALL_MASK)
      .filter { !isOfSystem(it.resolveInfo.serviceInfo.applicationInfo) }
}

/** The keyboard in use. */
internal class InputMethodFact(private val context: Context) : Fact {
  override val name = "inputMethod"

  override fun read(): Any? {
    val component =
      Settings.Secure.getString(context.contentResolver, Settings.Secure.DEFAULT_INPUT_METHOD)
    val packageName = component?.substringBefore('/')?.ifEmpty { null } ?: return null
    val isSystem = orNull { isOfSystem(context.packageManager.getApplicationInfo(packageName, 0)) }
    return known("package" to packageName, "isSystem" to isSystem)
  }
}

/**
 * What the last touch of the app shows: another app may lie over it. An old one says nothing.
 *
 * @param now milliseconds since the phone was started
 */
internal class TouchFact(private val now: () -> Long = { SystemClock.elapsedRealtime() }) : Fact {
  private class Touch(val flags: Int, val at: Long)

  @Volatile private var last: Touch? = null

  override val name = "touch"

  fun touched(event: MotionEvent) {
    last = Touch(event.flags, now())
  }

  override fun read(): Any? {
    val flags = last?.takeIf { now() - it.at < LIFETIME_MILLIS }?.flags ?: return null
    return known(
      "isObscured" to (flags and MotionEvent.FLAG_WINDOW_IS_OBSCURED != 0),
      "isPartiallyObscured" to if (SDK_INT >= 29) flags and PARTIALLY_OBSCURED != 0 else null,
    )
  }

  private companion object {
    /**
     * MotionEvent.FLAG_WINDOW_IS_PARTIALLY_OBSCURED of Android 10: a constant, which the compiler
     * copies.
     */
    const val PARTIALLY_OBSCURED = 2
    const val LIFETIME_MILLIS = 300_000L
  }
}

private fun isOfSystem(app: ApplicationInfo): Boolean =
  app.flags and ApplicationInfo.FLAG_SYSTEM != 0
