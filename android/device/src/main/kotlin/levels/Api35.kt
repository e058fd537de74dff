package ringfence.device.levels

import android.view.WindowManager
import java.util.function.Consumer

/** Members of Android 15. */
internal object Api35 {
  /** SecurityException: the manifest does not have the permission DETECT_SCREEN_RECORDING. */
  fun isRecorded(windows: WindowManager): Boolean {
    val ignored = Consumer<Int> {}
    val state = windows.addScreenRecordingCallback({ it.run() }, ignored)
    windows.removeScreenRecordingCallback(ignored)
    return state == WindowManager.SCREEN_RECORDING_STATE_VISIBLE
  }
}
