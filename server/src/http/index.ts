import { feature } from '../feature.ts'
import { openBrowserSdk } from './browser-sdk.ts'
import { openConsole } from './console/console.ts'
import { openDocumentation } from './pages/documentation.ts'
import type { SiteDoor } from './room.ts'

/** What web pages load from the service. */
export const site = feature({
  name: 'site',
  needs: [],
  open: ({ settings }): SiteDoor => ({
    browserSdk: openBrowserSdk(),
    console: openConsole(),
    documentation: openDocumentation(settings.baseUrl),
  }),
})
