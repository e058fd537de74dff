package ringfence.device.levels

import android.accessibilityservice.AccessibilityServiceInfo
import android.location.Location
import android.net.NetworkCapabilities
import android.net.wifi.WifiInfo

/** Members of Android 12. */
internal object Api31 {
  fun isAccessibilityTool(service: AccessibilityServiceInfo): Boolean = service.isAccessibilityTool

  fun isMock(location: Location): Boolean = location.isMock

  fun wifiSecurity(capabilities: NetworkCapabilities): Int? =
    (capabilities.transportInfo as? WifiInfo)?.currentSecurityType
}
