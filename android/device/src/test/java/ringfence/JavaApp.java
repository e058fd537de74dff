package ringfence;

import android.content.Context;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import ringfence.core.UpdateInfo;
import ringfence.device.RingfenceDevice;
import ringfence.signin.Channel;
import ringfence.signin.DeviceFingerprintMode;
import ringfence.signin.HeadlessAuthentication;
import ringfence.signin.Identity;
import ringfence.signin.SignInRequest;
import ringfence.signin.SignInTransaction;
import ringfence.signin.SignedInUser;

/** What does an app in Java write? */
final class JavaApp {
  private final Context context;

  JavaApp(Context context) {
    this.context = context;
  }

  String dfrId(String appId, String baseUrl) throws Exception {
    CompletableFuture<String> fetched = new CompletableFuture<>();
    RingfenceDevice.initialize(context, appId, baseUrl, initialized -> {
      UpdateInfo info = new UpdateInfo();
      info.setUserEventType(UpdateInfo.UserEventType.LOGIN);
      RingfenceDevice.fetchIntelligence(Collections.singletonMap("orderId", "A-2"), info,
          (success, dfrId, response, errorMessage) -> fetched.complete(success ? dfrId : errorMessage));
    });
    return fetched.get(60, TimeUnit.SECONDS);
  }

  SignedInUser signedIn(String appId, String baseUrl, String number, Supplier<String> otp) throws Exception {
    HeadlessAuthentication signIn = RingfenceDevice.headlessAuthentication(context);
    CompletableFuture<Boolean> initialized = new CompletableFuture<>();
    signIn.initialize(appId, baseUrl, initialized::complete);
    initialized.get(60, TimeUnit.SECONDS);
    SignInRequest request = new SignInRequest(Channel.OTP, Identity.mobile(number), "SMS");
    request.setDeviceFingerprintMode(DeviceFingerprintMode.SYNC);
    CompletableFuture<SignInTransaction> started = new CompletableFuture<>();
    signIn.start(request, (transaction, error) -> started.complete(transaction));
    started.get(60, TimeUnit.SECONDS);
    CompletableFuture<SignedInUser> verified = new CompletableFuture<>();
    signIn.verify(otp.get(), null, null, (user, error) -> verified.complete(user));
    return verified.get(60, TimeUnit.SECONDS);
  }
}
