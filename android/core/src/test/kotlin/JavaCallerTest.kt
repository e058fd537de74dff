package ringfence

import java.util.concurrent.ConcurrentLinkedQueue
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import ringfence.core.Environment

class JavaCallerTest {
  private val environment = Environment("com.example.shop", log = Log())

  @Test
  fun `an app in Java gets its dfrId, and signs a person in`() {
    val faults = Faults.planned()
    val app = JavaCaller(environment)
    assertTrue(app.dfrId("rfa_test", faults.url).startsWith("dfr-of-"))
    val info =
      mapOf(
        "userId" to "u-1001",
        "userEventType" to "TRANSACTION",
        "additionalInput" to mapOf("campaign" to "spring"),
      )
    assertEquals(info, faults.calls("intelligence").first().body["updateInfo"])
    assertEquals("A-1", faults.calls("device-fingerprint").first().body["orderId"])
    assertEquals("user-token", app.token("rfa_test", faults.url, environment, "123456"))
    assertEquals("Request error: Wrong OTP", app.token("rfa_test", faults.url, environment, "1"))
    assertTrue((faults.calls("auth/start").first().body["dfrId"] as String).startsWith("dfr-of-"))
  }

  @Test
  fun `a null of an app in Java is no exception in the app`() {
    val faults = Faults.planned()
    assertFalse(JavaCaller(environment).isInitializedWithNull(faults.url))
    assertEquals(emptyList<Call>(), faults.calls())
    val thrown = ConcurrentLinkedQueue<Throwable>()
    val before = Thread.getDefaultUncaughtExceptionHandler()
    Thread.setDefaultUncaughtExceptionHandler { _, error -> thrown.add(error) }
    try {
      JavaCaller(environment).callWithoutCallbacks(faults.url, environment)
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before)
    }
    assertEquals(emptyList<Throwable>(), thrown.toList())
  }
}
