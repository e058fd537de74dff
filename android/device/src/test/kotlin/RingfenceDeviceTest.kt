package ringfence

import java.io.File
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import ringfence.core.IntelligenceError
import ringfence.core.UpdateInfo
import ringfence.device.RingfenceDevice

/** One test: like an app, a process has one `RingfenceDevice`. */
class RingfenceDeviceTest {
  @TempDir lateinit var folder: File

  @Test
  fun `an app in Kotlin and one in Java get their dfrIds, and sign a person in, from a context alone`() {
    TestKeystore.install()
    val phone = TestPhone(folder)
    assertFalse(RingfenceDevice.isInitialized)
    val early = blocking { RingfenceDevice.fetchIntelligence() }.exceptionOrNull()
    assertInstanceOf(IntelligenceError.NotConfigured::class.java, early)
    assertEquals(
      Called(false, null, null, "SDK not initialised"),
      called { RingfenceDevice.fetchIntelligence(null, null, it) },
    )
    assertTrue(blocking { RingfenceDevice.initialize(phone, started("APP_ID"), started("URL")) })
    assertTrue(RingfenceDevice.isInitialized)
    val info = UpdateInfo(userId = "u-1001", userEventType = UpdateInfo.UserEventType.TRANSACTION)
    val intelligence =
      blocking { RingfenceDevice.fetchIntelligence(mapOf("orderId" to "A-1"), info) }.getOrThrow()
    assertEquals(intelligence.requestId, reportOf(intelligence.dfrId)["requestId"])
    val app = JavaApp(phone)
    val dfrId = app.dfrId(started("APP_ID"), started("URL"))
    assertTrue((reportOf(dfrId)["sessionId"] as String).isNotEmpty())
    val number = "4915123457901"
    val user = app.signedIn(started("APP_ID"), started("URL"), number) { otpSentTo(number) }
    assertEquals(user.dfrId?.length, 32)
  }
}
