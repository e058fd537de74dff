// What does `npm ci` build? The indexes of phone metadata and of networks, the clients as users install them, and the console.

import { buildConsole } from '../console/build.ts'
import { buildAsnFile } from './build-asn-file.ts'
import { buildBrowserSdk } from './build-browser-sdk.ts'
import { buildNodeClient } from './build-node-client.ts'
import { buildPhoneMetadata } from './build-phone-metadata.ts'

buildPhoneMetadata()
buildAsnFile()
await buildNodeClient()
await buildBrowserSdk()
await buildConsole()
