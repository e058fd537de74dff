package ringfence.device.facts

import android.Manifest
import android.content.Context
import android.content.pm.PackageManager
import android.location.Location
import android.location.LocationManager
import android.os.Build.VERSION.SDK_INT
import android.os.SystemClock
import ringfence.core.facts.Fact
import ringfence.device.levels.Api31

/**
 * The last known location. The SDK never asks for the permission: the app does, if it wants the
 * fact.
 */
internal class LocationFact(private val context: Context) : Fact {
  override val name = "location"

  override fun read(): Any? {
    val permissions =
      listOf(Manifest.permission.ACCESS_FINE_LOCATION, Manifest.permission.ACCESS_COARSE_LOCATION)
    if (permissions.none { context.checkSelfPermission(it) == PackageManager.PERMISSION_GRANTED }) {
      throw SecurityException("no permission for the location")
    }
    val manager = context.service<LocationManager>()
    val known =
      manager.getProviders(true).mapNotNull { orNull { manager.getLastKnownLocation(it) } }
    return known.maxByOrNull { it.elapsedRealtimeNanos }?.let(::membersOf)
  }

  private fun membersOf(location: Location): Map<String, Any> {
    @Suppress("DEPRECATION")
    val isSimulated = if (SDK_INT >= 31) Api31.isMock(location) else location.isFromMockProvider
    val age = SystemClock.elapsedRealtimeNanos() - location.elapsedRealtimeNanos
    return known(
      "latitude" to location.latitude,
      "longitude" to location.longitude,
      "altitude" to if (location.hasAltitude()) location.altitude else null,
      "accuracyMeters" to if (location.hasAccuracy()) location.accuracy else null,
      "ageSeconds" to maxOf(0, age / 1_000_000_000),
      "isSimulated" to isSimulated,
    )
  }
}
