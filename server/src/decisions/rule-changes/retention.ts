// How long is the result of a backtest stored? For 30 days.

import type { Core } from '../../core/core.ts'
import { dropBacktestsBefore } from './store/backtests.ts'

const storedMs = 30 * 86_400_000

export const dropOldBacktests = ({ database, clock }: Pick<Core, 'database' | 'clock'>): Promise<void> =>
  dropBacktestsBefore(database, clock.now() - storedMs)
