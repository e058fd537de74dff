// What does `npm ci` build? The clients' types, the indexes of phone metadata and of networks, the clients as users install them, and the console.

import { buildConsole } from '../console/build.ts'
import { buildAsnFile } from './build-asn-file.ts'
import { buildBrowserSdk } from './build-browser-sdk.ts'
import { buildPhoneMetadata } from './build-phone-metadata.ts'
import { writeClientFiles } from './generate-client-types.ts'

buildPhoneMetadata()
buildAsnFile()
await writeClientFiles()
// Loads the client, which imports them.
const { buildNodeClient } = await import('./build-node-client.ts')
await buildNodeClient()
await buildBrowserSdk()
await buildConsole()
