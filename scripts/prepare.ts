// What has to be built once after `npm ci`? The indexes of phone metadata and of networks, and the clients as others install them.

import { buildAsnFile } from './build-asn-file.ts'
import { buildBrowserSdk } from './build-browser-sdk.ts'
import { buildNodeClient } from './build-node-client.ts'
import { buildPhoneMetadata } from './build-phone-metadata.ts'

buildPhoneMetadata()
buildAsnFile()
await buildNodeClient()
await buildBrowserSdk()
