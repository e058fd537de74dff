// What does `npm ci` build? The clients' types, the indexes of phone metadata and of networks, the clients as users install them, and the console.

import { buildConsole } from '../console/build.ts'
import { buildAsnFile } from './build-asn-file.ts'
import { buildBrowserSdk } from './build-browser-sdk.ts'
import { buildPhoneMetadata } from './build-phone-metadata.ts'
import { writeClientEndpoints } from './client-endpoints.ts'
import { installedCompiler } from './declarations.ts'

buildPhoneMetadata()
buildAsnFile()
writeClientEndpoints()
if (installedCompiler() !== undefined) await (await import('./generate-client-types.ts')).writeClientFiles()
// Loads the client, which imports them.
const { buildNodeClient } = await import('./node-packages/client.ts')
await buildNodeClient()
const { buildTesting } = await import('./node-packages/testing.ts')
await buildTesting()
await buildBrowserSdk()
await buildConsole()
