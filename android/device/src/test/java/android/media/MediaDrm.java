package android.media;

import java.util.UUID;

/** In place of Android's, which loads a library of the system. Without an id the phone has no copy protection. */
public final class MediaDrm {
  public static final String PROPERTY_DEVICE_UNIQUE_ID = "deviceUniqueId";
  public static volatile byte[] id;

  public MediaDrm(UUID scheme) throws UnsupportedSchemeException {
    if (id == null) throw new UnsupportedSchemeException("a test");
  }

  public byte[] getPropertyByteArray(String name) {
    return name.equals(PROPERTY_DEVICE_UNIQUE_ID) ? id : null;
  }

  public void close() {}

  public void release() {}
}
