// Where does the app start? Initialises device intelligence and sign-in at launch, without blocking
// the user interface.
package com.example.shop

import android.app.Application
import ringfence.device.RingfenceDevice

/** From `ringfence apps create --package-name …`; public. */
private const val APP_ID = "rfa_1b2C3d4E5f6G7h8I9j0K1l2M3n4O"

/** Your machine, after `adb reverse tcp:8080 tcp:8080`. */
private const val RINGFENCE_URL = "http://localhost:8080"

class ShopApp : Application() {
  val signIn by lazy { RingfenceDevice.headlessAuthentication(this) }

  override fun onCreate() {
    super.onCreate()
    getReady {}
  }

  /**
   * Again before each sign-in: at once after a success, and another attempt if the phone was
   * offline at launch. `then` is called on a background thread.
   */
  fun getReady(then: () -> Unit) {
    // Device intelligence first, because the sign-in uses its session.
    RingfenceDevice.initialize(this, APP_ID, RINGFENCE_URL) {
      signIn.initialize(APP_ID, RINGFENCE_URL) { then() }
    }
  }
}
