// A phone whose services answer, each with a value that the report shows.
package ringfence

import android.Manifest
import android.accessibilityservice.AccessibilityServiceInfo
import android.app.ActivityManager
import android.content.ContentResolver
import android.content.Context
import android.content.ContextWrapper
import android.content.pm.ApplicationInfo
import android.content.pm.InstallSourceInfo
import android.content.pm.PackageInfo
import android.content.pm.PackageManager
import android.content.pm.ResolveInfo
import android.content.pm.ServiceInfo
import android.content.pm.Signature
import android.content.pm.SigningInfo
import android.content.res.Resources
import android.hardware.Sensor
import android.hardware.SensorManager
import android.hardware.camera2.CameraManager
import android.hardware.display.DisplayManager
import android.location.Location
import android.location.LocationManager
import android.media.AudioManager
import android.media.MediaCodecInfo
import android.media.MediaCodecList
import android.media.MediaDrm
import android.net.ConnectivityManager
import android.net.LinkProperties
import android.net.Network
import android.net.NetworkCapabilities
import android.net.ProxyInfo
import android.net.wifi.WifiInfo
import android.os.Build.VERSION.SDK_INT
import android.os.Bundle
import android.os.StatFs
import android.os.UserManager
import android.provider.Settings
import android.telephony.TelephonyManager
import android.util.DisplayMetrics
import android.view.Display
import android.view.WindowManager
import android.view.accessibility.AccessibilityManager
import java.io.File
import java.net.InetAddress
import java.net.NetworkInterface
import java.util.Collections
import org.mockito.ArgumentMatchers.any
import org.mockito.ArgumentMatchers.anyInt
import org.mockito.ArgumentMatchers.anyString
import org.mockito.Mockito
import org.mockito.Mockito.mock

/** What a call of a mock returns from now on. */
infix fun <Value> Value?.gives(value: Value) {
  Mockito.`when`(this).thenReturn(value)
}

/** The same of a member that came with an API level: older phones do not have it. */
fun <Value> Value?.givesSince(level: Int, value: Value) {
  val plan = Mockito.`when`(this)
  if (SDK_INT >= level) plan.thenReturn(value)
  else plan.thenThrow(NoSuchMethodError("of API level $level"))
}

inline fun <reified Type : Any> mocked(plan: (Type) -> Unit = {}): Type =
  Mockito.mock(Type::class.java).also(plan)

/** That is enabled. `ofApp`: the flags of its app. */
fun accessibilityService(
  name: String,
  isTool: Boolean = false,
  ofApp: Int = 0,
  feedback: Int = AccessibilityServiceInfo.FEEDBACK_GENERIC,
): AccessibilityServiceInfo {
  val found =
    ResolveInfo().apply {
      serviceInfo =
        ServiceInfo().apply {
          packageName = name
          applicationInfo = ApplicationInfo().apply { flags = ofApp }
        }
    }
  return mocked {
    it.feedbackType = feedback
    it.resolveInfo gives found
    it.isAccessibilityTool.givesSince(31, isTool)
  }
}

