package ringfence.device.facts

import android.content.Context
import android.hardware.Sensor
import android.hardware.SensorManager
import android.hardware.camera2.CameraManager
import android.media.MediaCodecList
import ringfence.core.facts.Fact

/** What a phone has and an emulator lacks. */
internal class PeripheralsFact(private val context: Context) : Fact {
  override val name = "peripherals"

  override fun read(): Any {
    val codecs = orNull {
      MediaCodecList(MediaCodecList.ALL_CODECS).codecInfos.map { it.name.lowercase() }
    }
    return known(
      "sensors" to orNull { context.service<SensorManager>().getSensorList(Sensor.TYPE_ALL).size },
      "cameras" to orNull { context.service<CameraManager>().cameraIdList.size },
      "hardwareCodecs" to codecs?.count { name -> SOFTWARE.none(name::startsWith) },
    )
  }

  private companion object {
    val SOFTWARE = listOf("omx.google.", "c2.android.")
  }
}
