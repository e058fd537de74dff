package ringfence.reactnative;

import com.facebook.react.bridge.Arguments;
import com.facebook.react.bridge.Callback;
import com.facebook.react.bridge.ReactApplicationContext;
import com.facebook.react.bridge.ReadableMap;
import java.util.HashMap;
import java.util.Map;
import ringfence.core.UpdateInfo;
import ringfence.device.RingfenceDevice;
import ringfence.signin.HeadlessAuthentication;
import ringfence.signin.SignInError;
import ringfence.signin.SignInRequest;

/** How does JavaScript call the SDK? Forwards each call. Callbacks come on a background thread, which React Native allows. */
public final class RingfenceDeviceIntelligence extends NativeRingfenceDeviceIntelligenceSpec {
  private volatile String baseUrl = "";
  private final HeadlessAuthentication signIn;

  RingfenceDeviceIntelligence(ReactApplicationContext context) {
    super(context);
    signIn = RingfenceDevice.headlessAuthentication(context);
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
      callback.invoke(success, dfrId, nativeMap(report), message);
    });
  }

  @Override
  public void initializeSignIn(String appId, Callback callback) {
    signIn.initialize(appId, baseUrl, success -> callback.invoke(success));
  }

  @Override
  public void startSignIn(ReadableMap request, Callback callback) {
    SignInRequest of = SignInValues.request(request.toHashMap());
    if (of == null) {
      end(callback, null, SignInValues.unknownChannel());
      return;
    }
    signIn.start(of, (transaction, error) -> end(callback, SignInValues.of(transaction), error));
  }

  @Override
  public void resendSignIn(String transactionId, Callback callback) {
    signIn.resend(transactionId, (transaction, error) -> end(callback, SignInValues.of(transaction), error));
  }

  @Override
  public void verifySignIn(String otp, String code, String transactionId, Callback callback) {
    signIn.verify(otp, code, transactionId, (user, error) -> end(callback, SignInValues.of(user), error));
  }

  @Override
  public void signInStatus(String transactionId, Callback callback) {
    signIn.status(transactionId, (status, error) -> end(callback, SignInValues.of(status), error));
  }

  @Override
  public void openNumberVerification(String url, Callback callback) {
    signIn.openNumberVerification(url, (returned, error) -> end(callback, SignInValues.of(returned), error));
  }

  private static void end(Callback callback, Map<String, Object> value, SignInError error) {
    callback.invoke(nativeMap(value), nativeMap(SignInValues.of(error)));
  }

  private static Object nativeMap(Map<String, Object> values) {
    return values == null ? null : Arguments.makeNativeMap(values);
  }
}
