// What do the client hints tell: versions, platform and model that the user agent string no longer does?

import { userAgentData } from '../collect/user-agent-data.ts'

const wanted = ['fullVersionList', 'platformVersion', 'architecture', 'bitness', 'model', 'formFactors'] as const

export async function clientHints() {
  const data = userAgentData()
  if (!data) return undefined
  const { brands, mobile, platform } = data
  // A page's permissions policy may refuse these; the others are told all the same.
  const told = await data.getHighEntropyValues([...wanted]).catch(() => ({}) as never)
  const named = wanted.filter((name) => told[name] !== undefined).map((name) => [name, told[name]])
  return { brands: [...brands], mobile, platform, ...Object.fromEntries(named) }
}