/** A phone with two SIM slots on an open Wi-Fi, over which a VPN and a proxy lie. */
class ShownPhone(
  private val folder: File,
  /** That the app has. A service that needs another one refuses each call. */
  private val permissions: Set<String> =
    setOf(
      Manifest.permission.ACCESS_NETWORK_STATE,
      Manifest.permission.ACCESS_COARSE_LOCATION,
      Manifest.permission.DETECT_SCREEN_RECORDING,
    ),
  private val accessibilityServices: List<AccessibilityServiceInfo> =
    listOf(
      accessibilityService("com.example.remote"),
      accessibilityService(
        "com.example.clicker",
        feedback = AccessibilityServiceInfo.FEEDBACK_HAPTIC,
      ),
      accessibilityService("com.example.reader", isTool = true),
      accessibilityService("com.android.talkback", ofApp = ApplicationInfo.FLAG_SYSTEM),
    ),
) : TestPhone(folder) {
  private val services: Map<String, Any> =
    mapOf<Class<*>, Any>(
        ConnectivityManager::class.java to
          needing(Manifest.permission.ACCESS_NETWORK_STATE, ::networks),
        DisplayManager::class.java to displays(),
        TelephonyManager::class.java to telephony(),
        LocationManager::class.java to
          needing(Manifest.permission.ACCESS_COARSE_LOCATION, ::locations),
        AccessibilityManager::class.java to accessibility(),
        AudioManager::class.java to
          mocked<AudioManager> { it.mode gives AudioManager.MODE_IN_COMMUNICATION },
        CameraManager::class.java to
          mocked<CameraManager> { it.cameraIdList gives arrayOf("0", "1") },
        SensorManager::class.java to sensors(),
        ActivityManager::class.java to memory(),
        UserManager::class.java to
          mocked<UserManager> {
            it.isManagedProfile.givesSince(30, true)
            it.isSystemUser gives false
          },
      )
      .mapKeys { it.key.name }
  private val windows =
    needing(Manifest.permission.DETECT_SCREEN_RECORDING) {
      mocked<WindowManager> {
        val recorded = WindowManager.SCREEN_RECORDING_STATE_VISIBLE
        it.addScreenRecordingCallback(any(), any()).givesSince(35, recorded)
      }
    }
  private val packages = packages()
  private val resources =
    mocked<Resources> {
      val metrics = DisplayMetrics().apply { density = 2.75f }
      it.displayMetrics gives metrics
    }

  init {
    MediaDrm.id = byteArrayOf(1, 2, 3)
    MediaCodecList.codecs =
      arrayOf("c2.exynos.h264.decoder", "c2.android.aac.decoder", "OMX.google.raw.decoder")
        .map { name -> mocked<MediaCodecInfo> { it.name gives name } }
        .toTypedArray()
  }

  override fun getSystemServiceName(type: Class<*>): String = type.name

  override fun getSystemService(name: String): Any? = services[name]

  /**
   * Only this one has the WindowManager: StrictMode ends apps that take it from another context.
   */
  override fun createWindowContext(display: Display, type: Int, options: Bundle?): Context {
    if (type != WindowManager.LayoutParams.TYPE_APPLICATION) throw SecurityException("type $type")
    return object : ContextWrapper(this) {
      override fun getSystemService(name: String): Any? =
        if (name == WindowManager::class.java.name) windows else null
    }
  }

  override fun getPackageManager(): PackageManager = packages

  override fun getResources(): Resources = resources

  override fun getContentResolver(): ContentResolver = mocked()

  override fun checkSelfPermission(permission: String): Int =
    if (permission in permissions) PackageManager.PERMISSION_GRANTED
    else PackageManager.PERMISSION_DENIED

  private inline fun <reified Service : Any> needing(permission: String, service: () -> Service) =
    if (permission in permissions) service()
    else mock(Service::class.java) { throw SecurityException("$it without $permission") }

  /** Settings of the system. Another one does not exist. */
  val globals =
    mutableMapOf(
      Settings.Global.DEVELOPMENT_SETTINGS_ENABLED to 1,
      Settings.Global.ADB_ENABLED to 0,
      "adb_wifi_enabled" to 1,
      Settings.Global.AUTO_TIME to 0,
      Settings.Global.AUTO_TIME_ZONE to 1,
    )

  /**
   * With two arguments a setting that does not exist is an error, with three there is a default.
   */
  private fun globalOf(arguments: Array<Any?>): Any? =
    globals[arguments[1]]
      ?: arguments.getOrNull(2)
      ?: throw Settings.SettingNotFoundException("${arguments[1]}")

  /** Runs work of this thread with the settings and the disk of the phone. */
  fun <Value> shown(work: () -> Value): Value {
    val secure =
      mapOf("android_id" to "9774d56d682e549c", "default_input_method" to "com.example.keys/.Keys")
    val settings =
      listOf(
        Mockito.mockStatic(Settings.Secure::class.java) { secure[it.getArgument<String>(1)] },
        Mockito.mockStatic(Settings.Global::class.java) { globalOf(it.arguments) },
        Mockito.mockStatic(NetworkInterface::class.java) { Collections.enumeration(interfaces()) },
        Mockito.mockConstruction(StatFs::class.java) { disk, made ->
          if (made.arguments() == listOf(folder.path)) {
            disk.totalBytes gives 128_000_000_000
            disk.availableBytes gives 32_000_000_000
          }
        },
      )
    try {
      return work()
    } finally {
      settings.forEach { it.close() }
    }
  }

  /** One of them is a VPN. Wi-Fi calls have a tunnel too, and a VPN that is off has no address. */
  private fun interfaces(): List<NetworkInterface> {
    fun of(name: String, isUp: Boolean, vararg addresses: String): NetworkInterface = mocked {
      it.name gives name
      it.isUp gives isUp
      Mockito.`when`(it.inetAddresses).thenAnswer {
        Collections.enumeration(addresses.map(InetAddress::getByName))
      }
    }
    return listOf(
      of("lo", true, "127.0.0.1", "::1"),
      of("wlan0", true, "192.168.1.7", "fe80::1"),
      of("tun0", true, "fe80::2", "10.8.0.2"),
      of("tun1", true, "fe80::3"),
      of("ppp0", false, "10.9.0.2"),
      of("tap0", true),
    )
  }

  private fun networks(): ConnectivityManager {
    val wifi =
      mocked<WifiInfo> { it.currentSecurityType.givesSince(31, WifiInfo.SECURITY_TYPE_OPEN) }
    val own = mocked<NetworkCapabilities> { it.transportInfo.givesSince(29, wifi) }
    val links = LinkProperties().apply { httpProxy = ProxyInfo.buildDirectProxy("127.0.0.1", 8080) }
    val network = mocked<Network>()
    return mocked {
      it.activeNetwork gives network
      it.getNetworkCapabilities(network) gives own
      it.getLinkProperties(network) gives links
    }
  }

  private fun displays(): DisplayManager {
    val mode =
      mocked<Display.Mode> {
        it.physicalWidth gives 1_080
        it.physicalHeight gives 2_400
      }
    val display = mocked<Display> { it.mode gives mode }
    return mocked {
      it.getDisplay(Display.DEFAULT_DISPLAY) gives display
      it.getDisplays(DisplayManager.DISPLAY_CATEGORY_PRESENTATION) gives arrayOf(display)
    }
  }

  @Suppress("DEPRECATION")
  private fun telephony(): TelephonyManager = mocked {
    it.phoneCount gives 2
    it.activeModemCount.givesSince(30, 2)
    it.getSimState(0).givesSince(26, TelephonyManager.SIM_STATE_READY)
    it.getSimState(1).givesSince(26, TelephonyManager.SIM_STATE_ABSENT)
    it.simOperator gives "26201"
    it.simOperatorName gives "Telekom.de"
    it.simCountryIso gives "de"
  }

  private fun locations(): LocationManager {
    val old = Location("network").apply { elapsedRealtimeNanos = 1 }
    val newest =
      Location("gps").apply {
        latitude = 52.5
        longitude = 13.4
        accuracy = 12f
        elapsedRealtimeNanos = 3_590_000_000_000
        isMock = true
      }
    return mocked {
      it.getProviders(true) gives listOf("network", "gps", "passive")
      it.getLastKnownLocation("network") gives old
      it.getLastKnownLocation("gps") gives newest
    }
  }

  private fun accessibility(): AccessibilityManager = mocked {
    Mockito.`when`(it.getEnabledAccessibilityServiceList(anyInt())).thenAnswer { call ->
      accessibilityServices.filter { each -> each.feedbackType and call.getArgument<Int>(0) != 0 }
    }
  }

  private fun sensors(): SensorManager {
    val sensors = List(3) { mocked<Sensor>() }
    return mocked { it.getSensorList(Sensor.TYPE_ALL) gives sensors }
  }

  private fun memory(): ActivityManager = mocked {
    Mockito.doAnswer { call ->
        call.getArgument<ActivityManager.MemoryInfo>(0).totalMem = 8_000_000_000
        null
      }
      .`when`(it)
      .getMemoryInfo(any())
  }

  /** This app, from a shop; a keyboard of another maker, Magisk, and an app for remote access. */
  @Suppress("DEPRECATION")
  private fun packages(): PackageManager {
    val signer = Signature(byteArrayOf(9))
    val signing = mocked<SigningInfo> { it.apkContentsSigners.givesSince(28, arrayOf(signer)) }
    fun own(flags: Int) =
      PackageInfo().apply {
        versionName = "2.1"
        versionCode = 21
        if (flags and PackageManager.GET_SIGNATURES != 0) signatures = arrayOf(signer)
        if (flags and PackageManager.GET_SIGNING_CERTIFICATES != 0) signingInfo = signing
      }
    val source = mocked<InstallSourceInfo> { it.installingPackageName gives "com.android.vending" }
    val named = "com.anydesk.anydeskandroid,com.teamviewer.quicksupport.market"
    val bundle = mocked<Bundle> { it.getString("ringfence.remoteAccessApps") gives named }
    fun app(flags: Int) =
      ApplicationInfo().apply { if (flags and PackageManager.GET_META_DATA != 0) metaData = bundle }
    val others =
      listOf("com.topjohnwu.magisk", "com.anydesk.anydeskandroid", "com.example.keys")
        .associateWith { PackageInfo() }
    return mocked {
      Mockito.`when`(it.getPackageInfo(anyString(), anyInt())).thenAnswer { call ->
        val name = call.getArgument<String>(0)
        if (name == packageName) own(call.getArgument(1))
        else others[name] ?: throw PackageManager.NameNotFoundException()
      }
      Mockito.`when`(it.getApplicationInfo(anyString(), anyInt())).thenAnswer { call ->
        val name = call.getArgument<String>(0)
        when (name) {
          packageName -> app(call.getArgument(1))
          in others -> ApplicationInfo()
          else -> throw PackageManager.NameNotFoundException()
        }
      }
      it.getInstallSourceInfo(packageName).givesSince(30, source)
      it.getInstallerPackageName(packageName) gives "com.android.vending"
    }
  }
}
