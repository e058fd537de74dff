// Which view belongs to which URL? Every view is a link: its filters are in the query, and who it is about is in the fragment.

import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { readAuditFilters } from './pages/audit/filters.ts'
import { readEntityFilter } from './pages/entities/filters.ts'
import { readFilters } from './pages/events/filters.tsx'
import { NotFound } from './pages/not-found.tsx'
import { readRange } from './pages/overview/range.ts'
import { readPerformanceSearch } from './pages/performance/search.ts'
import { readReviewSearch } from './pages/reviews/filters.ts'
import { readSearch } from './pages/search/figures.ts'
import { Failed, LoadingScript } from './parts/empty.tsx'
import { Shell } from './shell/shell.tsx'

interface RulesSearch {
  version?: number
  against?: number
  from?: string
}

/** Which version an edit begins with, and the decision or list for which a rule is started. */
interface EditSearch {
  base?: number
  from?: string
  list?: string
}

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })
const getParentRoute = () => root

const page = <const Path extends string, Module extends Record<string, unknown>>(
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module & string,
) => createRoute({ getParentRoute, path, component: lazyRouteComponent(load, name) })

/** What it shows is in the query. */
const searchPage = <const Path extends string, Search, Module extends Record<string, unknown>>(
  path: Path,
  validateSearch: (search: Record<string, unknown>) => Search,
  load: () => Promise<Module>,
  name: keyof Module & string,
) => createRoute({ getParentRoute, path, validateSearch, component: lazyRouteComponent(load, name) })

const routes = [
  searchPage('/', readRange, () => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
  searchPage(
    '/performance',
    readPerformanceSearch,
    () => import('./pages/performance/performance-page.tsx'),
    'PerformancePage',
  ),
  searchPage('/live', readFilters, () => import('./pages/live/live-page.tsx'), 'LivePage'),
  searchPage('/search', readSearch, () => import('./pages/search/search-page.tsx'), 'SearchPage'),
  page('/decisions/$decisionId', () => import('./pages/decision/decision-page.tsx'), 'DecisionPage'),
  searchPage('/reviews', readReviewSearch, () => import('./pages/reviews/reviews-page.tsx'), 'ReviewsPage'),
  page('/devices/$deviceId', () => import('./pages/device/device-page.tsx'), 'DevicePage'),
  searchPage('/devices', readEntityFilter, () => import('./pages/entities/devices-page.tsx'), 'DevicesTable'),
  searchPage('/number', readEntityFilter, () => import('./pages/number/number-page.tsx'), 'NumberPage'),
  searchPage('/user', readEntityFilter, () => import('./pages/user/user-page.tsx'), 'UserPage'),
  createRoute({
    getParentRoute,
    path: '/rules',
    validateSearch: ({ version, against, from }: Record<string, unknown>): RulesSearch => ({
      ...(Number.isSafeInteger(version) && { version: version as number }),
      ...(Number.isSafeInteger(against) && { against: against as number }),
      ...(typeof from === 'string' && { from }),
    }),
    // A rule that starts from a decision.
    beforeLoad: ({ search: { from } }) => {
      if (from !== undefined) throw redirect({ to: '/rules/edit', search: { from } })
    },
    component: lazyRouteComponent(() => import('./pages/rules/rules-page.tsx'), 'RulesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/rules/edit',
    validateSearch: ({ base, from, list }: Record<string, unknown>): EditSearch => ({
      ...(Number.isSafeInteger(base) && { base: base as number }),
      ...(typeof from === 'string' && { from }),
      ...(typeof list === 'string' && { list }),
    }),
    component: lazyRouteComponent(() => import('./pages/rules/edit/edit-page.tsx'), 'EditRulesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/rules/backtest',
    validateSearch: ({ id }: Record<string, unknown>): { id?: string } => (typeof id === 'string' ? { id } : {}),
    beforeLoad: ({ search: { id } }) => {
      if (id === undefined) throw redirect({ to: '/rules' })
    },
    component: lazyRouteComponent(() => import('./pages/rules/backtest-page.tsx'), 'BacktestPage'),
  }),
  page('/lists', () => import('./pages/lists/lists-page.tsx'), 'ListsPage'),
  page('/lists/$name', () => import('./pages/lists/list-page.tsx'), 'ListPage'),
  page('/apps', () => import('./pages/setup/apps-page.tsx'), 'AppsPage'),
  page('/webhooks', () => import('./pages/setup/webhooks-page.tsx'), 'WebhooksPage'),
  page('/start', () => import('./pages/start/start-page.tsx'), 'StartPage'),
  createRoute({
    getParentRoute,
    path: '/sign-in',
    validateSearch: ({ days }: Record<string, unknown>): { days?: number } =>
      [1, 7, 30].includes(days as number) ? { days: days as number } : {},
    component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-channels-page.tsx'), 'SignInChannelsPage'),
  }),
  page('/privacy', () => import('./pages/privacy/privacy-page.tsx'), 'PrivacyPage'),
  page('/system', () => import('./pages/system/system-page.tsx'), 'SystemPage'),
  page('/people', () => import('./pages/people/people-page.tsx'), 'PeoplePage'),
  searchPage('/audit', readAuditFilters, () => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
  page('/people/roles', () => import('./pages/people/roles/roles-page.tsx'), 'RolesPage'),
  page('/people/sso', () => import('./pages/people/sso/sso-page.tsx'), 'SsoSettingsPage'),
  page('/account', () => import('./pages/account/account-page.tsx'), 'AccountPage'),
] as const

export const newRouter = () =>
  createRouter({
    routeTree: root.addChildren(routes),
    basepath: '/console',
    scrollRestoration: true,
    defaultPendingComponent: () => <LoadingScript />,
    defaultErrorComponent: ({ error }) => <Failed error={error} />,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof newRouter>
  }
}
