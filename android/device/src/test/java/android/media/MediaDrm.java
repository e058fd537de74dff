package android.media;

import java.util.UUID;

/** In place of Android's, which loads a library of the system. Without an id the phone has no copy protection. */
public final class MediaDrm {
  public static final String PROPERTY_DEVICE_UNIQUE_ID = "deviceUniqueId";
  private static final UUID WIDEVINE = new UUID(0xedef8ba979d64aceL, 0xa3c827dcd51d21edL);
  public static volatile byte[] id;

  public MediaDrm(UUID scheme) throws UnsupportedSchemeException {
    if (id == null || !scheme.equals(WIDEVINE)) throw new UnsupportedSchemeException("a test");
  }

  public byte[] getPropertyByteArray(String name) {
    return name.equals(PROPERTY_DEVICE_UNIQUE_ID) ? id : null;
  }

  public void close() {}

  public void release() {}
}
