// Proxies. Apple's header does not declare ownership, so Swift gets an Unmanaged: developer.apple.com/documentation/cfnetwork/cfnetworkcopysystemproxysettings()
#pragma once
@import Foundation;
#include "CoreFoundation.h"
CFDictionaryRef _Nullable CFNetworkCopySystemProxySettings(void);
