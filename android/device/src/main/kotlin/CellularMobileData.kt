package ringfence.device

import android.content.Context
import android.net.ConnectivityManager
import android.net.Network
import android.net.NetworkCapabilities
import android.net.NetworkRequest
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import ringfence.core.calls.HttpResponse
import ringfence.core.mobiledata.ConnectedMobileData
import ringfence.core.mobiledata.MobileData
import ringfence.core.mobiledata.MobileDataException
import ringfence.core.mobiledata.NoMobileData
import ringfence.device.facts.service
import ringfence.device.facts.tagSockets

/**
 * The mobile data of the phone, also while it uses Wi-Fi. Needs the permission
 * CHANGE_NETWORK_STATE.
 */
internal class CellularMobileData(private val context: Context) : MobileData {
  override fun get(url: String, limitMillis: Long): HttpResponse {
    val began = System.nanoTime()
    return during(limitMillis) {
      it.get(url, limitMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began))
    }
  }

  override fun <Value> during(limitMillis: Long, work: (MobileData) -> Value): Value {
    val connectivity = context.service<ConnectivityManager>()
    val found = LinkedBlockingQueue<Network>()
    val callback =
      object : ConnectivityManager.NetworkCallback() {
        override fun onAvailable(network: Network) {
          found.add(network)
        }
      }
    val request =
      NetworkRequest.Builder()
        .addTransportType(NetworkCapabilities.TRANSPORT_CELLULAR)
        .addCapability(NetworkCapabilities.NET_CAPABILITY_INTERNET)
        .build()
    try {
      connectivity.requestNetwork(request, callback)
    } catch (_: SecurityException) {
      throw MobileDataException(
        "no_mobile_data",
        "the app does not have the permission CHANGE_NETWORK_STATE",
      )
    }
    try {
      // The system does not say that there is none: it looks for it until the request ends.
      val network = found.poll(limitMillis / 2, TimeUnit.MILLISECONDS) ?: return work(NoMobileData)
      return work(
        ConnectedMobileData { address, _ ->
          tagSockets()
          network.openConnection(address)
        }
      )
    } finally {
      connectivity.unregisterNetworkCallback(callback)
    }
  }
}
