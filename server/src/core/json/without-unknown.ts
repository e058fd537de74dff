// How does an object lose its unknown parts?

type Known<Parts> = { [Name in keyof Parts]?: Exclude<Parts[Name], undefined> }

/** The object without its unknown properties: those that are undefined or an empty string. */
export function withoutUnknown<Parts extends object>(parts: Parts): Known<Parts> {
  const known: Known<Parts> = {}
  for (const name of Object.keys(parts) as (keyof Parts)[]) {
    const value = parts[name]
    if (value !== undefined && value !== '') known[name] = value as Exclude<Parts[typeof name], undefined>
  }
  return known
}
