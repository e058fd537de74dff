import { feature } from '../../core/feature.ts'
import { openCompression } from './compression/compression.ts'

/** Makes what is stored of analyses, decisions and tokens small. */
export const compression = feature({ name: 'compression', needs: [], open: () => openCompression() })
