// What has to be built once after `npm ci`? The index of phone metadata, and the Node client as others install it.

import { buildNodeClient } from './build-node-client.ts'
import { buildPhoneMetadata } from './build-phone-metadata.ts'

buildPhoneMetadata()
await buildNodeClient()
