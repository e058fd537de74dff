// Is this answer JSON already? Text that goes out as it is, with the type of what it says.

export class JsonText<Value> {
  readonly text: string
  /** Only a type: what parsing the text would give. */
  declare readonly value: Value

  constructor(text: string) {
    this.text = text
  }
}
