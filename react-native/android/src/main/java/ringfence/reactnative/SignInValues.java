package ringfence.reactnative;

import java.util.HashMap;
import java.util.Map;
import ringfence.core.UpdateInfo;
import ringfence.signin.Channel;
import ringfence.signin.DeviceFingerprintMode;
import ringfence.signin.Identity;
import ringfence.signin.NumberVerificationReturn;
import ringfence.signin.SignInError;
import ringfence.signin.SignInRequest;
import ringfence.signin.SignInStatus;
import ringfence.signin.SignInTransaction;
import ringfence.signin.SignedInUser;

/** What do requests and results look like to JavaScript? Maps with the names of the wire, as on iOS. Null stays null. */
final class SignInValues {
  private SignInValues() {}

  /** Null for an unknown channel. */
  @SuppressWarnings("unchecked")
  static SignInRequest request(Map<String, Object> fields) {
    Channel channel = named(Channel.values(), fields.get("channel"));
    if (channel == null) return null;
    SignInRequest request = new SignInRequest(channel);
    if (fields.get("identity") instanceof Map) request.setIdentity(identity((Map<String, Object>) fields.get("identity")));
    request.setMethod(text(fields, "method"));
    request.setRedirectUrl(text(fields, "redirectUrl"));
    if (fields.get("otpLength") instanceof Number) request.setOtpLength(((Number) fields.get("otpLength")).intValue());
    request.setLocale(text(fields, "locale"));
    request.setLinkTo(text(fields, "linkTo"));
    DeviceFingerprintMode mode = named(DeviceFingerprintMode.values(), fields.get("deviceFingerprintMode"));
    if (mode != null) request.setDeviceFingerprintMode(mode);
    if (fields.get("params") instanceof Map) request.setParams((Map<String, Object>) fields.get("params"));
    if (fields.get("updateInfo") instanceof Map) request.setUpdateInfo(UpdateInfo.of((Map<String, Object>) fields.get("updateInfo")));
    return request;
  }

  private static Identity identity(Map<String, Object> fields) {
    String value = String.valueOf(fields.get("value"));
    return "EMAIL".equals(fields.get("type")) ? Identity.email(value) : Identity.mobile(value);
  }

  private static String text(Map<String, Object> fields, String name) {
    return fields.get(name) instanceof String ? (String) fields.get(name) : null;
  }

  private static <Kind extends Enum<Kind>> Kind named(Kind[] kinds, Object name) {
    for (Kind kind : kinds) if (kind.name().equals(name)) return kind;
    return null;
  }

  /** As the service refuses it. */
  static SignInError unknownChannel() {
    return new SignInError.Refused(400, "7102", "channel must be OTP, MAGIC_LINK, OAUTH or SILENT", null, null);
  }

  static Map<String, Object> of(SignInTransaction transaction) {
    if (transaction == null) return null;
    Map<String, Object> values = new HashMap<>();
    put(values, "transactionId", transaction.getTransactionId());
    put(values, "channel", transaction.getChannel());
    put(values, "method", transaction.getMethod());
    put(values, "expiresAt", transaction.getExpiresAt());
    put(values, "resendAfterSeconds", transaction.getResendAfterSeconds());
    put(values, "otpLength", transaction.getOtpLength());
    put(values, "authorizationUrl", transaction.getAuthorizationUrl());
    put(values, "fallback", transaction.getFallback());
    put(values, "user", of(transaction.getUser()));
    put(values, "silentError", transaction.getSilentError());
    return values;
  }

  static Map<String, Object> of(SignedInUser user) {
    return user == null ? null : new HashMap<>(user.getFields());
  }

  static Map<String, Object> of(SignInStatus status) {
    if (status == null) return null;
    Map<String, Object> values = new HashMap<>();
    put(values, "status", status.getStatus().name());
    put(values, "user", of(status.getUser()));
    return values;
  }

  static Map<String, Object> of(NumberVerificationReturn returned) {
    if (returned == null) return null;
    Map<String, Object> values = new HashMap<>();
    put(values, "state", returned.getState());
    put(values, "code", returned.getCode());
    put(values, "error", returned.getError());
    put(values, "iss", returned.getIss());
    return values;
  }

  static Map<String, Object> of(SignInError error) {
    if (error == null) return null;
    Map<String, Object> values = new HashMap<>();
    put(values, "message", error.getMessage());
    put(values, "code", "unreachable");
    if (error instanceof SignInError.NotConfigured) put(values, "code", "notConfigured");
    if (error instanceof SignInError.NoSignIn) put(values, "code", "noSignIn");
    if (error instanceof SignInError.NotVerified) {
      put(values, "code", "notVerified");
      put(values, "reason", ((SignInError.NotVerified) error).getReason());
    }
    if (error instanceof SignInError.Refused) {
      SignInError.Refused refused = (SignInError.Refused) error;
      put(values, "code", "refused");
      put(values, "status", refused.getStatus());
      put(values, "errorCode", refused.getErrorCode());
      put(values, "requestId", refused.getRequestId());
      put(values, "retryAfterSeconds", refused.getRetryAfterSeconds());
    }
    return values;
  }

  /** JavaScript sees what is missing as undefined. */
  private static void put(Map<String, Object> values, String name, Object value) {
    if (value != null) values.put(name, value);
  }
}
