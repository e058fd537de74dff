package ringfence.device.facts

import android.content.Context
import android.net.ConnectivityManager
import android.net.NetworkCapabilities
import android.os.Build.VERSION.SDK_INT
import ringfence.core.facts.Fact
import ringfence.device.levels.Api31

/** VPN interfaces. Needs ACCESS_NETWORK_STATE, as do the others here. */
internal class NetworkInterfacesFact(private val context: Context) : Fact {
  override val name = "networkInterfaces"

  @Suppress("DEPRECATION") // a callback would come too late for the call that needs the fact
  override fun read(): Any {
    val connectivity = context.service<ConnectivityManager>()
    val tunnels =
      connectivity.allNetworks.filter { network ->
        connectivity
          .getNetworkCapabilities(network)
          ?.hasTransport(NetworkCapabilities.TRANSPORT_VPN) == true
      }
    val names = tunnels.mapNotNull { connectivity.getLinkProperties(it)?.interfaceName }
    return mapOf("routableTunnels" to names.sorted().take(64))
  }
}

/** The proxy of the network in use, without its host. */
internal class ProxyFact(private val context: Context) : Fact {
  override val name = "proxy"

  override fun read(): Any? {
    val connectivity = context.service<ConnectivityManager>()
    val network = connectivity.activeNetwork ?: return null
    val proxy = connectivity.getLinkProperties(network)?.httpProxy
    val host = proxy?.host.orEmpty()
    return mapOf(
      "http" to host.isNotEmpty(),
      "autoConfiguration" to (proxy?.pacFileUrl?.toString().orEmpty().isNotEmpty()),
      "isLoopback" to (host == "localhost" || host == "::1" || host.startsWith("127.")),
    )
  }
}

/** How the Wi-Fi in use is protected. */
internal class WifiFact(private val context: Context) : Fact {
  override val name = "wifi"

  override fun read(): Any? {
    val connectivity = context.service<ConnectivityManager>()
    val capabilities =
      connectivity.activeNetwork?.let(connectivity::getNetworkCapabilities) ?: return null
    val security = if (SDK_INT >= 31) Api31.wifiSecurity(capabilities) else null
    return security?.let { mapOf("security" to it) }
  }
}
