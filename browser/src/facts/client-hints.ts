// What do the client hints report? Versions, platform and model, which the user agent lacks.

import { userAgentData } from '../collect/user-agent-data.ts'

const wanted = ['fullVersionList', 'platformVersion', 'architecture', 'bitness', 'model', 'formFactors'] as const

export async function clientHints() {
  const data = userAgentData()
  if (!data) return undefined
  const { brands, mobile, platform } = data
  // A permissions policy may refuse these; the other hints are still reported.
  const values = await data.getHighEntropyValues([...wanted]).catch(() => ({}) as never)
  const named = wanted.filter((name) => values[name] !== undefined).map((name) => [name, values[name]])
  return { brands: [...brands], mobile, platform, ...Object.fromEntries(named) }
}
