package ringfence

import android.net.ConnectivityManager
import android.net.Network
import android.net.NetworkCapabilities
import android.net.NetworkRequest
import android.net.TrafficStats
import java.io.ByteArrayInputStream
import java.io.File
import java.io.IOException
import java.io.InputStream
import java.net.HttpURLConnection
import java.net.URL
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import org.mockito.ArgumentMatchers.any
import org.mockito.ArgumentMatchers.argThat
import org.mockito.Mockito
import org.mockito.Mockito.times
import org.mockito.Mockito.verify
import ringfence.core.Environment
import ringfence.core.mobiledata.MobileDataException
import ringfence.device.CellularMobileData
import ringfence.signin.HeadlessAuthentication

private const val OPERATOR = "https://operator.example/verify"

private class Answer(url: URL, private val to: String, private val body: () -> InputStream) :
  HttpURLConnection(url) {
  override fun connect() = Unit

  override fun disconnect() = Unit

  override fun usingProxy() = false

  override fun getResponseCode() = 302

  override fun getHeaderFields() = mapOf("Location" to listOf(to))

  override fun getInputStream() = body()
}

private fun networkOf(to: String = "https://shop.example/back", body: () -> InputStream): Network =
  mocked { network ->
    Mockito.`when`(network.openConnection(any())).thenAnswer {
      check(TrafficStats.getThreadStatsTag() != 0) { "the socket has no tag" }
      Answer(it.getArgument(0), to, body)
    }
  }

/** A system that does this when the SDK asks it for a mobile network. */
private fun system(answer: (ConnectivityManager.NetworkCallback) -> Unit): ConnectivityManager =
  mocked {
    Mockito.doAnswer { call ->
        answer(call.getArgument(1))
        null
      }
      .`when`(it)
      .requestNetwork(argThat(::isMobile), any<ConnectivityManager.NetworkCallback>())
  }

/** Of no other network, which could not verify the phone. */
private fun isMobile(request: NetworkRequest?): Boolean =
  request != null &&
    request.hasTransport(NetworkCapabilities.TRANSPORT_CELLULAR) &&
    !request.hasTransport(NetworkCapabilities.TRANSPORT_WIFI) &&
    request.hasCapability(NetworkCapabilities.NET_CAPABILITY_INTERNET)

/** Mobile data whose operator redirects there. */
fun redirecting(to: String): ConnectivityManager = system {
  it.onAvailable(networkOf(to) { ByteArrayInputStream(ByteArray(0)) })
}

class CellularMobileDataTest {
  @TempDir lateinit var folder: File

  private fun get(system: ConnectivityManager, limitMillis: Long = 60_000) =
    CellularMobileData(phoneOf(system)).get(OPERATOR, limitMillis)

  private fun phoneOf(system: ConnectivityManager) =
    object : TestPhone(folder) {
      override fun getSystemServiceName(type: Class<*>) = type.name

      override fun getSystemService(name: String) = system
    }

  private fun reasonOf(system: ConnectivityManager, limitMillis: Long = 60_000): String =
    assertThrows(MobileDataException::class.java) { get(system, limitMillis) }.reason

  /** How often the SDK gave the network back. */
  private fun verifyReleased(system: ConnectivityManager, count: Int) =
    verify(system, times(count))
      .unregisterNetworkCallback(any<ConnectivityManager.NetworkCallback>())

  @Test
  fun `opens a URL over mobile data, and gives the network back`() {
    val system = system {
      it.onAvailable(networkOf { ByteArrayInputStream("moved".toByteArray()) })
    }
    val response = get(system)
    assertEquals(302, response.status)
    assertEquals("https://shop.example/back", response.headers["location"])
    assertEquals("moved", response.text)
    verifyReleased(system, 1)
  }

  @Test
  fun `the redirects of an operator use one search for mobile data`() {
    val back = "https://shop.example/back"
    var count = 0
    val network: Network = mocked { network ->
      Mockito.`when`(network.openConnection(any())).thenAnswer {
        count += 1
        Answer(it.getArgument(0), if (count < 4) "/step$count" else "$back?code=c") {
          ByteArrayInputStream(ByteArray(0))
        }
      }
    }
    val system = system { it.onAvailable(network) }
    val environment = Environment("x", mobileData = CellularMobileData(phoneOf(system)))
    val signIn = HeadlessAuthentication(environment, null)
    val url = "$OPERATOR?redirect_uri=$back"
    assertEquals("c", blocking { signIn.openNumberVerification(url) }.getOrThrow().code)
    assertEquals(4, count)
    verifyReleased(system, 1)
  }

  @Test
  fun `a phone without mobile data says so within the limit, and its search ends`() {
    val system = system {}
    val millis = ranMillis { assertEquals("no_mobile_data", reasonOf(system, limitMillis = 100)) }
    assertEquals(true, millis < 3_000)
    verifyReleased(system, 1)
  }

  @Test
  fun `an app without the permission has no mobile data, and asks for nothing more`() {
    val system = system { throw SecurityException("CHANGE_NETWORK_STATE") }
    assertEquals("no_mobile_data", reasonOf(system))
    verifyReleased(system, 0)
  }

  @Test
  fun `a mobile network that breaks is given back too`() {
    val system = system { it.onAvailable(networkOf { throw IOException("lost") }) }
    assertEquals("provider_failed", reasonOf(system))
    verifyReleased(system, 1)
  }
}
