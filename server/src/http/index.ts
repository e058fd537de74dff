import { feature } from '../core/feature.ts'
import { page, type Row } from '../core/rows.ts'
import { servers } from '../core/servers/index.ts'
import { consolePaths, openConsole } from './console/console.ts'
import { healthPage, metricsPage, readyPage } from './operations.ts'
import { openBrowserSdk } from './pages/browser-sdk.ts'
import { openDocumentation, referencePaths } from './pages/documentation.ts'
import type { SiteDoor } from './room.ts'

/** What web pages and monitoring load from the service. */
export const site = feature({
  name: 'site',
  needs: [servers],
  open: ({ settings }): SiteDoor => ({
    browserSdk: openBrowserSdk(),
    console: openConsole(),
    documentation: openDocumentation(settings.baseUrl),
  }),
}).with({
  rows: [
    page('/health', 'probe', healthPage),
    page('/ready', 'probe', readyPage),
    page('/metrics', 'operations', metricsPage),
    page('/', 'anyone', ({ site: { documentation } }) => documentation.start),
    page('/openapi.json', 'anyone', ({ site: { documentation } }) => documentation.openApi()),
    ...referencePaths.map((path) =>
      page(path, 'anyone', ({ site: { documentation } }: Site) => documentation.reference(path)),
    ),
    page('/sdk/browser.js', 'anyone', ({ site: { browserSdk } }) => browserSdk.newest),
    page('/sdk/headless.js', 'anyone', ({ site: { browserSdk } }) => browserSdk.headless),
    page('/sdk/browser.json', 'anyone', ({ site: { browserSdk } }) => browserSdk.description),
    ...consolePaths.map((path) => page(path, 'anyone', ({ site: { console } }: Site) => console.page())),
  ],
})

interface Site {
  readonly site: SiteDoor
}

/** The rows whose paths contain hashes of what was built. */
export const builtPages = ({ site: { browserSdk, console } }: Site): readonly Row<unknown>[] => [
  page(browserSdk.unchanging.path, 'anyone', () => browserSdk.unchanging),
  ...[...console.assets].map(([path, asset]) => page(path, 'anyone', asset)),
]
