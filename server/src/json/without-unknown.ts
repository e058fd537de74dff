// How does an object lose its unknown parts?

type Known<Parts> = { [Name in keyof Parts]?: Exclude<Parts[Name], undefined> }

/** The object without its unknown properties: those that are undefined or an empty string. */
export function withoutUnknown<Parts extends object>(parts: Parts): Known<Parts> {
  return Object.fromEntries(
    Object.entries(parts).filter(([, value]) => value !== undefined && value !== ''),
  ) as Known<Parts>
}
