// Which random values do property tests try? The same in each run, so that a rare one never fails a change that it has nothing to do with;
// `FAST_CHECK_SEED=7 npm test` tries others.

import fc from 'fast-check'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.FAST_CHECK_SEED ?? 20_260_301) })
