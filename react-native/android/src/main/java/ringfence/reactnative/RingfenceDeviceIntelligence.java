package ringfence.reactnative;

import com.facebook.react.bridge.Arguments;
import com.facebook.react.bridge.Callback;
import com.facebook.react.bridge.ReactApplicationContext;
import com.facebook.react.bridge.ReadableMap;
import java.util.HashMap;
import java.util.Map;
import ringfence.core.UpdateInfo;
import ringfence.device.RingfenceDevice;

/** How does JavaScript call the SDK? Forwards each call. Callbacks come on a background thread, which React Native allows. */
public final class RingfenceDeviceIntelligence extends NativeRingfenceDeviceIntelligenceSpec {
  private volatile String baseUrl = "";

  RingfenceDeviceIntelligence(ReactApplicationContext context) {
    super(context);
  }

  @Override
  public void setBaseURL(String url) {
    baseUrl = url;
  }

  @Override
  public void isInitialized(Callback callback) {
    callback.invoke(RingfenceDevice.isInitialized());
  }

  @Override
  public void initialize(String appId, Callback callback) {
    RingfenceDevice.initialize(getReactApplicationContext(), appId, baseUrl, success -> callback.invoke(success));
  }

  @Override
  public void fetchIntelligence(ReadableMap params, ReadableMap updateInfo, Callback callback) {
    Map<String, Object> values = params == null ? null : params.toHashMap();
    UpdateInfo info = updateInfo == null ? null : UpdateInfo.of(updateInfo.toHashMap());
    RingfenceDevice.fetchIntelligence(values, info, (success, dfrId, response, message) -> {
      Map<String, Object> report = response == null ? null : new HashMap<>(response);
      callback.invoke(success, dfrId, report == null ? null : Arguments.makeNativeMap(report), message);
    });
  }
}
