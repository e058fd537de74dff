package ringfence.device.levels

import android.content.Context
import android.hardware.display.DisplayManager
import android.view.Display
import android.view.WindowManager
import android.view.WindowManager.LayoutParams.TYPE_APPLICATION
import java.util.function.Consumer
import ringfence.device.facts.service

/** Members of Android 15. */
internal object Api35 {
  /** SecurityException: the manifest does not have the permission DETECT_SCREEN_RECORDING. */
  fun isRecorded(context: Context): Boolean {
    val display = context.service<DisplayManager>().getDisplay(Display.DEFAULT_DISPLAY)
    // StrictMode ends an app that takes the WindowManager from a context without windows.
    val windows =
      context.createWindowContext(display, TYPE_APPLICATION, null).service<WindowManager>()
    val ignored = Consumer<Int> {}
    val state = windows.addScreenRecordingCallback({ it.run() }, ignored)
    windows.removeScreenRecordingCallback(ignored)
    return state == WindowManager.SCREEN_RECORDING_STATE_VISIBLE
  }
}
