package ringfence;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import ringfence.core.Environment;
import ringfence.core.FetchCallback;
import ringfence.core.InitializeCallback;
import ringfence.core.IntelligenceClient;
import ringfence.core.UpdateInfo;
import ringfence.signin.Channel;
import ringfence.signin.DeviceFingerprintMode;
import ringfence.signin.HeadlessAuthentication;
import ringfence.signin.Identity;
import ringfence.signin.SignInCallback;
import ringfence.signin.SignInError;
import ringfence.signin.SignInRequest;
import ringfence.signin.SignInStatus;
import ringfence.signin.SignInTransaction;
import ringfence.signin.SignedInUser;

/** What does an app in Java write? A fetch and a sign-in, with callbacks. */
final class JavaCaller {
  private final IntelligenceClient intelligence;

  JavaCaller(Environment environment) {
    intelligence = new IntelligenceClient(environment);
  }

  String dfrId(String appId, String baseUrl) throws Exception {
    CompletableFuture<Boolean> initialized = new CompletableFuture<>();
    intelligence.initialize(appId, baseUrl, initialized::complete);
    if (!initialized.get(60, TimeUnit.SECONDS)) return "not initialised";
    UpdateInfo info = new UpdateInfo();
    info.setUserId("u-1001");
    info.setUserEventType(UpdateInfo.UserEventType.TRANSACTION);
    info.setAdditionalInput(Collections.singletonMap("campaign", "spring"));
    Map<String, Object> params = new HashMap<>();
    params.put("orderId", "A-1");
    CompletableFuture<String> fetched = new CompletableFuture<>();
    intelligence.fetch(params, info, (success, dfrId, response, errorMessage) ->
        fetched.complete(success ? dfrId : errorMessage));
    return fetched.get(60, TimeUnit.SECONDS);
  }

  /** What a null gives, where the SDK does not allow it. */
  boolean isInitializedWithNull(String baseUrl) throws Exception {
    CompletableFuture<Boolean> initialized = new CompletableFuture<>();
    intelligence.initialize(null, baseUrl, initialized::complete);
    return initialized.get(60, TimeUnit.SECONDS);
  }

  /** Calls without callbacks. What follows one of them waits for it. */
  void callWithoutCallbacks(String baseUrl, Environment environment) throws Exception {
    InitializeCallback none = null;
    intelligence.initialize("rfa_test", baseUrl, none);
    FetchCallback unheard = null;
    intelligence.fetch(null, null, unheard);
    HeadlessAuthentication signIn = new HeadlessAuthentication(environment, intelligence);
    signIn.initialize("rfa_test", baseUrl, none);
    SignInCallback<SignInTransaction> unstarted = null;
    signIn.start(new SignInRequest(Channel.OTP, Identity.mobile("4915123456789")), unstarted);
    SignInCallback<SignInStatus> unknown = null;
    signIn.status(null, unknown);
    dfrId("rfa_test", baseUrl);
    token("rfa_test", baseUrl, environment, "123456");
  }

  /** Returns the token, or the message of the error. */
  String token(String appId, String baseUrl, Environment environment, String otp) throws Exception {
    HeadlessAuthentication signIn = new HeadlessAuthentication(environment, intelligence);
    CompletableFuture<Boolean> initialized = new CompletableFuture<>();
    signIn.initialize(appId, baseUrl, initialized::complete);
    if (!initialized.get(60, TimeUnit.SECONDS)) return "not initialised";
    SignInRequest request = new SignInRequest(Channel.OTP, Identity.mobile("4915123456789"));
    request.setDeviceFingerprintMode(DeviceFingerprintMode.SYNC);
    CompletableFuture<SignInTransaction> started = new CompletableFuture<>();
    signIn.start(request, (transaction, error) -> started.complete(transaction));
    String transactionId = started.get(60, TimeUnit.SECONDS).getTransactionId();
    CompletableFuture<String> verified = new CompletableFuture<>();
    signIn.verify(otp, null, transactionId, (SignedInUser user, SignInError error) ->
        verified.complete(user == null ? error.getMessage() : user.getToken()));
    return verified.get(60, TimeUnit.SECONDS);
  }
}
