// Which parts are known? An object without those that are not.

type Told<Parts> = { [Name in keyof Parts]?: Exclude<Parts[Name], undefined> }

/** Without the parts that are undefined or an empty text. */
export function withoutUndefined<Parts extends object>(parts: Parts): Told<Parts> {
  return Object.fromEntries(
    Object.entries(parts).filter(([, value]) => value !== undefined && value !== ''),
  ) as Told<Parts>
}
