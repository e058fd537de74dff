// What does `npm ci` build? The indexes of phone metadata and of networks, and the clients as users install them.

import { buildAsnFile } from './build-asn-file.ts'
import { buildBrowserSdk } from './build-browser-sdk.ts'
import { buildNodeClient } from './build-node-client.ts'
import { buildPhoneMetadata } from './build-phone-metadata.ts'

buildPhoneMetadata()
buildAsnFile()
await buildNodeClient()
await buildBrowserSdk()
