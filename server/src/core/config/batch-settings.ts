// How many phone numbers do batches check at once, and for how long are their results stored?

import Type from 'typebox'

export const batches = {
  batchConcurrency: Type.Integer({
    env: 'BATCH_CONCURRENCY',
    description:
      'For how many numbers the batches of this server call operators at the same time. Keep it below the limits of your upstreams, so that single checks are not refused.',
    minimum: 1,
    maximum: 1000,
    default: 16,
  }),
  batchRetentionSeconds: Type.Integer({
    env: 'BATCH_RETENTION_SECONDS',
    description: 'Seconds that a batch is stored with its numbers and results, from when it was sent.',
    minimum: 3600,
    maximum: 90 * 86_400,
    default: 7 * 86_400,
  }),
  batchLinesPerTenant: Type.Integer({
    env: 'BATCH_LINES_PER_TENANT',
    description: 'How many lines the stored batches of a tenant have together, at most. 0: no batches.',
    minimum: 0,
    maximum: 100_000_000,
    default: 1_000_000,
  }),
}
