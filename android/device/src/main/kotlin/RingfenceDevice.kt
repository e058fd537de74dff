// What does an app call? The operations of specification 4.7, in Kotlin and for callers in Java.
package ringfence.device

import android.content.Context
import android.view.MotionEvent
import ringfence.core.Environment
import ringfence.core.FetchCallback
import ringfence.core.InitializeCallback
import ringfence.core.Intelligence
import ringfence.core.IntelligenceClient
import ringfence.core.UpdateInfo
import ringfence.device.facts.TouchFact
import ringfence.signin.HeadlessAuthentication

/**
 * Device intelligence for one app. You can make all calls on any thread; none blocks it, and none
 * throws.
 */
public object RingfenceDevice {
  private val touch = TouchFact()
  private val lock = Any()

  @Volatile private var client: IntelligenceClient? = null
  private var signIn: HeadlessAuthentication? = null

  /** True once `initialize` has succeeded. */
  @JvmStatic
  public val isInitialized: Boolean
    get() = client?.isInitialized == true

  /**
   * Opens a session for the app. Call it at launch, and before each fetch: after a success it
   * returns true at once, and after a launch without a network it tries again.
   *
   * @param baseUrl URL of your Ringfence service, `https://ringfence.example`
   */
  public suspend fun initialize(context: Context, appId: String, baseUrl: String): Boolean =
    clientOf(context).initialize(appId, baseUrl)

  /** The same with a callback, which is called on a background thread. */
  @JvmStatic
  public fun initialize(
    context: Context,
    appId: String,
    baseUrl: String,
    callback: InitializeCallback?,
  ) {
    clientOf(context).initialize(appId, baseUrl, callback)
  }

  /**
   * Analyses the device. `params` are sent with the report, except reserved names and values that
   * JSON cannot represent. Fails with IntelligenceError only.
   */
  public suspend fun fetchIntelligence(
    params: Map<String, *>? = null,
    updateInfo: UpdateInfo? = null,
  ): Result<Intelligence> = (client ?: Uninitialized.client).fetch(params, updateInfo)

  /** The same with a callback, which is called on a background thread. */
  @JvmStatic
  public fun fetchIntelligence(
    params: Map<String, *>?,
    updateInfo: UpdateInfo?,
    callback: FetchCallback?,
  ) {
    (client ?: Uninitialized.client).fetch(params, updateInfo, callback)
  }

  /**
   * Optional: call it in `Activity.dispatchTouchEvent`, so that the report says whether another app
   * lies over yours. The SDK keeps two flags of the event, not its position.
   */
  @JvmStatic public fun onTouch(event: MotionEvent): Unit = touch.touched(event)

  /**
   * Sign-in for this app, with the fingerprint of `fetchIntelligence` if a request asks for it. The
   * same one each time.
   */
  @JvmStatic
  public fun headlessAuthentication(context: Context): HeadlessAuthentication =
    synchronized(lock) { signIn ?: HeadlessAuthentication(clientOf(context)).also { signIn = it } }

  /** The client of calls before any `initialize`. */
  private object Uninitialized {
    val client = IntelligenceClient(lazy { Environment("", facts = emptyList()) })
  }

  private fun clientOf(context: Context): IntelligenceClient =
    client
      ?: synchronized(lock) {
        val app = context.applicationContext ?: context // null in Application.attachBaseContext
        client ?: IntelligenceClient(lazy { deviceEnvironment(app, touch) }).also { client = it }
      }
}
