// Which pages does the navigation list, in which order, with which permission and keys?

import type { Permission } from '../api/endpoints.ts'
import type { IconName } from '../parts/icon.tsx'
import type { texts } from '../texts.ts'

export interface ListedPage {
  readonly id: keyof typeof texts.pages
  readonly path: string
  readonly icon: IconName
  readonly group: keyof typeof texts.navigation
  /** Pressed after `g`. */
  readonly key: string
  readonly permission?: Permission
  /** Only until the first decision. */
  readonly isFirstRun?: true
}

export const listedPages: readonly ListedPage[] = [
  {
    id: 'start',
    path: '/start',
    icon: 'check',
    group: 'monitor',
    key: 'f',
    permission: 'apps.write',
    isFirstRun: true,
  },
  { id: 'overview', path: '/', icon: 'overview', group: 'monitor', key: 'o', permission: 'decisions.read' },
  {
    id: 'performance',
    path: '/performance',
    icon: 'performance',
    group: 'monitor',
    key: 'e',
    permission: 'decisions.read',
  },
  { id: 'live', path: '/live', icon: 'live', group: 'monitor', key: 'l', permission: 'decisions.read' },
  { id: 'search', path: '/search', icon: 'search', group: 'monitor', key: 's', permission: 'decisions.read' },
  { id: 'reviews', path: '/reviews', icon: 'reviews', group: 'monitor', key: 'q', permission: 'reviews.read' },
  {
    id: 'devices',
    path: '/devices',
    icon: 'device',
    group: 'monitor',
    key: 'd',
    permission: 'devices.read',
  },
  { id: 'users', path: '/user', icon: 'user', group: 'monitor', key: 'u', permission: 'users.read' },
  { id: 'numbers', path: '/number', icon: 'phone', group: 'monitor', key: 'n', permission: 'numbers.read' },
  { id: 'rules', path: '/rules', icon: 'rules', group: 'policy', key: 'r', permission: 'rules.read' },
  { id: 'lists', path: '/lists', icon: 'lists', group: 'policy', key: 'i', permission: 'lists.read' },
  { id: 'apps', path: '/apps', icon: 'apps', group: 'integrate', key: 'a', permission: 'apps.read' },
  { id: 'webhooks', path: '/webhooks', icon: 'webhooks', group: 'integrate', key: 'w', permission: 'webhooks.read' },
  { id: 'signIn', path: '/sign-in', icon: 'login', group: 'integrate', key: 'c', permission: 'signins.read' },
  { id: 'privacy', path: '/privacy', icon: 'privacy', group: 'administer', key: 'v', permission: 'privacy.read' },
  { id: 'system', path: '/system', icon: 'system', group: 'administer', key: 'y', permission: 'system.read' },
  { id: 'people', path: '/people', icon: 'people', group: 'administer', key: 'p', permission: 'people.read' },
  { id: 'audit', path: '/audit', icon: 'audit', group: 'administer', key: 't', permission: 'audit.read' },
  { id: 'account', path: '/account', icon: 'account', group: 'administer', key: 'm' },
]
