// Where are subscriptions to SIM swaps, and which scopes allow their calls? CAMARA sim-swap-subscriptions 0.4.

export const subscriptionsPath = '/sim-swap-subscriptions/v0.4/subscriptions'
/** The types of events begin with it. */
export const eventPrefix = 'org.camaraproject.sim-swap-subscriptions.v0'
export const subscriptionScopes = {
  create: `sim-swap-subscriptions:${eventPrefix}.swapped:create`,
  read: 'sim-swap-subscriptions:read',
  delete: 'sim-swap-subscriptions:delete',
} as const
