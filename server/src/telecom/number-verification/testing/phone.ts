// How does a test play the phone? It opens the operator's URL, and reads the redirect without following it.

/** What the operator redirects the phone with, as the body of the completing call. */
export async function openAsPhone(url: string): Promise<Record<string, string>> {
  const response = await fetch(url, { redirect: 'manual' })
  const location = response.headers.get('location')
  if (!location) throw new Error(`the operator answered ${response.status} and redirects nowhere`)
  const { searchParams } = new URL(location)
  const names = ['code', 'state', 'error', 'iss'].filter((name) => searchParams.has(name))
  return Object.fromEntries(names.map((name) => [name, searchParams.get(name)!]))
}
