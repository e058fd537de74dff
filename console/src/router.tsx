// Which view belongs to which URL? Every view is a link: its filters are in the query, and who it is about is in the fragment.

import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { readAuditFilters } from './pages/audit/filters.ts'
import { readFilters } from './pages/events/filters.tsx'
import { NotFound } from './pages/not-found.tsx'
import { readRange } from './pages/overview/range.ts'
import { readReviewSearch } from './pages/reviews/filters.ts'
import { Failed, Loading } from './parts/empty.tsx'
import { Shell } from './shell/shell.tsx'

interface RulesSearch {
  version?: number
  against?: number
  from?: string
}

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })
const page = { getParentRoute: () => root } as const

const routes = [
  createRoute({
    ...page,
    path: '/',
    validateSearch: readRange,
    component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
  }),
  createRoute({
    ...page,
    path: '/live',
    validateSearch: readFilters,
    component: lazyRouteComponent(() => import('./pages/live/live-page.tsx'), 'LivePage'),
  }),
  createRoute({
    ...page,
    path: '/search',
    validateSearch: readFilters,
    component: lazyRouteComponent(() => import('./pages/search/search-page.tsx'), 'SearchPage'),
  }),
  createRoute({
    ...page,
    path: '/decisions/$decisionId',
    component: lazyRouteComponent(() => import('./pages/decision/decision-page.tsx'), 'DecisionPage'),
  }),
  createRoute({
    ...page,
    path: '/reviews',
    validateSearch: readReviewSearch,
    component: lazyRouteComponent(() => import('./pages/reviews/reviews-page.tsx'), 'ReviewsPage'),
  }),
  createRoute({
    ...page,
    path: '/devices/$deviceId',
    component: lazyRouteComponent(() => import('./pages/device/device-page.tsx'), 'DevicePage'),
  }),
  createRoute({
    ...page,
    path: '/devices',
    component: lazyRouteComponent(() => import('./pages/device/find-device-page.tsx'), 'FindDevicePage'),
  }),
  createRoute({
    ...page,
    path: '/number',
    component: lazyRouteComponent(() => import('./pages/number/number-page.tsx'), 'NumberPage'),
  }),
  createRoute({
    ...page,
    path: '/user',
    component: lazyRouteComponent(() => import('./pages/user/user-page.tsx'), 'UserPage'),
  }),
  createRoute({
    ...page,
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
    ...page,
    path: '/rules/edit',
    validateSearch: ({ base, from }: Record<string, unknown>): { base?: number; from?: string } => ({
      ...(Number.isSafeInteger(base) && { base: base as number }),
      ...(typeof from === 'string' && { from }),
    }),
    component: lazyRouteComponent(() => import('./pages/rules/edit/edit-page.tsx'), 'EditRulesPage'),
  }),
  createRoute({
    ...page,
    path: '/rules/backtest',
    validateSearch: ({ id }: Record<string, unknown>): { id?: string } => (typeof id === 'string' ? { id } : {}),
    beforeLoad: ({ search: { id } }) => {
      if (id === undefined) throw redirect({ to: '/rules' })
    },
    component: lazyRouteComponent(() => import('./pages/rules/backtest-page.tsx'), 'BacktestPage'),
  }),
  createRoute({
    ...page,
    path: '/lists',
    component: lazyRouteComponent(() => import('./pages/lists/lists-page.tsx'), 'ListsPage'),
  }),
  createRoute({
    ...page,
    path: '/lists/$name',
    component: lazyRouteComponent(() => import('./pages/lists/list-page.tsx'), 'ListPage'),
  }),
  createRoute({
    ...page,
    path: '/apps',
    component: lazyRouteComponent(() => import('./pages/setup/apps-page.tsx'), 'AppsPage'),
  }),
  createRoute({
    ...page,
    path: '/webhooks',
    component: lazyRouteComponent(() => import('./pages/setup/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    ...page,
    path: '/start',
    component: lazyRouteComponent(() => import('./pages/start/start-page.tsx'), 'StartPage'),
  }),
  createRoute({
    ...page,
    path: '/sign-in',
    validateSearch: ({ days }: Record<string, unknown>): { days?: number } =>
      [1, 7, 30].includes(days as number) ? { days: days as number } : {},
    component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-channels-page.tsx'), 'SignInChannelsPage'),
  }),
  createRoute({
    ...page,
    path: '/privacy',
    component: lazyRouteComponent(() => import('./pages/privacy/privacy-page.tsx'), 'PrivacyPage'),
  }),
  createRoute({
    ...page,
    path: '/system',
    component: lazyRouteComponent(() => import('./pages/system/system-page.tsx'), 'SystemPage'),
  }),
  createRoute({
    ...page,
    path: '/people',
    component: lazyRouteComponent(() => import('./pages/people/people-page.tsx'), 'PeoplePage'),
  }),
  createRoute({
    ...page,
    path: '/audit',
    validateSearch: readAuditFilters,
    component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
  }),
  createRoute({
    ...page,
    path: '/people/roles',
    component: lazyRouteComponent(() => import('./pages/people/roles/roles-page.tsx'), 'RolesPage'),
  }),
  createRoute({
    ...page,
    path: '/people/sso',
    component: lazyRouteComponent(() => import('./pages/people/sso/sso-page.tsx'), 'SsoSettingsPage'),
  }),
  createRoute({
    ...page,
    path: '/account',
    component: lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
  }),
] as const

export const newRouter = () =>
  createRouter({
    routeTree: root.addChildren(routes),
    basepath: '/console',
    scrollRestoration: true,
    defaultPendingComponent: () => <Loading />,
    defaultErrorComponent: ({ error }) => <Failed error={error} />,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof newRouter>
  }
}
