package ringfence.device.facts

import android.content.Context
import android.hardware.display.DisplayManager
import android.os.Build.VERSION.SDK_INT
import android.view.Display
import kotlin.math.roundToInt
import ringfence.core.facts.Fact
import ringfence.device.levels.Api35

/** Pixels of the display for one dp. */
internal class DevicePixelRatioFact(private val context: Context) : Fact {
  override val name = "devicePixelRatio"

  override fun read(): Any = context.resources.displayMetrics.density
}

/** The size of the display as it was built, however it is held. */
internal class ScreenFact(private val context: Context) : Fact {
  override val name = "screen"

  override fun read(): Any? {
    val mode =
      context.service<DisplayManager>().getDisplay(Display.DEFAULT_DISPLAY)?.mode ?: return null
    val density = context.resources.displayMetrics.density
    return mapOf(
      "width" to (mode.physicalWidth / density).roundToInt(),
      "height" to (mode.physicalHeight / density).roundToInt(),
      "nativeWidth" to mode.physicalWidth,
      "nativeHeight" to mode.physicalHeight,
    )
  }
}

/** Is the screen shown elsewhere too? */
internal class ScreenCaptureFact(private val context: Context) : Fact {
  override val name = "screenCapture"

  override fun read(): Any {
    val displays =
      context.service<DisplayManager>().getDisplays(DisplayManager.DISPLAY_CATEGORY_PRESENTATION)
    return known("isMirrored" to displays.isNotEmpty(), "isRecorded" to isRecorded())
  }

  /** Null: the system is older, or the app does not have the permission. */
  private fun isRecorded(): Boolean? =
    try {
      if (SDK_INT >= 35) Api35.isRecorded(context) else null
    } catch (_: Exception) {
      null
    }
}
