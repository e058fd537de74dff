// How does the console get a report about the browser that it runs in? As a page of yours would: with the SDK that the service serves.

interface Sdk {
  initialize(appId: string, options: { baseUrl: string }): Promise<boolean>
  fetchIntelligence(): Promise<{ dfrId: string }>
}

/** Fails with the SDK's error, for example when the app does not list the origin of the console. @returns the dfrId */
export async function analyseThisBrowser(appId: string): Promise<string> {
  await import(/* @vite-ignore */ `${location.origin}/sdk/browser.js`)
  const { Ringfence } = globalThis as unknown as { Ringfence: Sdk }
  if (!(await Ringfence.initialize(appId, { baseUrl: location.origin }))) {
    throw new Error(`The app refused this page. Add ${location.origin} to its origins under Apps and keys.`)
  }
  return (await Ringfence.fetchIntelligence()).dfrId
}
